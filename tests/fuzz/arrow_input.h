// Arrow tables made of a fuzzer's bytes: every buffer exactly as long as the interface says it must be, so
// that a sanitizer sees a read beyond it. What a reader can check may be wrong: formats, counts of buffers
// and children, lengths, codes, offsets below 0 or in disorder, null pointers.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "fugu/arrow/arrow_abi.h"
#include "tests/fuzz/fuzz.h"

namespace fugu::fuzz {

class ArrowInput {
 public:
  explicit ArrowInput(Input& input) : input_(input) {
    plain_ = (input_.byte() & 1) != 0;
    const size_t columns = 1 + input_.byte() % 3, chunks = input_.byte() % 3;
    for (size_t k = 0; k < columns; ++k) columns_.push_back(make_column());
    schema_ = make_schema();
    for (size_t k = 0; k < chunks; ++k) chunks_.push_back(make_chunk());
  }

  // The same table as often as wanted, as long as this lives.
  ArrowArrayStream stream() {
    next_ = 0;
    ArrowArrayStream stream{};
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      *out = of(self).schema_;
      ++of(self).held_;
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      ArrowInput& made = of(self);
      *out = made.next_ < made.chunks_.size() ? made.chunks_[made.next_++] : ArrowArray{};
      made.held_ += out->release ? 1 : 0;
      return 0;
    };
    stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
    stream.release = [](ArrowArrayStream* self) {
      --of(self).held_;
      self->release = nullptr;
    };
    ++held_;
    return stream;
  }
  int held() const { return held_; }  // what was handed out and not released
  size_t columns() const { return columns_.size(); }

 private:
  struct Column {
    const char* format;
    const char* codes;  // of a dictionary; null where there is none
    const char* name;
    const char* metadata;
  };

  static ArrowInput& of(ArrowArrayStream* self) { return *static_cast<ArrowInput*>(self->private_data); }

  bool wrong() { return !plain_ && input_.byte() >= 0xF0; }

  const char* text(std::string_view bytes) { return texts_.emplace_back(bytes).c_str(); }

  Column make_column() {
    constexpr const char* kFormats[] = {"c", "C",      "s",       "S",          "i",   "I",  "l",
                                        "L", "f",      "g",       "u",          "U",   "vu", "b",
                                        "n", "d:10,2", "d:38,-3", "d:5,38,128", "tdD", "+s"};
    constexpr const char* kCodes[] = {"c", "C", "s", "S", "i", "I", "l", "L"};
    Column column{};
    const uint8_t format = input_.byte();
    column.format = format == 255 ? text(input_.until('\0')) : kFormats[format % std::size(kFormats)];
    const uint8_t codes = input_.byte();
    if (codes & 8) column.codes = kCodes[codes % 8];
    if (codes & 16) column.metadata = make_metadata();
    column.name = codes & 32 ? nullptr : text(input_.until('\0'));
    if (wrong()) column.format = nullptr;
    return column;
  }

  // One key and its value.
  const char* make_metadata() {
    const std::string key = input_.byte() & 1 ? "ARROW:extension:name" : std::string(input_.take(3));
    const int32_t sizes[] = {1, static_cast<int32_t>(key.size()), 2};
    std::string bytes(reinterpret_cast<const char*>(sizes), 8);
    bytes += key + std::string(reinterpret_cast<const char*>(sizes + 2), 4) + "ab";
    return text(bytes);
  }

  ArrowSchema make_schema() {
    std::vector<ArrowSchema*> pointers;
    for (const Column& column : columns_) {
      ArrowSchema& schema = schemas_.emplace_back();
      schema.format = column.codes ? column.codes : column.format;
      schema.name = column.name;
      schema.metadata = column.metadata;
      if (column.codes) {
        schema.dictionary = &schemas_.emplace_back();
        schema.dictionary->format = column.format;
      }
      pointers.push_back(wrong() ? nullptr : &schema);
    }
    ArrowSchema table{};
    table.format = "+s";
    table.n_children = static_cast<int64_t>(columns_.size());
    table.children = keep(pointers);
    if (wrong()) table.n_children = static_cast<int8_t>(input_.byte());
    if (table.n_children > static_cast<int64_t>(columns_.size()))
      table.n_children = static_cast<int64_t>(columns_.size());
    if (wrong()) table.children = nullptr;
    return released_by_count(table);
  }

  ArrowArray make_chunk() {
    const int64_t rows = input_.byte() % 20, offset = input_.byte() % 4;
    std::vector<ArrowArray*> pointers;
    for (const Column& column : columns_) {
      ArrowArray& array = arrays_.emplace_back(make_array(column, rows + offset));
      if (wrong()) array.length = rows / 2;
      pointers.push_back(wrong() ? nullptr : &array);
    }
    ArrowArray chunk{};
    chunk.length = wrong() ? -rows : rows;
    chunk.offset = wrong() ? -offset : offset;
    chunk.n_children = static_cast<int64_t>(columns_.size());
    chunk.children = wrong() ? nullptr : keep(pointers);
    if (wrong()) chunk.n_children = static_cast<int64_t>(columns_.size()) - 1;
    return released_by_count(chunk);
  }

  ArrowArray make_array(const Column& column, int64_t rows) {
    if (!column.codes) return make_values(column.format, rows);
    ArrowArray codes = make_values(column.codes, rows);
    const int64_t words = input_.byte() % 8;
    codes.dictionary = &arrays_.emplace_back(make_values(column.format, words));
    if (wrong()) codes.dictionary->length = -1;
    if (wrong()) codes.dictionary = nullptr;
    return codes;
  }

  ArrowArray make_values(const char* named, int64_t rows) {
    const std::string_view format = named ? named : "n";
    ArrowArray array{};
    array.length = rows;
    array.offset = input_.byte() % 4;
    const auto all = static_cast<size_t>(rows + array.offset);
    const uint8_t nulls = input_.byte();
    array.null_count = nulls % 3 == 0 ? 0 : -1;
    std::vector<const void*> buffers;
    if (format != "n") buffers.push_back(nulls & 4 ? bytes((all + 7) / 8) : nullptr);
    if (format == "u") {
      add_texts<int32_t>(buffers, all);
    } else if (format == "U") {
      add_texts<int64_t>(buffers, all);
    } else if (format == "vu") {
      add_views(buffers, all);
    } else if (format == "b") {
      buffers.push_back(bytes((all + 7) / 8));
    } else if (format != "n") {
      buffers.push_back(bytes(all * width(format)));
    }
    for (const void*& buffer : buffers)
      if (wrong()) buffer = nullptr;
    array.n_buffers = static_cast<int64_t>(buffers.size());
    array.buffers = keep(buffers);
    if (wrong()) array.n_buffers = std::min<int64_t>(array.n_buffers, static_cast<int8_t>(input_.byte()));
    if (wrong()) array.buffers = nullptr;
    if (wrong()) array.offset = -array.offset - 1;
    if (wrong()) array.length = -rows;
    return array;
  }

  static size_t width(std::string_view format) {
    constexpr std::string_view kOne = "cC", kTwo = "sSe", kFour = "iIf", kEight = "lLg";
    const char first = format.empty() ? 'c' : format[0];
    if (kOne.find(first) != std::string_view::npos) return 1;
    if (kTwo.find(first) != std::string_view::npos) return 2;
    if (kFour.find(first) != std::string_view::npos) return 4;
    return kEight.find(first) != std::string_view::npos ? 8 : 16;
  }

  // Offsets within the data, in order unless the input says otherwise.
  template <class Offset>
  void add_texts(std::vector<const void*>& buffers, size_t all) {
    const auto size = static_cast<Offset>(input_.byte() % 64);
    std::vector<Offset> offsets{0};
    for (size_t k = 0; k < all; ++k) {
      Offset next = std::min<Offset>(size, offsets.back() + static_cast<Offset>(input_.byte() % 8));
      if (wrong()) next = std::min<Offset>(size, static_cast<int8_t>(input_.byte()));
      offsets.push_back(next);
    }
    buffers.push_back(copy(offsets.data(), offsets.size() * sizeof(Offset)));
    buffers.push_back(bytes(static_cast<size_t>(size)));
  }

  void add_views(std::vector<const void*>& buffers, size_t all) {
    const auto size = static_cast<int64_t>(input_.byte() % 64);
    std::string views;
    for (size_t k = 0; k < all; ++k) {
      int32_t view[4] = {input_.byte() % 20, input_.number<int32_t>(), 0, input_.byte() % 48};
      if (view[0] > 12 && view[0] + view[3] > size) view[0] = 12;
      if (wrong()) view[0] = static_cast<int8_t>(input_.byte());
      if (wrong()) view[2] = static_cast<int8_t>(input_.byte());
      if (wrong()) view[3] = input_.number<int32_t>();
      views.append(reinterpret_cast<const char*>(view), sizeof view);
    }
    buffers.push_back(copy(views.data(), views.size()));
    buffers.push_back(bytes(static_cast<size_t>(size)));
    buffers.push_back(copy(&size, sizeof size));
  }

  const void* copy(const void* from, size_t size) {
    auto& held = memory_.emplace_back(new char[size]);
    if (size > 0) std::memcpy(held.get(), from, size);
    return held.get();
  }
  // From the input, then zeros.
  const void* bytes(size_t size) {
    std::string held(input_.take(size));
    held.resize(size);
    return copy(held.data(), size);
  }
  template <class T>
  T* keep(const std::vector<T>& values) {
    return const_cast<T*>(static_cast<const T*>(copy(values.data(), values.size() * sizeof(T))));
  }

  template <class Struct>
  Struct released_by_count(Struct made) {
    made.private_data = this;
    made.release = [](Struct* self) {
      --static_cast<ArrowInput*>(self->private_data)->held_;
      self->release = nullptr;
    };
    return made;
  }

  Input& input_;
  bool plain_ = false;  // nothing is wrong with it
  std::deque<std::string> texts_;
  std::deque<ArrowSchema> schemas_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::unique_ptr<char[]>> memory_;
  std::vector<Column> columns_;
  ArrowSchema schema_{};
  std::vector<ArrowArray> chunks_;
  size_t next_ = 0;
  int held_ = 0;
};

}  // namespace fugu::fuzz
