#include "fugu/file/text_file.h"

#include <sys/stat.h>

#include "fugu/core/error.h"
#include "fugu/file/byte_source.h"

namespace fugu::inline in_file {
namespace {

constexpr size_t kMost = size_t{1} << 30;  // more is no file of ours: a device, or a stream without end

}  // namespace

std::string read_text(const std::string& path) {
  FileSource source(path);
  std::string text, block(size_t{1} << 16, '\0');
  while (const size_t size = source.read(block.data(), block.size())) {
    if (text.size() + size > kMost)
      throw Error(ErrorKind::kData, path + ": the file is larger than 1 GiB", "give a plan or scenario file");
    text.append(block, 0, size);
  }
  return text;
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat left {
  }, right{};
  return ::stat(a.c_str(), &left) == 0 && ::stat(b.c_str(), &right) == 0 && left.st_dev == right.st_dev &&
         left.st_ino == right.st_ino;
}

}  // namespace fugu::inline in_file
