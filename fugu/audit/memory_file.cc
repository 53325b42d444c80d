#include "fugu/audit/memory_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fugu/core/error.h"
#include "fugu/file/atomic_file.h"

namespace fugu::inline in_audit {

MemoryFile::MemoryFile() : file_(::memfd_create("fugu-audit", MFD_CLOEXEC)) {
  if (file_ < 0)
    throw Error(ErrorKind::kIo, "there is no memory file for the audit", "try again with fewer --draws");
}

MemoryFile::~MemoryFile() { ::close(file_); }

std::string MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", file_); }

void MemoryFile::write(std::string_view text) {
  write_all(file_, text.data(), text.size(), "the audit's table");
}

}  // namespace fugu::inline in_audit
