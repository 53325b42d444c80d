// Where the bytes of a table come from: a file, standard input (gzip and zstd are decompressed), a database.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "fugu/file/compression.h"

namespace fugu::inline in_file {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // The next at most `size` bytes into `to`; fewer than asked is no sign of the end, 0 is. Error (io); Error
  // (data) for what is broken.
  virtual size_t read(char* to, size_t size) = 0;
  // Goes on with this byte of what read() yields from the beginning, where that takes no reading; else false,
  // and nothing has changed. Error (io).
  virtual bool seek(uint64_t) { return false; }
  // The share that was read, 0 to 1; 0 where the size is unknown. Any thread.
  virtual double fraction() const = 0;
};

// How many rows of a table of known size were read. Any thread.
class RowsRead {
 public:
  explicit RowsRead(uint64_t total) : total_(total) {}
  void add() { rows_.fetch_add(1, std::memory_order_relaxed); }
  double fraction() const {
    const auto rows = static_cast<double>(rows_.load(std::memory_order_relaxed));
    return total_ == 0 ? 0 : std::min(1.0, rows / static_cast<double>(total_));
  }

 private:
  uint64_t total_;  // 0 where unknown
  std::atomic<uint64_t> rows_ = 0;
};

class FileSource final : public ByteSource {
 public:
  // Opens the file; "-" is standard input. Error (io) when it is missing, a directory or cannot be read;
  // Error (usage) for the URL of a database.
  explicit FileSource(const std::string& path);
  ~FileSource() override;

  // Error (data) for compressed data that is broken or ends too soon.
  size_t read(char* to, size_t size) override;
  bool seek(uint64_t place) override;
  double fraction() const override;

  // How messages call it: the path, or "standard input".
  const std::string& name() const { return name_; }

 private:
  size_t read_file(char* to, size_t size);
  void look_at_beginning();
  size_t decode(char* to, size_t size);

  std::string name_;
  int file_ = -1;
  uint64_t size_ = 0;  // 0 where unknown
  std::atomic<uint64_t> read_ = 0;
  bool looked_ = false;
  Compression compression_ = Compression::kNone;
  std::unique_ptr<Decoder> decoder_;  // none: the file's bytes as they are
  std::string input_;  // read and not yet handed out or decoded, from input_begin_ to input_end_
  size_t input_begin_ = 0;
  size_t input_end_ = 0;
};

}  // namespace fugu::inline in_file
