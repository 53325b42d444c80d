#include "fugu/file/compression.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

namespace fugu::inline in_file {
namespace {

constexpr size_t kOutputSize = size_t{256} << 10;

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

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder() : output_(kOutputSize) {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipEncoder() override { deflateEnd(&stream_); }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;

  void encode(std::string_view bytes, bool last, const Write& write) override {
    for (;;) {
      stream_.next_in = zlib_bytes(bytes.data());
      stream_.avail_in = zlib_size(bytes.size());
      stream_.next_out = zlib_bytes(output_.data());
      stream_.avail_out = zlib_size(output_.size());
      const uInt given = stream_.avail_in;
      const bool end = last && given == bytes.size();
      const int code = deflate(&stream_, end ? Z_FINISH : Z_NO_FLUSH);
      bytes.remove_prefix(given - stream_.avail_in);
      const size_t size = output_.size() - stream_.avail_out;
      if (size > 0) write({output_.data(), size});
      if (end ? code == Z_STREAM_END : bytes.empty() && stream_.avail_out > 0) return;
    }
  }

 private:
  z_stream stream_ = {};
  std::vector<char> output_;
};

class ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder() : stream_(ZSTD_createCStream()), output_(kOutputSize) {
    if (!stream_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdEncoder() override { ZSTD_freeCStream(stream_); }
  ZstdEncoder(const ZstdEncoder&) = delete;
  ZstdEncoder& operator=(const ZstdEncoder&) = delete;

  void encode(std::string_view bytes, bool last, const Write& write) override {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer output{output_.data(), output_.size(), 0};
      const size_t left = ZSTD_compressStream2(stream_, &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) throw std::bad_alloc();  // nothing else can go wrong
      if (output.pos > 0) write({output_.data(), output.pos});
      if (last ? left == 0 : input.pos == input.size) return;
    }
  }

 private:
  ZSTD_CStream* stream_;
  std::vector<char> output_;
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
               "the file is not whole; copy or make it again");
}

std::unique_ptr<Decoder> make_decoder(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipDecoder>();
  return std::make_unique<ZstdDecoder>();
}

std::unique_ptr<Encoder> make_encoder(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipEncoder>();
  return std::make_unique<ZstdEncoder>();
}

}  // namespace fugu::inline in_file
