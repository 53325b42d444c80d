// Arrow tables made by hand, for tests: columns of any type, with nulls, offsets and chunks.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/arrow/arrow_build.h"

namespace fugu {

// One column of a chunk: its type and its values, made elsewhere.
struct TestColumn {
  std::string name;
  ArrowType type;
  std::vector<Owned<ArrowArray>> chunks;
};

// An array over buffers of our own with a bitmap of nulls, and `before` values in front that its offset
// hides.
struct HeldArray {
  std::vector<std::vector<char>> buffers;
  std::vector<const void*> pointers;
  Owned<ArrowArray> dictionary;
  std::vector<Owned<ArrowArray>> children;
  std::vector<ArrowArray*> child_pointers;
};

inline Owned<ArrowArray> hold(int64_t length, int64_t offset, std::vector<std::vector<char>> buffers,
                              Owned<ArrowArray> dictionary = {},
                              std::vector<Owned<ArrowArray>> children = {}) {
  auto held = std::make_unique<HeldArray>();
  held->buffers = std::move(buffers);
  held->dictionary = std::move(dictionary);
  held->children = std::move(children);
  for (const auto& buffer : held->buffers) held->pointers.push_back(buffer.empty() ? nullptr : buffer.data());
  for (auto& child : held->children) held->child_pointers.push_back(child.get());
  ArrowArray array{};
  array.length = length;
  array.offset = offset;
  array.null_count = -1;
  array.n_buffers = static_cast<int64_t>(held->pointers.size());
  array.buffers = held->pointers.data();
  array.n_children = static_cast<int64_t>(held->children.size());
  array.children = held->child_pointers.data();
  array.dictionary = held->dictionary->release ? held->dictionary.get() : nullptr;
  array.private_data = held.release();
  array.release = [](ArrowArray* self) {
    delete static_cast<HeldArray*>(self->private_data);
    self->release = nullptr;
  };
  return Owned<ArrowArray>(array);
}

template <class T>
std::vector<char> bytes_of(const std::vector<T>& values) {
  std::vector<char> bytes(values.size() * sizeof(T) + 1);
  std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
  return bytes;
}

inline std::vector<char> bitmap(const std::vector<bool>& set) {
  std::vector<char> bits(set.size() / 8 + 1, 0);
  for (size_t k = 0; k < set.size(); ++k)
    if (set[k]) bits[k / 8] = static_cast<char>(bits[k / 8] | 1 << (k % 8));
  return bits;
}

// Texts, absent ones null, laid out as `type` says, after `before` hidden ones.
inline Owned<ArrowArray> text_array(const std::vector<std::optional<std::string>>& texts,
                                    const ArrowType& type, size_t before = 0) {
  std::vector<std::optional<std::string>> all(before, "hidden");
  all.insert(all.end(), texts.begin(), texts.end());
  std::vector<bool> valid;
  for (const auto& text : all) valid.push_back(text.has_value());
  const auto length = static_cast<int64_t>(texts.size()), offset = static_cast<int64_t>(before);
  if (type.is_dictionary()) {
    // A dictionary of the distinct texts, the last first.
    std::vector<std::string> words;
    std::vector<int8_t> codes;
    for (const auto& text : all) {
      const std::string word = text.value_or("");
      auto found = std::find(words.begin(), words.end(), word);
      if (found == words.end()) found = words.insert(words.end(), word);
      codes.push_back(static_cast<int8_t>(found - words.begin()));
    }
    return hold(length, offset, {bitmap(valid), bytes_of(codes)}, make_texts(words, ArrowType::kShort));
  }
  std::vector<char> data;
  if (type.texts == ArrowType::kViews) {
    std::vector<char> views(16 * all.size() + 1, 0);
    for (size_t k = 0; k < all.size(); ++k) {
      const std::string text = all[k].value_or("");
      const auto size = static_cast<int32_t>(text.size()), at = static_cast<int32_t>(data.size());
      char* view = views.data() + 16 * k;
      std::memcpy(view, &size, 4);
      if (text.size() <= 12) {
        text.copy(view + 4, text.size());
      } else {
        std::memcpy(view + 4, text.data(), 4);
        std::memcpy(view + 12, &at, 4);
        data.insert(data.end(), text.begin(), text.end());
      }
    }
    data.push_back(0);
    return hold(
        length, offset,
        {bitmap(valid), views, data, bytes_of(std::vector<int64_t>{static_cast<int64_t>(data.size())})});
  }
  std::vector<int32_t> ends{0};
  std::vector<int64_t> large{0};
  for (const auto& text : all) {
    const std::string word = text.value_or("");
    data.insert(data.end(), word.begin(), word.end());
    ends.push_back(static_cast<int32_t>(data.size()));
    large.push_back(static_cast<int64_t>(data.size()));
  }
  data.push_back(0);
  return hold(length, offset,
              {bitmap(valid), type.texts == ArrowType::kLarge ? bytes_of(large) : bytes_of(ends), data});
}

// A stream of these columns, which must have the same chunks.
class TestStream {
 public:
  explicit TestStream(std::vector<TestColumn> columns) : columns_(std::move(columns)) {
    stream_.private_data = this;
    stream_.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      of(self).schema(out);
      return 0;
    };
    stream_.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      of(self).next(out);
      return 0;
    };
    stream_.get_last_error = [](ArrowArrayStream*) -> const char* { return ""; };
    stream_.release = [](ArrowArrayStream* self) { self->release = nullptr; };
  }
  ArrowArrayStream& get() { return stream_; }

 private:
  static TestStream& of(ArrowArrayStream* self) { return *static_cast<TestStream*>(self->private_data); }

  struct HeldSchema {
    std::vector<Owned<ArrowSchema>> schemas;
    std::vector<ArrowSchema*> pointers;
  };

  void schema(ArrowSchema* out) {
    auto held = std::make_unique<HeldSchema>();
    for (const TestColumn& column : columns_) held->schemas.push_back(make_schema(column.type, column.name));
    for (auto& schema : held->schemas) held->pointers.push_back(schema.get());
    *out = {};
    out->format = "+s";
    out->name = "";
    out->n_children = static_cast<int64_t>(held->pointers.size());
    out->children = held->pointers.data();
    out->private_data = held.release();
    out->release = [](ArrowSchema* self) {
      delete static_cast<HeldSchema*>(self->private_data);
      self->release = nullptr;
    };
  }

  void next(ArrowArray* out) {
    *out = {};
    if (chunk_ == columns_.front().chunks.size()) return;
    std::vector<Owned<ArrowArray>> children;
    for (TestColumn& column : columns_) children.push_back(std::move(column.chunks[chunk_]));
    const int64_t length = children.front()->length;
    *out = hold(length, 0, {{}}, {}, std::move(children)).take();
    ++chunk_;
  }

  std::vector<TestColumn> columns_;
  size_t chunk_ = 0;
  ArrowArrayStream stream_{};
};

}  // namespace fugu
