#include "fugu/file/compression.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <new>

namespace fugu::inline in_file {
namespace {

const char* name_of(Compression compression) { return compression == Compression::kGzip ? "gzip" : "zstd"; }

Error broken(Compression compression) {
  return Error(ErrorKind::kData, fmt::format("the {} data is broken", name_of(compression)),
               fmt::format("check the file with {} -t, and copy or make it again", name_of(compression)));
}

// zlib counts in unsigned int.
uInt zlib_size(size_t size) {
  return static_cast<uInt>(std::min<size_t>(size, std::numeric_limits<uInt>::max()));
}

Bytef* zlib_bytes(const char* bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes)); }

constexpr int kGzipWindow = 15 + 16;  // the largest window, and gzip's header

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  size_t decode(std::string_view& in, char* to, size_t size) override {
    stream_.next_out = zlib_bytes(to);
    stream_.avail_out = zlib_size(size);
    const uInt room = stream_.avail_out;
    while (!in.empty() && stream_.avail_out == room) {
      if (whole_) inflateReset(&stream_);
      whole_ = false;
      stream_.next_in = zlib_bytes(in.data());
      stream_.avail_in = zlib_size(in.size());
      const uInt given = stream_.avail_in;
      int code = inflate(&stream_, Z_NO_FLUSH);
      in.remove_prefix(given - stream_.avail_in);
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) throw broken(Compression::kGzip);
      whole_ = code == Z_STREAM_END;
    }
    return room - stream_.avail_out;
  }
  bool whole() const override { return whole_; }

 private:
  z_stream stream_ = {};
  bool whole_ = false;
};

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }
  ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

  // Output may wait inside, so it is asked even without input, unless a frame has just ended.
  size_t decode(std::string_view& in, char* to, size_t size) override {
    ZSTD_outBuffer output{to, size, 0};
    do {
      if (in.empty() && whole_) break;
      ZSTD_inBuffer input{in.data(), in.size(), 0};
      const size_t left = ZSTD_decompressStream(stream_, &output, &input);
      if (ZSTD_isError(left)) throw error_of(left);
      in.remove_prefix(input.pos);
      whole_ = left == 0;
    } while (output.pos == 0 && !in.empty());
    return output.pos;
  }
  bool whole() const override { return whole_; }

 private:
  static Error error_of(size_t code) {
    if (ZSTD_getErrorCode(code) != ZSTD_error_frameParameter_windowTooLarge)
      return broken(Compression::kZstd);
    return Error(ErrorKind::kData, "the zstd data needs a window of more than 128 MB",
                 "compress the file again without --long, or decompress it first");
  }

  ZSTD_DStream* stream_;
  bool whole_ = false;
};

}  // namespace

Compression compression_of(std::string_view beginning) {
  if (beginning.starts_with("\x1f\x8b")) return Compression::kGzip;
  if (beginning.starts_with("\x28\xb5\x2f\xfd")) return Compression::kZstd;
  return Compression::kNone;
}

Compression compression_for(std::string_view name) {
  if (name.ends_with(".gz")) return Compression::kGzip;
  if (name.ends_with(".zst")) return Compression::kZstd;
  return Compression::kNone;
}

Error cut_short(Compression compression) {
  return Error(ErrorKind::kData, fmt::format("the {} data ends too soon", name_of(compression)),
               "the file is incomplete; copy or make it again");
}

std::unique_ptr<Decoder> make_decoder(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipDecoder>();
  return std::make_unique<ZstdDecoder>();
}

}  // namespace fugu::inline in_file
