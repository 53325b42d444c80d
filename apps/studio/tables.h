// The tables that the page may ask about: those named on the command line, those in the folder that was named
// there, and those dropped on the page. No other path is opened.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apps/studio/kept_rows.h"
#include "apps/studio/temporary_folder.h"
#include "apps/studio/token.h"

namespace fugu::studio {

// Where `name` lies beneath `folder`. Error (usage) for an absolute name, one with "..", one that leaves the
// folder by a link, or one that is no regular file.
std::filesystem::path beneath(const std::filesystem::path& folder, const std::string& name);

// Where a new file of that name would lie in `folder`. Error (usage) unless it is a plain name: no folders,
// nothing hidden, no control characters and none that turn the direction of writing.
std::filesystem::path new_file_in(const std::filesystem::path& folder, const std::string& name);

struct OpenTable {
  std::string id;    // of this run of the studio: none of another
  std::string name;  // as people wrote it: what a command line names
  std::string path;
  bool uploaded = false;
};

class Tables {
 public:
  // `folder`, when not empty, is one whose tables may be named. Of dropped tables the last hundred are kept,
  // and at most so many bytes: the oldest go first, the newest stays.
  Tables(std::vector<std::string> named, std::string folder, uint64_t upload_size);

  const std::vector<std::string>& named() const { return named_; }

  // Error (usage) for a name that was not given, or that is in no folder given. The same table has the same
  // id.
  OpenTable open(const std::string& name);
  // A fresh path for a file that is dropped, called `name` by the page; add it when it is whole.
  std::string upload_path();
  // Removes what was dropped.
  void clear_away() { uploads_.remove(); }
  OpenTable add_upload(const std::string& path, const std::string& name);

  // Error (usage) when there is none of that id.
  OpenTable find(const std::string& id);

  // The rows of the table as it is now, read that way; kept as long as the file does not change, of the last
  // tables that were asked about.
  std::shared_ptr<KeptRows> rows(const OpenTable& table, const CsvOptions& options);

 private:
  OpenTable add(OpenTable table);
  void drop_old_uploads();

  std::vector<std::string> named_;
  std::string folder_;
  uint64_t upload_size_;
  const std::string run_ = random_token().substr(0, 8);  // in every id
  TemporaryFolder uploads_;
  std::mutex mutex_;
  std::vector<OpenTable> tables_;
  std::list<std::pair<std::string, std::shared_ptr<KeptRows>>> rows_;  // the last used first
  uint64_t next_upload_ = 1, next_id_ = 1;
};

}  // namespace fugu::studio
