#include "apps/cli/text_io.h"

#include <sys/stat.h>
#include <unistd.h>

#include "fugu/table/atomic_file.h"
#include "fugu/table/byte_source.h"

namespace fugu::cli {
namespace {

FileOptions options_of(const OutputFile& file) {
  return {.force = file.force, .owner_only = file.access == Access::kPrivate, .option = "--output"};
}

}  // namespace

void print(std::string_view text) { write_all(STDOUT_FILENO, text.data(), text.size(), "standard output"); }

std::string read_text(const std::string& path) {
  ByteSource source(path);
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

void OutputFile::check() const { AtomicFile::check(path, options_of(*this)); }

void OutputFile::write(std::string_view text) const {
  AtomicFile file(path, options_of(*this));
  write_all(file.descriptor(), text.data(), text.size(), path);
  file.commit();
}

}  // namespace fugu::cli
