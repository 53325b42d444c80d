// Where the bytes of a table come from: a file, or standard input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fugu {

class ByteSource {
 public:
  // Opens the file; "-" is standard input. Error (io) when it is missing, a directory or cannot be read.
  explicit ByteSource(const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // The next at most `size` bytes into `to`; fewer than asked is no sign of the end, 0 is. Error (io).
  size_t read(char* to, size_t size);

  // How messages call it: the path, or "standard input".
  const std::string& name() const { return name_; }
  // The share of the file that was read, 0 to 1; 0 where the size is unknown.
  double fraction() const;

 private:
  std::string name_;
  int file_ = -1;
  uint64_t size_ = 0;  // 0 where unknown
  uint64_t read_ = 0;
};

}  // namespace fugu
