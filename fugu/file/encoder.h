// Writes gzip and zstd on several threads.
//
// What comes out is one member or one frame, as one thread would write it: some readers (python-zstandard,
// for one) silently stop after the first of several. The same bytes give the same output, however they come:
// no names, no times. Of zstd one thread writes other bytes than several do.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "fugu/file/compression.h"

namespace fugu::inline in_file {

class Encoder {
 public:
  using Write = std::function<void(std::string_view)>;

  virtual ~Encoder() = default;

  // Encodes `bytes` and hands what comes out to `write`, some of it later; with `last`, once, all that is
  // left and the end of the data.
  virtual void encode(std::string_view bytes, bool last, const Write& write) = 0;
};

// Not for kNone. It holds about 3 MB for each thread.
std::unique_ptr<Encoder> make_encoder(Compression compression, size_t threads);

}  // namespace fugu::inline in_file
