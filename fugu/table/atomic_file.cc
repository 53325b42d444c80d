#include "fugu/table/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/table/database_url.h"

namespace fugu {
namespace {

Error io_error(const std::string& place, int number) {
  const char* hint = number == ENOSPC  ? "make room on the disk, or write elsewhere"
                     : number == EPIPE ? "its reader ended before everything was written"
                                       : "check the folder, its permissions and the space left";
  return Error(ErrorKind::kIo, fmt::format("{}: {}", place, std::strerror(number)), hint);
}

std::filesystem::path folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

Error exists(const std::string& path) {
  return Error(ErrorKind::kUsage, path + ": the file exists", "give another name, or --force to replace it");
}

void sync_folder(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);  // not every file system can; the file itself is synced
  ::close(file);
}

mode_t mode_of(const FileOptions& options) {
  if (options.owner_only) return 0600;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void write_all(int file, const char* text, size_t size, const std::string& place) {
  while (size > 0) {
    const ssize_t written = ::write(file, text, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw io_error(place, errno);
    text += written;
    size -= static_cast<size_t>(written);
  }
}

void AtomicFile::check(const std::string& path, const FileOptions& options) {
  if (path.empty())
    throw Error(ErrorKind::kUsage, options.option + ": the name is empty", "give a file name");
  if (is_database(path)) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: here a file is written, not a database", options.option),
                "give a file name; fugu release writes to a new table by --into NAME");
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    throw Error(ErrorKind::kUsage, path + ": this is a symbolic link", "name the file that is to be written");
  }
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw Error(ErrorKind::kUsage, path + ": this is a folder", "give the name of a file in it");
    }
    if (!S_ISREG(status.st_mode)) {
      throw Error(ErrorKind::kUsage, path + ": this is not a regular file",
                  "give a file name, or - for standard output");
    }
    if (!options.force) throw exists(path);
  } else if (errno != ENOENT) {
    throw io_error(path, errno);
  } else if (!std::filesystem::is_directory(folder_of(path))) {
    throw Error(ErrorKind::kIo, path + ": its folder does not exist", "make the folder first");
  }
}

AtomicFile::AtomicFile(const std::string& path, const FileOptions& options) : path_(path), options_(options) {
  check(path, options);
  // An unnamed file goes with the process, even when it is killed. Where the file system has none, a named
  // one. Either is the owner's alone until it is whole.
  file_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ >= 0) return;
  temporary_ = path_ + ".XXXXXX";
  file_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (file_ < 0) {
    temporary_.clear();
    throw io_error(path_, errno);
  }
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::give_temporary_name() {
  const std::string unnamed = fmt::format("/proc/self/fd/{}", file_);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name = fmt::format("{}.{}-{}", path_, ::getpid(), attempt);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  throw io_error(path_, errno);
}

void AtomicFile::sync() {
  if (::fsync(file_) != 0 && errno != EINVAL) throw io_error(path_, errno);
}

void AtomicFile::commit() {
  ::fchmod(file_, mode_of(options_));  // where a file system has no modes, it stays as it is
  sync();
  if (temporary_.empty()) give_temporary_name();
  if (::close(std::exchange(file_, -1)) != 0) throw io_error(path_, errno);
  // A link, unlike a rename, never replaces what came in between. Neither follows a symbolic link that
  // came: who put it there does not choose which file is written.
  if (!options_.force && ::link(temporary_.c_str(), path_.c_str()) == 0) {
    ::unlink(temporary_.c_str());
  } else if (!options_.force && errno == EEXIST) {
    throw exists(path_);
  } else if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw io_error(path_, errno);
  }
  temporary_.clear();
  sync_folder(folder_of(path_));
}

}  // namespace fugu
