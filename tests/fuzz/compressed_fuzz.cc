// gzip and zstd: broken data is refused, reads of any size give the same bytes, and what we write reads back.
#include <algorithm>

#include "fugu/file/byte_source.h"
#include "fugu/file/encoder.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

constexpr size_t kMost = size_t{8} << 20;  // a few bytes may mean a great many

struct Decoded {
  std::string bytes;
  std::string error = {};
};

Decoded read_all(const std::string& path, size_t step) {
  Decoded result;
  try {
    FileSource source(path);
    std::string part(step, '\0');
    while (result.bytes.size() < kMost) {
      const size_t count = source.read(part.data(), part.size());
      if (count == 0) break;
      result.bytes.append(part, 0, count);
    }
  } catch (const Error& error) {
    fuzz::insist(error.kind() == ErrorKind::kData, "broken data is what is wrong");
    result.error = error.message();
  }
  return result;
}

void check_round_trip(std::string_view text, Compression compression, size_t step) {
  std::string packed;
  const auto write = [&](std::string_view bytes) { packed += bytes; };
  const auto encoder = make_encoder(compression, 1);
  for (size_t at = 0; at < text.size(); at += step) encoder->encode(text.substr(at, step), false, write);
  encoder->encode({}, true, write);
  fuzz::insist(compression_of(packed) == compression, "what is written says what it is");
  const fuzz::MemoryFile file(packed);
  const Decoded read = read_all(file.path(), 1 + step % 4096);
  fuzz::insist(read.error.empty() && read.bytes == text, "what is written reads back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const size_t step = size_t{1} + input.byte() * 37;
  const std::string_view bytes = input.rest();
  const fuzz::MemoryFile file(bytes);
  const Decoded pieces = read_all(file.path(), step), whole = read_all(file.path(), size_t{1} << 16);
  const size_t common = std::min({pieces.bytes.size(), whole.bytes.size(), kMost});
  fuzz::insist(pieces.bytes.compare(0, common, whole.bytes, 0, common) == 0, "bytes do not depend on reads");
  if (std::max(pieces.bytes.size(), whole.bytes.size()) < kMost)
    fuzz::insist(pieces.error.empty() == whole.error.empty(), "an error does not depend on reads");
  if (compression_of(bytes) == Compression::kNone)
    fuzz::insist(whole.bytes == bytes && whole.error.empty(), "plain bytes stay unchanged");
  if (step % 4 == 1)  // seldom: an encoder takes much memory
    check_round_trip(bytes.substr(0, 4096), step % 8 == 1 ? Compression::kGzip : Compression::kZstd, step);
  return 0;
}
