// What every fuzzer shares: an input is read, or refused by an Error. Anything else is a finding.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "fugu/core/error.h"

namespace fugu::fuzz {

// Ends the run with the input that shows it.
inline void insist(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: this must hold: %s\n", what);
  std::abort();
}

// What `read` gives, or nothing where the input is refused as people may see it.
template <class Read>
auto read_or_refuse(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    insist(error.kind() != ErrorKind::kBug, "no input is a mistake of ours");
    insist(!error.message().empty(), "an error says what is wrong");
    return std::nullopt;
  }
}

// The first bytes of an input choose how it is read; the rest is what is read.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto first = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  template <class Number>
  Number number() {
    uint64_t value = 0;
    for (size_t k = 0; k < sizeof(Number); ++k) value = value << 8 | byte();
    return static_cast<Number>(value);
  }
  // Up to the mark, which is dropped; all of it where there is none.
  std::string_view until(char mark) {
    const size_t end = std::min(rest_.find(mark), rest_.size());
    const std::string_view part = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return part;
  }
  std::string_view take(size_t size) {
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(part.size());
    return part;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// A file in memory under a path that readers can open.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("input", MFD_CLOEXEC)) {
    insist(file_ >= 0, "there is memory for a file");
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      insist(written > 0, "the file takes the bytes");
      bytes.remove_prefix(static_cast<size_t>(written));
    }
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace fugu::fuzz
