#include "fugu/ledger/ledger_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fugu/core/error.h"

namespace fugu::inline in_ledger {
namespace {

Error io_error(const std::string& path, int number) {
  return Error(ErrorKind::kIo, fmt::format("{}: {}", path, std::strerror(number)),
               "check the folder and its permissions");
}

void check_private(const std::string& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode))
    throw usage(fmt::format("--ledger: {} is not a regular file", path), "name a file");
  if (status.st_uid != ::geteuid()) {
    throw usage(fmt::format("--ledger: {} belongs to another user", path),
                "a ledger holds the counts: use a file of your own");
  }
  if ((status.st_mode & 077) != 0) {
    throw usage(fmt::format("--ledger: {} may be read or written by others", path),
                fmt::format("a ledger holds the counts: chmod 600 {}", path));
  }
}

// What SQLite reads as a part of the file, or writes the counts to: a link there would lead them elsewhere.
void check_beside(const std::string& path) {
  struct stat status {};
  for (const char* ending : {"-journal", "-wal", "-shm"}) {
    if (::lstat((path + ending).c_str(), &status) == 0) check_private(path + ending, status);
  }
}

}  // namespace

bool ledger_exists(const std::string& path) {
  struct stat status {};
  check_beside(path);
  if (::stat(path.c_str(), &status) == 0) {
    check_private(path, status);
    return true;
  }
  if (errno != ENOENT) throw io_error(path, errno);
  // Another process may have made the file meanwhile; only a link is at fault.
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    throw usage(fmt::format("--ledger: {} is a broken symbolic link", path),
                "name the file itself: a ledger is not made through a link");
  }
  return false;
}

const std::string& created_ledger(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) {
    ::close(file);
  } else if (errno != EEXIST) {
    throw io_error(path, errno);
  }
  return existing_ledger(path);  // others may have made it at once
}

const std::string& existing_ledger(const std::string& path) {
  if (!ledger_exists(path))
    throw Error(ErrorKind::kIo, path + ": the ledger does not exist",
                "the first release with --ledger makes it");
  return path;
}

}  // namespace fugu::inline in_ledger
