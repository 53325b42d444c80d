// A release into a file: the table whole or not at all, and its receipt beside it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "fugu/core/json.h"
#include "fugu/release/release.h"

namespace fugu::inline in_release {

struct FileRelease {
  std::string output = {};               // .gz and .zst are compressed
  bool force = false;                    // may replace an existing output and receipt
  std::optional<std::string> plan = {};  // the text of a new plan, to be kept as OUT.plan.json, mode 0600
  std::string receipt_name = {}, plan_name = {};  // in place of OUT.receipt.json and OUT.plan.json
  // Called once, when everything is written and nothing has appeared yet; what it throws stops the release.
  std::function<void(const ReleaseSummary&)> before_it_appears = {};

  std::string receipt() const { return receipt_name.empty() ? output + ".receipt.json" : receipt_name; }
  std::string plan_path() const { return plan_name.empty() ? output + ".plan.json" : plan_name; }
  // Throws what release_to_file() would, as far as can be known before the work. Error (usage, io).
  void check() const;
};

struct FileReleased {
  ReleaseSummary summary;
  Json receipt;
};

// The output appears under its name only when it is whole, after the plan and before the receipt; where
// anything fails, none of them does. With `force` the old receipt and plan are gone before the new output is
// there, and the new ones come after it: no output stands beside those of another release. Of two releases at
// once all files are one's. Errors of release_table() and AtomicFile.
FileReleased release_to_file(const ReleaseRequest& request, const Plan& plan, const FileRelease& file,
                             const Progress& progress);

}  // namespace fugu::inline in_release
