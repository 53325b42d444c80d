#include "fugu/file/encoder.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

namespace fugu::inline in_file {
namespace {

constexpr size_t kBlock = size_t{256} << 10;  // of gzip, for one thread at a time
constexpr size_t kBlocksEach = 4;             // so that no thread waits long for the slowest
constexpr size_t kWindow = size_t{32} << 10;  // how far back deflate looks
constexpr size_t kJob = size_t{1} << 20;      // of zstd, for one thread at a time
constexpr size_t kOutputSize = size_t{256} << 10;

// A block's part of a deflate stream, which ends on a whole byte.
struct Part {
  std::string_view before, text;  // what it may point back to, and what it holds
  bool last = false;
  std::string out = {};
  uLong sum = 0;

  static Bytef* zlib(const char* bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes)); }

  void deflate_it() {
    z_stream stream = {};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
    deflateSetDictionary(&stream, zlib(before.data()), static_cast<uInt>(before.size()));
    // With room for the empty block that makes the bytes whole, one call does it all.
    out.resize(deflateBound(&stream, text.size()) + 16);
    stream.next_in = zlib(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = zlib(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int code = deflate(&stream, last ? Z_FINISH : Z_SYNC_FLUSH);
    out.resize(out.size() - stream.avail_out);
    deflateEnd(&stream);
    if (code != (last ? Z_STREAM_END : Z_OK)) throw std::bad_alloc();  // nothing else can go wrong
    sum = crc32(crc32(0, nullptr, 0), zlib(text.data()), static_cast<uInt>(text.size()));
  }
};

// Blocks of the text become parts of one stream, each on any thread.
class GzipEncoder final : public Encoder {
 public:
  explicit GzipEncoder(size_t threads) : most_(threads * kBlocksEach * kBlock) {}

  void encode(std::string_view bytes, bool last, const Write& write) override {
    while (!bytes.empty()) {
      const std::string_view some = bytes.substr(0, most_ - waiting());
      text_ += some;
      bytes.remove_prefix(some.size());
      if (waiting() == most_) write_parts(false, write);
    }
    if (!last) return;
    write_parts(true, write);
    std::string end;
    for (const uLong number : {sum_, size_}) {
      for (int shift = 0; shift < 32; shift += 8) end += static_cast<char>(number >> shift & 0xFF);
    }
    write(end);
  }

 private:
  size_t waiting() const { return text_.size() - before_; }

  // All of the text that waits, and an empty part at an end on a whole block: where a part ends does not
  // depend on how many go together.
  void write_parts(bool last, const Write& write) {
    if (!begun_) write({"\x1f\x8b\x08\0\0\0\0\0\0\x03", 10});  // no name, no time, from Unix
    begun_ = true;
    parts_.resize(waiting() / kBlock + (last ? 1 : 0));
    for (size_t k = 0; k < parts_.size(); ++k) {
      const size_t begin = before_ + k * kBlock, back = std::min(begin, kWindow);
      parts_[k].before = std::string_view(text_).substr(begin - back, back);
      parts_[k].text = std::string_view(text_).substr(begin, kBlock);
      parts_[k].last = last && k + 1 == parts_.size();
    }
    // While it waits, this thread must not take on tasks of its callers.
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(size_t{0}, parts_.size(), [&](size_t k) { parts_[k].deflate_it(); }); });
    for (const Part& part : parts_) {
      write(part.out);
      sum_ = crc32_combine(sum_, part.sum, static_cast<z_off_t>(part.text.size()));
      size_ += part.text.size();
    }
    text_.erase(0, text_.size() - std::min(text_.size(), kWindow));
    before_ = text_.size();
  }

  size_t most_;
  std::string text_;   // the window before what waits, and that
  size_t before_ = 0;  // the window's bytes
  std::vector<Part> parts_;
  bool begun_ = false;
  uLong sum_ = 0, size_ = 0;
};

class ZstdEncoder final : public Encoder {
 public:
  explicit ZstdEncoder(size_t threads) : stream_(ZSTD_createCStream()), output_(kOutputSize) {
    if (!stream_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1);
    // A libzstd that was built without threads refuses that, and does with one.
    if (threads == 1 ||
        ZSTD_isError(ZSTD_CCtx_setParameter(stream_, ZSTD_c_nbWorkers, static_cast<int>(threads))))
      return;
    ZSTD_CCtx_setParameter(stream_, ZSTD_c_jobSize, static_cast<int>(kJob));
  }
  ~ZstdEncoder() override { ZSTD_freeCStream(stream_); }
  ZstdEncoder(const ZstdEncoder&) = delete;
  ZstdEncoder& operator=(const ZstdEncoder&) = delete;

  void encode(std::string_view bytes, bool last, const Write& write) override {
    // Never from the first call to the last in one: libzstd would cut jobs by the number of threads.
    if (last && !bytes.empty()) encode(bytes, false, write);
    ZSTD_inBuffer input{bytes.data(), last ? 0 : bytes.size(), 0};
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

std::unique_ptr<Encoder> make_encoder(Compression compression, size_t threads) {
  if (compression == Compression::kGzip) return std::make_unique<GzipEncoder>(threads);
  return std::make_unique<ZstdEncoder>(threads);
}

}  // namespace fugu::inline in_file
