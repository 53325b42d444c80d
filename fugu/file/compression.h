// gzip and zstd as streams of bytes, and how they are read: no files, no names. Written by encoder.h.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "fugu/core/error.h"

namespace fugu::inline in_file {

enum class Compression { kNone, kGzip, kZstd };

// By the first bytes of a file; four are enough.
Compression compression_of(std::string_view beginning);
// By the ending of an output's name: .gz, .zst, or neither.
Compression compression_for(std::string_view name);

class Decoder {
 public:
  virtual ~Decoder() = default;

  // Takes bytes from the front of `in`, writes at most `size` to `to`, and says how many. 0 means that it
  // needs more input. Members or frames that follow each other are decoded one after the other. Error (data).
  virtual size_t decode(std::string_view& in, char* to, size_t size) = 0;
  // True where the data may end.
  virtual bool whole() const = 0;
};

// Not for kNone. Errors (data) of the decoder name the format, not the file.
std::unique_ptr<Decoder> make_decoder(Compression compression);
// Error (data): the data ends where they may not.
Error cut_short(Compression compression);

}  // namespace fugu::inline in_file
