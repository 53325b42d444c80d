#include "fugu/file/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/file/database_name.h"

namespace fugu::inline in_file {
namespace {

Error io_error(const std::string& place, int number) {
  const char* hint = number == ENOSPC  ? "make room on the disk, or write elsewhere"
                     : number == EPIPE ? "its reader ended before everything was written"
                                       : "check the folder, its permissions and the space left";
  return Error(ErrorKind::kIo, fmt::format("{}: {}", place, std::strerror(number)), hint);
}

constexpr int kNames = 100;  // tried for a temporary file

Error exists(const std::string& path) {
  return Error(ErrorKind::kUsage, path + ": the file exists", "give another name, or --force to replace it");
}

void sync_folder(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);  // not every file system can; the file itself is synced
  ::close(file);
}

// As Linux tells it; nothing elsewhere.
std::optional<mode_t> told_umask() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view kUmask = "Umask:";
    if (line.starts_with(kUmask))
      return static_cast<mode_t>(std::strtoul(line.c_str() + kUmask.size(), nullptr, 8));
  }
  return std::nullopt;
}

}  // namespace

mode_t public_mode() {
  if (const auto mask = told_umask()) return 0666 & ~*mask;
  // To ask is to set it: what another thread makes in between has the mode that it asks for.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

mode_t public_mode(const std::string& path) {
  struct stat status {};
  const bool replaces = ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  return replaces ? public_mode() & status.st_mode : public_mode();
}

std::string temporary_name(const std::string& path, int k) {
  return fmt::format("{}.{}-{}", path, ::getpid(), k);
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

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
    throw Error(ErrorKind::kUsage, fmt::format("{}: this must be a file, not a database", options.option),
                "give a file name; fugu release writes a new table with --into NAME");
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    throw Error(ErrorKind::kUsage, path + ": this is a symbolic link", "name the file itself");
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

AtomicFile::AtomicFile(const std::string& path, const FileOptions& options)
    : path_(path), options_(options), mode_(options.owner_only ? 0600 : public_mode(path)) {
  check(path, options);
  // An unnamed file goes with the process, even when it is killed. Where the file system has none, a named
  // one. Either is the owner's alone until it is whole.
  file_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ >= 0) return;
  for (int k = 0; k < kNames && file_ < 0; ++k) {
    const std::string name = temporary_name(path_, k);
    file_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file_ >= 0) temporary_ = name;
    if (file_ < 0 && errno != EEXIST) break;
  }
  if (file_ < 0) throw io_error(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

// Whether the unnamed file has that name now; not when the name is taken.
bool AtomicFile::link_as(const std::string& name) {
  const std::string unnamed = fmt::format("/proc/self/fd/{}", file_);
  if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) throw io_error(path_, errno);
  return false;
}

void AtomicFile::give_temporary_name() {
  for (int k = 0; k < kNames; ++k) {
    const std::string name = temporary_name(path_, k);
    if (link_as(name)) {
      temporary_ = name;
      return;
    }
  }
  throw io_error(path_, EEXIST);
}

// Neither a link nor a rename follows a symbolic link that came: who put it there does not choose which file
// is written.
void AtomicFile::rename_to_path() {
  if (options_.force) {
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw io_error(path_, errno);
    temporary_.clear();
    return;
  }
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) {
    temporary_.clear();
    return;
  }
  if (errno == EEXIST) throw exists(path_);
  if (errno != EINVAL && errno != ENOSYS) throw io_error(path_, errno);
  // This file system renames only what may replace. A link never does.
  if (::link(temporary_.c_str(), path_.c_str()) != 0) {
    if (errno == EEXIST) throw exists(path_);
    throw Error(ErrorKind::kIo, path_ + ": on this file system a new file might replace another",
                "write to another file system, or give --force");
  }
  ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::sync() {
  if (::fsync(file_) != 0 && errno != EINVAL) throw io_error(path_, errno);
}

void AtomicFile::commit() {
  // Where a file system has no modes, it stays as it is.
  ::fchmod(file_, mode_);
  sync();
  struct stat status {};
  if (::fstat(file_, &status) != 0) throw io_error(path_, errno);
  // Straight to its own name, so that it never has another.
  if (temporary_.empty() && !link_as(path_)) {
    if (!options_.force) throw exists(path_);
    give_temporary_name();
  }
  const bool closed = ::close(std::exchange(file_, -1)) == 0;
  if (!temporary_.empty()) {
    if (!closed) throw io_error(path_, errno);
    rename_to_path();
  }
  device_ = status.st_dev;
  number_ = status.st_ino;
  sync_folder(folder_of(path_));
}

void AtomicFile::take_back() noexcept {
  struct stat status {};
  if (number_ == 0 || ::lstat(path_.c_str(), &status) != 0) return;
  if (status.st_dev == device_ && status.st_ino == number_) ::unlink(path_.c_str());
  number_ = 0;
}

}  // namespace fugu::inline in_file
