#include "fugu/file/byte_sink.h"

#include <tbb/task_arena.h>

#include "fugu/file/atomic_file.h"

namespace fugu::inline in_file {
namespace {

constexpr size_t kSmall = size_t{64} << 10;  // what is shorter is gathered first

std::unique_ptr<Encoder> encoder_for(Compression compression) {
  if (compression == Compression::kNone) return nullptr;
  return make_encoder(compression, static_cast<size_t>(tbb::this_task_arena::max_concurrency()));
}

}  // namespace

FileSink::FileSink(int file, std::string name, Compression compression, Sha256* digest)
    : file_(file), name_(std::move(name)), digest_(digest), encoder_(encoder_for(compression)) {}

FileSink::~FileSink() = default;

void FileSink::write_out(std::string_view bytes) {
  write_all(file_, bytes.data(), bytes.size(), name_);
  if (digest_) digest_->add(bytes);
}

void FileSink::write(std::string_view bytes) {
  bytes_in_ += bytes.size();
  if (encoder_) {
    encoder_->encode(bytes, false, [this](std::string_view out) { write_out(out); });
    return;
  }
  if (small_.size() + bytes.size() < kSmall) {
    small_ += bytes;
    return;
  }
  write_out(small_);
  small_.clear();
  write_out(bytes);
}

void FileSink::finish() {
  if (encoder_) encoder_->encode({}, true, [this](std::string_view out) { write_out(out); });
  write_out(small_);
  small_.clear();
}

}  // namespace fugu::inline in_file
