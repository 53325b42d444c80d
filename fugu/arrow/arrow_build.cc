#include "fugu/arrow/arrow_build.h"

#include <fmt/format.h>

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace fugu::inline in_arrow {
namespace {

// What an array of ours holds besides its structure.
struct Held {
  std::vector<ArrowBuffer> buffers;
  std::vector<const void*> pointers;
  ArrowArray dictionary{};
};

struct HeldType {
  std::string format, name;
  ArrowSchema dictionary{};
};

void release_array(ArrowArray* array) {
  auto* held = static_cast<Held*>(array->private_data);
  if (held->dictionary.release) held->dictionary.release(&held->dictionary);
  delete held;
  array->release = nullptr;
}

void release_schema(ArrowSchema* schema) {
  auto* held = static_cast<HeldType*>(schema->private_data);
  if (held->dictionary.release) held->dictionary.release(&held->dictionary);
  delete held;
  schema->release = nullptr;
}

std::string sized(const char* letters, int bytes, int first) {
  int at = 0;
  while (first << at < bytes) ++at;
  return {letters[at]};
}

std::string format_of(const ArrowType& type) {
  switch (type.kind) {
    case ArrowType::kNull:
      return "n";
    case ArrowType::kBool:
      return "b";
    case ArrowType::kInt:
      return sized("csil", type.bytes, 1);
    case ArrowType::kUint:
      return sized("CSIL", type.bytes, 1);
    case ArrowType::kFloat:
      return type.bytes == 4 ? "f" : "g";
    case ArrowType::kDecimal:
      return fmt::format("d:{},{}", type.precision, type.scale);
    case ArrowType::kDate:
      return type.ticks == 'D' ? "tdD" : type.ticks == 'M' ? "tdm" : fmt::format("ts{}:", type.ticks);
    case ArrowType::kText:
      break;
  }
  return type.texts == ArrowType::kLarge ? "U" : type.texts == ArrowType::kViews ? "vu" : "u";
}

}  // namespace

// A large one comes in large pages, of which the system clears few.
ArrowBuffer::ArrowBuffer(size_t bytes) {
  constexpr size_t kPage = size_t{2} << 20;
  const size_t unit = bytes < 8 * kPage ? 64 : kPage;
  const size_t size = (bytes + 63 + unit) / unit * unit;
  data_ = std::aligned_alloc(unit, size);
  if (!data_) throw std::bad_alloc();
  if (unit == kPage) madvise(data_, size, MADV_HUGEPAGE);  // only advice: no matter when it fails
}
ArrowBuffer::ArrowBuffer(ArrowBuffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
ArrowBuffer& ArrowBuffer::operator=(ArrowBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  return *this;
}
ArrowBuffer::~ArrowBuffer() { std::free(data_); }

Owned<ArrowArray> make_array(int64_t length, std::vector<ArrowBuffer> buffers,
                             Owned<ArrowArray>* dictionary) {
  auto held = std::make_unique<Held>();
  held->buffers = std::move(buffers);
  held->pointers.push_back(nullptr);
  for (const ArrowBuffer& buffer : held->buffers) held->pointers.push_back(buffer.data());
  if (dictionary) held->dictionary = dictionary->take();
  ArrowArray array{};
  array.length = length;
  array.n_buffers = static_cast<int64_t>(held->pointers.size());
  array.buffers = held->pointers.data();
  array.dictionary = dictionary ? &held->dictionary : nullptr;
  array.release = release_array;
  array.private_data = held.release();
  return Owned<ArrowArray>(array);
}

Owned<ArrowSchema> make_schema(const ArrowType& type, const std::string& name) {
  auto held = std::make_unique<HeldType>();
  held->name = name;
  held->format = format_of(type);
  ArrowSchema schema{};
  schema.flags = kArrowNullable;
  if (type.is_dictionary()) {
    ArrowType values = type;
    values.index_bytes = 0;
    held->dictionary = make_schema(values, "").take();
    held->format = sized(type.index_unsigned ? "CSIL" : "csil", type.index_bytes, 1);
    schema.dictionary = &held->dictionary;
    if (type.ordered) schema.flags |= kArrowDictionaryOrdered;
  }
  schema.format = held->format.c_str();
  schema.name = held->name.c_str();
  schema.release = release_schema;
  schema.private_data = held.release();
  return Owned<ArrowSchema>(schema);
}

Owned<ArrowArray> make_texts(const std::vector<std::string>& texts, ArrowType::Texts layout) {
  size_t size = 0;
  for (const std::string& text : texts) size += text.size();
  std::vector<ArrowBuffer> buffers;
  const bool large = layout == ArrowType::kLarge;
  buffers.emplace_back((texts.size() + 1) * (large ? 8 : 4));
  buffers.emplace_back(size);
  int64_t at = 0;
  auto offset = [&](size_t k) {
    if (large) {
      buffers[0].as<int64_t>()[k] = at;
    } else {
      buffers[0].as<int32_t>()[k] = static_cast<int32_t>(at);
    }
  };
  for (size_t k = 0; k < texts.size(); ++k) {
    offset(k);
    std::memcpy(buffers[1].as<char>() + at, texts[k].data(), texts[k].size());
    at += static_cast<int64_t>(texts[k].size());
  }
  offset(texts.size());
  return make_array(static_cast<int64_t>(texts.size()), std::move(buffers));
}

}  // namespace fugu::inline in_arrow
