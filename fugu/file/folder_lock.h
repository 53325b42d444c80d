// Whoever puts several files of one name into a folder does it alone.
#pragma once

#include <string>

namespace fugu::inline in_file {

// Whoever else takes it waits until it is gone; a process that is killed leaves none. Where the folder cannot
// be read, or its file system has no locks, it does nothing. Error (io).
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

}  // namespace fugu::inline in_file
