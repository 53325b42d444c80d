#include "fugu/file/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "fugu/core/error.h"
#include "fugu/file/database_name.h"

namespace fugu::inline in_file {
namespace {

constexpr size_t kMagicSize = 4;                  // bytes that tell a compressed file
constexpr size_t kInputSize = size_t{256} << 10;  // of compressed bytes, read at once

Error reading_error(const std::string& name, int code) {
  if (code == ENOENT || code == ENOTDIR) {
    return Error(ErrorKind::kIo, name + ": there is no such file", "check the path");
  }
  if (code == EISDIR) {
    return Error(ErrorKind::kIo, name + ": this is a folder, not a file", "give the name of a file in it");
  }
  return Error(ErrorKind::kIo,
               fmt::format("{}: cannot be read: {}", name, std::generic_category().message(code)),
               "check the file's permissions and its disk");
}

}  // namespace

FileSource::FileSource(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  if (is_database(path)) {
    throw Error(ErrorKind::kUsage,
                (is_postgres(path) ? "postgresql://..." : path) + ": this must be a file, not a database",
                "write the rows to a CSV file first");
  }
  file_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw reading_error(name_, errno);
  struct stat status {};
  int code = fstat(file_, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (code != 0) {
    if (file_ != STDIN_FILENO) close(file_);
    throw reading_error(name_, code);
  }
  if (S_ISREG(status.st_mode)) size_ = static_cast<uint64_t>(status.st_size);
}

FileSource::~FileSource() {
  if (file_ != STDIN_FILENO) close(file_);
}

size_t FileSource::read_file(char* to, size_t size) {
  ssize_t count = 0;
  do {
    count = ::read(file_, to, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0) throw reading_error(name_, errno);
  read_.fetch_add(static_cast<uint64_t>(count), std::memory_order_relaxed);
  return static_cast<size_t>(count);
}

void FileSource::look_at_beginning() {
  looked_ = true;
  input_.resize(kMagicSize);
  while (input_end_ < kMagicSize) {
    size_t count = read_file(input_.data() + input_end_, kMagicSize - input_end_);
    if (count == 0) break;
    input_end_ += count;
  }
  compression_ = compression_of(std::string_view(input_).substr(0, input_end_));
  if (compression_ == Compression::kNone) return;
  decoder_ = make_decoder(compression_);
  input_.resize(kInputSize);
}

size_t FileSource::read(char* to, size_t size) {
  if (!looked_) look_at_beginning();
  if (decoder_) return decode(to, size);
  if (input_begin_ == input_end_) return read_file(to, size);
  size_t count = std::min(size, input_end_ - input_begin_);
  std::memcpy(to, input_.data() + input_begin_, count);
  input_begin_ += count;
  return count;
}

bool FileSource::seek(uint64_t place) {
  if (!looked_) look_at_beginning();
  if (decoder_ || size_ == 0) return false;
  if (lseek(file_, static_cast<off_t>(place), SEEK_SET) < 0) throw reading_error(name_, errno);
  input_begin_ = input_end_ = 0;
  read_ = place;
  return true;
}

size_t FileSource::decode(char* to, size_t size) {
  try {
    for (;;) {
      std::string_view input = std::string_view(input_).substr(input_begin_, input_end_ - input_begin_);
      size_t count = decoder_->decode(input, to, size);
      input_begin_ = input_end_ - input.size();
      if (count > 0) return count;
      input_begin_ = 0;
      input_end_ = read_file(input_.data(), input_.size());
      if (input_end_ > 0) continue;
      if (decoder_->whole()) return 0;
      throw cut_short(compression_);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kData) throw error.at(name_);
    throw;
  }
}

double FileSource::fraction() const {
  return size_ == 0 ? 0
                    : std::min(1.0, static_cast<double>(read_.load(std::memory_order_relaxed)) /
                                        static_cast<double>(size_));
}

}  // namespace fugu::inline in_file
