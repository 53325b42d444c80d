// A release into a new table of the database that is read: the table whole or not at all, its receipt and
// plan in files.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "fugu/release/release_file.h"

namespace fugu::inline in_release {

struct DatabaseRelease {
  std::string into = {};                          // as people write it (sql_name.h)
  bool force = false;                             // may replace an existing table, and the files
  std::optional<std::string> plan = {};           // the text of a new plan, to be kept in a file, mode 0600
  std::string receipt_name = {}, plan_name = {};  // in place of those below
  // Called once, when everything is written and nothing has appeared yet; what it throws stops the release.
  std::function<void(const ReleaseSummary&)> before_it_appears = {};

  // Files in the current folder, by the table's name; what is no letter, digit, dot or dash becomes "_".
  std::string receipt() const { return receipt_name.empty() ? file_name() + ".receipt.json" : receipt_name; }
  std::string plan_path() const { return plan_name.empty() ? file_name() + ".plan.json" : plan_name; }
  // Throws what release_to_database() would, as far as can be known before the work. Error (usage, io).
  void check(DatabaseTable& database) const;
  // The files' part of it.
  void check_files() const;

 private:
  std::string file_name() const;
};

// The table appears first, in one commit, then the plan and the receipt, which are on the disk before; where
// anything before the commit fails, none of them does, and a table that cannot have its files is not
// committed. With `force` the old files are gone before. Precondition: request.database was opened with
// `writes`. Errors of release_table(), AtomicFile and NewTable.
FileReleased release_to_database(const ReleaseRequest& request, const Plan& plan, const DatabaseRelease& to,
                                 const Progress& progress);

}  // namespace fugu::inline in_release
