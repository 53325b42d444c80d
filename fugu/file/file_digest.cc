#include "fugu/file/file_digest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "fugu/core/digest.h"
#include "fugu/core/error.h"

namespace fugu::inline in_file {
namespace {

std::string digest_of_file(int file, const std::string& path) {
  Sha256 hash;
  std::string block(size_t{1} << 20, '\0');
  for (off_t at = 0;;) {
    const ssize_t size = ::pread(file, block.data(), block.size(), at);
    if (size < 0) {
      throw Error(ErrorKind::kIo, fmt::format("{}: {}", path, std::strerror(errno)),
                  "the file cannot be read for its digest: check the disk");
    }
    if (size == 0) return hash.finish();
    hash.add({block.data(), static_cast<size_t>(size)});
    at += size;
  }
}

}  // namespace

std::string digest_of_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", path, std::strerror(errno)), "check the path");
  try {
    std::string digest = digest_of_file(file, path);
    ::close(file);
    return digest;
  } catch (...) {
    ::close(file);
    throw;
  }
}

}  // namespace fugu::inline in_file
