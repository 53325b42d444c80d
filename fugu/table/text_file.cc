#include "fugu/table/text_file.h"

#include <sys/stat.h>

#include "fugu/table/byte_source.h"

namespace fugu {

std::string read_text(const std::string& path) {
  FileSource source(path);
  std::string text, block(size_t{1} << 16, '\0');
  while (const size_t size = source.read(block.data(), block.size())) text.append(block, 0, size);
  return text;
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat left {
  }, right{};
  return ::stat(a.c_str(), &left) == 0 && ::stat(b.c_str(), &right) == 0 && left.st_dev == right.st_dev &&
         left.st_ino == right.st_ino;
}

}  // namespace fugu
