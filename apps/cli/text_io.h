// Text in and out: standard output, files read whole (text_file.h), files written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "fugu/file/text_file.h"

namespace fugu::cli {

// To standard output, at once. Error (io) when it cannot be written, also when its reader has gone.
void print(std::string_view text);

// A line on standard error, "fugu: warning: …"; that nobody reads it stops nothing.
void warn(const std::string& text);

enum class Access { kPublic, kPrivate };  // mode 0666 less the umask, or 0600

struct OutputFile {
  std::string path;
  bool force = false;  // may replace an existing file
  Access access = Access::kPublic;

  // Throws what write() would, as far as can be known: Error (usage) when the file exists and force is not
  // set or it is no regular file, Error (io) when its folder is missing. Call it before long work.
  void check() const;
  // A temporary file beside it, synced, then put in place in one step: a reader sees the old file or the new
  // one. Error (io) leaves nothing behind.
  void write(std::string_view text) const;
};

}  // namespace fugu::cli
