#include "apps/cli/text_io.h"

#include <unistd.h>

#include <cstdio>

#include "fugu/file/atomic_file.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

FileOptions file_options_of(const OutputFile& file) {
  return {.force = file.force, .owner_only = file.access == Access::kPrivate, .option = "--output"};
}

}  // namespace

void print(std::string_view text) { write_all(STDOUT_FILENO, text.data(), text.size(), "standard output"); }

void warn(const std::string& text) {
  const std::string line = "fugu: warning: " + printable(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

void OutputFile::check() const { AtomicFile::check(path, file_options_of(*this)); }

void OutputFile::write(std::string_view text) const {
  AtomicFile file(path, file_options_of(*this));
  write_all(file.descriptor(), text.data(), text.size(), path);
  file.commit();
}

}  // namespace fugu::cli
