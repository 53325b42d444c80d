// Whether a file is still what it was: its place on the disk, its size, the time of its last change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fugu::inline in_file {

struct FileState {
  uint64_t device, inode;
  int64_t size, seconds, nanoseconds;
  friend bool operator==(const FileState&, const FileState&) = default;
};

// Absent for what is no regular file.
std::optional<FileState> file_state(const std::string& path);

}  // namespace fugu::inline in_file
