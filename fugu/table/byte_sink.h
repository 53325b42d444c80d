// Where the bytes of an output go: a file descriptor, plain or compressed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fugu/table/compression.h"

namespace fugu {

class ByteSink {
 public:
  // Writes to `file`, which stays the caller's to sync and close; `name` is for messages.
  ByteSink(int file, std::string name, Compression compression);
  ~ByteSink();  // without finish() the output is not whole
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  // Error (io): a full disk, a closed pipe, …
  void write(std::string_view bytes);
  // Writes what is left, and the end of the compressed stream. Call it once, last. Error (io).
  void finish();

  uint64_t bytes_in() const { return bytes_in_; }  // given to write()

 private:
  void write_out(std::string_view bytes);

  int file_;
  std::string name_;
  std::unique_ptr<Encoder> encoder_;  // none: bytes go out as they are
  std::string small_;                 // bytes that wait for more
  uint64_t bytes_in_ = 0;
};

}  // namespace fugu
