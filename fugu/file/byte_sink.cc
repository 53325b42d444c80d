#include "fugu/file/byte_sink.h"

#include "fugu/file/atomic_file.h"

namespace fugu::inline in_file {
namespace {

constexpr size_t kSmall = size_t{64} << 10;  // what is shorter is gathered first

}  // namespace

FileSink::FileSink(int file, std::string name, Compression compression)
    : file_(file),
      name_(std::move(name)),
      encoder_(compression == Compression::kNone ? nullptr : make_encoder(compression)) {}

FileSink::~FileSink() = default;

void FileSink::write_out(std::string_view bytes) { write_all(file_, bytes.data(), bytes.size(), name_); }

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
