// Where the bytes of an output go: a file descriptor, plain or compressed, or a database.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fugu/core/digest.h"
#include "fugu/file/encoder.h"

namespace fugu::inline in_file {

class ByteSink {
 public:
  ByteSink() = default;
  virtual ~ByteSink() = default;  // without finish() the output is not whole
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  // Error (io): a full disk, a closed pipe, a lost connection, …
  virtual void write(std::string_view bytes) = 0;
  // Writes what is left. Call it once, last. Error (io).
  virtual void finish() = 0;
  // Whether the names of the columns come first.
  virtual bool takes_header() const { return true; }
};

class FileSink final : public ByteSink {
 public:
  // Writes to `file`, compressed by all threads that TBB allows; it stays the caller's to sync and close;
  // `name` is for messages. The digest, where there is one, is that of the file when finish() is done.
  FileSink(int file, std::string name, Compression compression, Sha256* digest = nullptr);
  ~FileSink() override;

  void write(std::string_view bytes) override;
  void finish() override;  // and the end of the compressed stream

  uint64_t bytes_in() const { return bytes_in_; }  // given to write()

 private:
  void write_out(std::string_view bytes);

  int file_;
  std::string name_;
  Sha256* digest_;
  std::unique_ptr<Encoder> encoder_;  // none: bytes go out as they are
  std::string small_;                 // bytes that wait for more
  uint64_t bytes_in_ = 0;
};

}  // namespace fugu::inline in_file
