#include "fugu/file/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fugu/core/error.h"

namespace fugu::inline in_file {

FolderLock::FolderLock(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0 && errno != EACCES) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", folder, std::strerror(errno)),
                "check the folder, and how many files may be open");
  }
  while (folder_ >= 0 && ::flock(folder_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FolderLock::~FolderLock() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace fugu::inline in_file
