#include "fugu/file/encoder.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fugu/file/compression.h"

namespace fugu {
namespace {

constexpr size_t kBlock = size_t{256} << 10;

std::string encoded(const std::string& text, Compression compression, size_t threads, size_t step) {
  std::string out;
  const auto write = [&](std::string_view bytes) { out += bytes; };
  const auto encoder = make_encoder(compression, threads);
  for (size_t at = 0; at < text.size(); at += step)
    encoder->encode(std::string_view(text).substr(at, step), false, write);
  encoder->encode({}, true, write);
  return out;
}

std::string decoded(std::string_view bytes, Compression compression) {
  const auto decoder = make_decoder(compression);
  std::string text, part(size_t{1} << 16, '\0');
  while (size_t size = decoder->decode(bytes, part.data(), part.size())) text.append(part, 0, size);
  EXPECT_TRUE(decoder->whole() && bytes.empty());
  return text;
}

// Repeats from afar and nearby, and what does not repeat.
std::string some_text(size_t size) {
  std::string text;
  for (uint64_t k = 0; text.size() < size; ++k)
    text += fmt::format("{},{}\n", k * k % 17, k * 0x9E3779B97F4A7C15 % 1000000);
  text.resize(size);
  return text;
}

// The bytes that the first member or frame takes.
size_t first_of(const std::string& bytes, Compression compression) {
  if (compression == Compression::kZstd) return ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::vector<Bytef> out(size_t{1} << 16);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    code = inflate(&stream, Z_NO_FLUSH);
  }
  EXPECT_EQ(code, Z_STREAM_END);
  const size_t taken = bytes.size() - stream.avail_in;
  inflateEnd(&stream);
  return taken;
}

TEST(Encoder, WritesOneMemberOrFrameThatReadsBack) {
  for (const size_t size :
       {size_t{0}, size_t{1}, kBlock - 1, kBlock, kBlock + 1, 4 * kBlock, 4 * kBlock + 7, 9 * kBlock + 1}) {
    const std::string text = some_text(size);
    for (const Compression compression : {Compression::kGzip, Compression::kZstd}) {
      for (const size_t threads : {1, 2}) {
        const std::string bytes = encoded(text, compression, threads, 70'001);
        EXPECT_EQ(compression_of(bytes), compression);
        EXPECT_EQ(first_of(bytes, compression), bytes.size()) << size << " bytes, threads " << threads;
        EXPECT_TRUE(decoded(bytes, compression) == text) << size << " bytes, threads " << threads;
      }
    }
  }
}

TEST(Encoder, WritesTheSameHoweverTheBytesComeAndOnHoweverManyThreads) {
  for (const size_t size : {size_t{5}, 9 * kBlock + 3}) {
    const std::string text = some_text(size);
    const std::string gzip = encoded(text, Compression::kGzip, 1, size);
    const std::string zstd = encoded(text, Compression::kZstd, 2, size);
    for (const size_t step : {size_t{12'345}, kBlock, size}) {
      for (const size_t threads : {2, 5}) {
        EXPECT_TRUE(encoded(text, Compression::kGzip, threads, step) == gzip) << size << " " << step;
        EXPECT_TRUE(encoded(text, Compression::kZstd, threads, step) == zstd) << size << " " << step;
      }
    }
  }
}

// A block may point back to the one before it.
TEST(Encoder, LosesLittleByGoingInBlocks) {
  const std::string text = some_text(20 * kBlock);
  std::vector<Bytef> whole(compressBound(text.size()));
  uLongf size = whole.size();
  ASSERT_EQ(compress(whole.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size()), Z_OK);
  EXPECT_LT(encoded(text, Compression::kGzip, 2, kBlock).size(), size + size / 500);
}

}  // namespace
}  // namespace fugu
