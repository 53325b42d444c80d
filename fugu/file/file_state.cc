#include "fugu/file/file_state.h"

#include <sys/stat.h>

namespace fugu::inline in_file {

std::optional<FileState> file_state(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileState{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                   status.st_mtim.tv_nsec};
}

}  // namespace fugu::inline in_file
