// A file that has no name and is in memory alone: what an audit draws is never on a disk.
#pragma once

#include <string>
#include <string_view>

namespace fugu::inline in_audit {

class MemoryFile {
 public:
  // Error (io) when the system gives none.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return file_; }
  // By which this process alone can open it, from its beginning.
  std::string path() const;
  // Error (io).
  void write(std::string_view text);

 private:
  int file_;
};

}  // namespace fugu::inline in_audit
