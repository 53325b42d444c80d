#include "fugu/table/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "fugu/core/error.h"

namespace fugu {
namespace {

Error io_error(const std::string& name, int code) {
  if (code == ENOENT || code == ENOTDIR) {
    return Error(ErrorKind::kIo, name + ": there is no such file", "check the path");
  }
  if (code == EISDIR) {
    return Error(ErrorKind::kIo, name + ": this is a directory, not a file",
                 "give the path of a CSV or TSV file");
  }
  return Error(ErrorKind::kIo,
               fmt::format("{}: it cannot be read: {}", name, std::generic_category().message(code)),
               "check that the file may be read and that its disk is well");
}

}  // namespace

ByteSource::ByteSource(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  file_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw io_error(name_, errno);
  struct stat status {};
  int code = fstat(file_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (code != 0) {
    if (file_ != STDIN_FILENO) close(file_);
    throw io_error(name_, code);
  }
  if (S_ISREG(status.st_mode)) size_ = static_cast<uint64_t>(status.st_size);
}

ByteSource::~ByteSource() {
  if (file_ != STDIN_FILENO) close(file_);
}

size_t ByteSource::read(char* to, size_t size) {
  ssize_t count = 0;
  do {
    count = ::read(file_, to, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0) throw io_error(name_, errno);
  read_ += static_cast<uint64_t>(count);
  return static_cast<size_t>(count);
}

double ByteSource::fraction() const {
  return size_ == 0 ? 0 : std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_));
}

}  // namespace fugu
