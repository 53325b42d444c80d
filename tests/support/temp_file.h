// A file that holds a text and is gone when its test is.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fugu {

class TempFile {
 public:
  explicit TempFile(std::string_view text) {
    char path[] = "/tmp/fugu_test_XXXXXX";
    int file = mkstemp(path);
    if (file < 0) throw std::runtime_error("no temporary file");
    close(file);
    path_ = path;
    std::ofstream(path_, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  ~TempFile() { std::remove(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace fugu
