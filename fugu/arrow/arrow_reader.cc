#include "fugu/arrow/arrow_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "fugu/arrow/arrow_check.h"
#include "fugu/core/date.h"
#include "fugu/core/error.h"
#include "fugu/table/hot.h"

namespace fugu::inline in_arrow {
namespace {

constexpr uint32_t kNoCode = UINT32_MAX;

template <class Number>
uint64_t raw_of(Number value) {
  if constexpr (std::is_same_v<Number, float>) {
    return std::bit_cast<uint32_t>(value);
  } else if constexpr (std::is_same_v<Number, double>) {
    return std::bit_cast<uint64_t>(value);
  } else {
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

template <class Number>
std::string written(Number value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// The digits of a decimal128, with the point where its scale puts it.
std::string decimal_text(const void* from, int scale) {
  __int128 value = 0;
  std::memcpy(&value, from, sizeof value);
  const bool negative = value < 0;
  auto rest = negative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  std::string digits;
  for (; rest > 0; rest /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (scale < 0) {
    if (!digits.empty()) digits.append(static_cast<size_t>(-scale), '0');
    scale = 0;
  }
  const auto places = static_cast<size_t>(scale);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, 1, '.');
  return negative ? "-" + digits : digits;
}

Error broken_texts(const char* what) { return Error(ErrorKind::kData, what, "make the column again"); }

// Lengths that contradict each other are no texts; where a buffer ends the interface does not say.
std::string_view text_between(const char* data, int64_t begin, int64_t end) {
  if (begin < 0 || end < begin) throw broken_texts("the column's texts have lengths below 0");
  if (begin == end) return {};
  if (!data) throw broken_texts("the column's texts are missing");
  return {data + begin, static_cast<size_t>(end - begin)};
}

// The last buffer says how long those are that hold the texts of views.
std::string_view text_behind(const ArrowArray& array, int64_t buffer, int64_t offset, int64_t size) {
  const int64_t buffers = array.n_buffers - 3;
  const auto* sizes = static_cast<const int64_t*>(array.buffers[array.n_buffers - 1]);
  if (buffer < 0 || buffer >= buffers || !sizes || offset < 0 || offset > sizes[buffer] - size)
    throw broken_texts("the column's texts lie outside its buffers");
  return text_between(static_cast<const char*>(array.buffers[2 + buffer]), offset, offset + size);
}

// The 16 bytes of a view hold its size, and the text itself or where it lies.
struct View {
  std::array<uint64_t, 2> words;
  std::array<int32_t, 4> parts;  // size; of a long text its beginning, its buffer, and where in it

  explicit View(const void* from) {
    std::memcpy(words.data(), from, 16);
    std::memcpy(parts.data(), from, 16);
  }
  bool is_short() const { return parts[0] >= 0 && parts[0] <= 12; }
};

// A text of up to 15 bytes and its length: no two have the same words. Precondition: 16 bytes may be read.
std::array<uint64_t, 2> words_of(const char* text, uint64_t size) {
  std::array<uint64_t, 2> words{};
  if constexpr (std::endian::native != std::endian::little) {
    std::memcpy(words.data(), text, size);
    return {words[0], words[1] | size};
  }
  std::memcpy(words.data(), text, 16);
  // A shift by 64 would be none.
  const uint64_t low = size >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1;
  const uint64_t high = size > 8 ? (uint64_t{1} << (8 * (size - 8))) - 1 : 0;
  return {words[0] & low, (words[1] & high) | size << 56};
}

}  // namespace

ArrowReader::ArrowReader(const ArrowType& type, TableName name, std::string place)
    : type_(type), name_(std::move(name)), place_(std::move(place)) {}

uint32_t ArrowReader::number_of_text(std::string_view text, uint64_t row) {
  if (text.find('\0') != std::string_view::npos) {
    throw Error(ErrorKind::kData, name_.row(row) + ", " + place_ + ": the text holds a NUL",
                "remove it from the text");
  }
  return static_cast<uint32_t>(texts_.add(text, row));
}

// "2024-03-31"; with a time of day "2024-03-31 12:30:00.250000000".
std::string ArrowReader::date_of_raw(int64_t ticks, uint64_t row) const {
  const int64_t each = type_.ticks_per_day();
  const int64_t day = ticks / each - (ticks % each < 0 ? 1 : 0), rest = ticks - day * each;
  if (day < kFirstDay || day > kLastDay) {
    throw Error(ErrorKind::kData,
                name_.row(row) + ", " + place_ + ": the date lies outside the years 1 to 9999",
                "correct it, or make it null");
  }
  const std::string date = date_text(day, DateForm::kIso);
  if (rest == 0) return date;
  const int64_t per_second = each / 86400, seconds = rest / per_second, parts = rest % per_second;
  std::string text =
      fmt::format("{} {:02}:{:02}:{:02}", date, seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (parts == 0) return text;
  return text + fmt::format(".{:0{}}", parts, per_second == 1000 ? 3 : per_second == 1'000'000 ? 6 : 9);
}

std::string ArrowReader::text_of_raw(uint64_t raw, uint64_t row) const {
  if (type_.kind == ArrowType::kInt) return written(static_cast<int64_t>(raw));
  if (type_.kind == ArrowType::kUint) return written(raw);
  if (type_.kind == ArrowType::kDate) return date_of_raw(static_cast<int64_t>(raw), row);
  const double value =
      type_.bytes == 4 ? std::bit_cast<float>(static_cast<uint32_t>(raw)) : std::bit_cast<double>(raw);
  if (!std::isfinite(value)) {
    throw Error(ErrorKind::kData, name_.row(row) + ", " + place_ + ": the value is not a finite number",
                "replace NaN and infinity by nulls, and say what missing values do: missing=\"drop\"");
  }
  if (value == 0) return "0";
  return type_.bytes == 4 ? written(std::bit_cast<float>(static_cast<uint32_t>(raw))) : written(value);
}

template <class Number>
void ArrowReader::read_each(const Stretch& stretch, uint32_t* out, const Number& number) {
  const ArrowArray& array = stretch.array;
  const bool none = array.n_buffers < 1 || !array.buffers[0] || array.null_count == 0;
  const auto* there = none ? nullptr : static_cast<const uint8_t*>(array.buffers[0]);
  const int64_t first = array.offset + stretch.from, count = stretch.count;
  if (!there) {
    for (int64_t k = 0; k < count; ++k) out[k] = number(k);
    return;
  }
  uint32_t null = kNoCode;
  for (int64_t k = 0; k < count; ++k) {
    if ((there[(first + k) / 8] >> ((first + k) % 8) & 1) != 0) {
      out[k] = number(k);
    } else {
      if (null == kNoCode) null = number_of_text("", stretch.row + static_cast<uint64_t>(k));
      out[k] = null;
    }
  }
}

template <class Number>
void ArrowReader::read_numbers(const Stretch& stretch, uint32_t* out) {
  const ArrowArray& array = stretch.array;
  const auto* values = static_cast<const Number*>(array.buffers[1]) + array.offset + stretch.from;
  // By value, here and below: what is captured by reference is put into memory for each row.
  read_each(stretch, out, [this, values, first = stretch.row](int64_t k) FUGU_HOT_LAMBDA {
    const uint64_t raw = raw_of(values[k]), row = first + static_cast<uint64_t>(k);
    return numbers_.get(raw, [this, raw, row] { return number_of_text(text_of_raw(raw, row), row); });
  });
}

template <class Offset>
void ArrowReader::read_texts(const Stretch& stretch, uint32_t* out) {
  const ArrowArray& array = stretch.array;
  const auto* offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset + stretch.from;
  const char* data = static_cast<const char*>(array.buffers[2]);
  // Up to where whole words may be read; the interface does not say where the buffer ends.
  const int64_t words_end = data ? static_cast<int64_t>(offsets[stretch.count]) - 16 : -1;
  read_each(stretch, out, [=, this, first = stretch.row](int64_t k) FUGU_HOT_LAMBDA {
    const int64_t begin = offsets[k], end = offsets[k + 1];
    const uint64_t row = first + static_cast<uint64_t>(k);
    const auto size = static_cast<uint64_t>(end - begin);
    if (begin < 0 || size > 15 || begin > words_end) [[unlikely]]
      return number_of_text(text_between(data, begin, end), row);
    return short_.get(words_of(data + begin, size), [this, text = data + begin, size, row] {
      return number_of_text({text, static_cast<size_t>(size)}, row);
    });
  });
}

void ArrowReader::read_views(const Stretch& stretch, uint32_t* out) {
  const ArrowArray& array = stretch.array;
  const char* views = static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + stretch.from);
  read_each(stretch, out, [&](int64_t k) FUGU_HOT_LAMBDA {
    const View view(views + 16 * k);
    const uint64_t row = stretch.row + static_cast<uint64_t>(k);
    if (view.is_short()) [[likely]] {
      return short_.get(view.words, [&] {
        return number_of_text({views + 16 * k + 4, static_cast<size_t>(view.parts[0])}, row);
      });
    }
    if (view.parts[0] < 0) return number_of_text(text_between(views, 0, view.parts[0]), row);
    return number_of_text(text_behind(array, view.parts[2], view.parts[3], view.parts[0]), row);
  });
}

void ArrowReader::read_bools(const Stretch& stretch, uint32_t* out) {
  const auto* bits = static_cast<const uint8_t*>(stretch.array.buffers[1]);
  const int64_t first = stretch.array.offset + stretch.from;
  read_each(stretch, out, [&](int64_t k) {
    const uint64_t value = bits[(first + k) / 8] >> ((first + k) % 8) & 1;
    return numbers_.get(value, [&] {
      return number_of_text(value != 0 ? "true" : "false", stretch.row + static_cast<uint64_t>(k));
    });
  });
}

void ArrowReader::read_decimals(const Stretch& stretch, uint32_t* out) {
  const char* values =
      static_cast<const char*>(stretch.array.buffers[1]) + 16 * (stretch.array.offset + stretch.from);
  read_each(stretch, out, [&](int64_t k) {
    std::array<uint64_t, 2> words;
    std::memcpy(words.data(), values + 16 * k, 16);
    return short_.get(words, [&] {
      return number_of_text(decimal_text(words.data(), type_.scale), stretch.row + static_cast<uint64_t>(k));
    });
  });
}

uint32_t ArrowReader::number_of_code(const ArrowArray& values, uint64_t code, uint64_t row) {
  if (code >= codes_.size())
    throw Error(ErrorKind::kData, name_.row(row) + ", " + place_ + ": the code is not in its dictionary",
                "make the column again");
  uint32_t number = kNoCode;
  read_plain({values, static_cast<int64_t>(code), 1, row}, &number);
  return codes_[code] = number;
}

// Each code's value is looked up once for each dictionary.
template <class Code>
void ArrowReader::read_codes(const Stretch& stretch, uint32_t* out) {
  const ArrowArray& values = *stretch.array.dictionary;
  if (dictionary_ != &values) {
    ArrowType plain = type_;
    plain.index_bytes = 0;
    check_array(values, plain, 0, values.length);
    codes_.assign(static_cast<size_t>(values.length), kNoCode);
    dictionary_ = &values;
  }
  const auto* codes =
      static_cast<const Code*>(stretch.array.buffers[1]) + stretch.array.offset + stretch.from;
  const uint32_t* known = codes_.data();
  const uint64_t size = codes_.size();
  read_each(
      stretch, out, [this, codes, known, size, first = stretch.row, &values](int64_t k) FUGU_HOT_LAMBDA {
        const auto code = static_cast<uint64_t>(static_cast<int64_t>(codes[k]));  // of one below 0 very large
        if (code < size && known[code] != kNoCode) [[likely]]
          return known[code];
        return number_of_code(values, code, first + static_cast<uint64_t>(k));
      });
}

void ArrowReader::read_plain(const Stretch& stretch, uint32_t* out) {
  switch (type_.kind) {
    case ArrowType::kNull:
      std::fill_n(out, stretch.count, number_of_text("", stretch.row));
      return;
    case ArrowType::kBool:
      return read_bools(stretch, out);
    case ArrowType::kDecimal:
      return read_decimals(stretch, out);
    case ArrowType::kFloat:
      return type_.bytes == 4 ? read_numbers<float>(stretch, out) : read_numbers<double>(stretch, out);
    case ArrowType::kDate:
      return type_.bytes == 4 ? read_numbers<int32_t>(stretch, out) : read_numbers<int64_t>(stretch, out);
    case ArrowType::kText:
      if (type_.texts == ArrowType::kViews) return read_views(stretch, out);
      return type_.texts == ArrowType::kLarge ? read_texts<int64_t>(stretch, out)
                                              : read_texts<int32_t>(stretch, out);
    case ArrowType::kInt:
    case ArrowType::kUint:
      break;
  }
  const bool whole = type_.kind == ArrowType::kInt;
  switch (type_.bytes) {
    case 1:
      return whole ? read_numbers<int8_t>(stretch, out) : read_numbers<uint8_t>(stretch, out);
    case 2:
      return whole ? read_numbers<int16_t>(stretch, out) : read_numbers<uint16_t>(stretch, out);
    case 4:
      return whole ? read_numbers<int32_t>(stretch, out) : read_numbers<uint32_t>(stretch, out);
    default:
      return whole ? read_numbers<int64_t>(stretch, out) : read_numbers<uint64_t>(stretch, out);
  }
}

void ArrowReader::read(const ArrowArray& array, int64_t from, int64_t count, uint64_t row, uint32_t* out) {
  check_array(array, type_, from, count);
  if (count == 0) return;
  const Stretch stretch{array, from, count, row};
  switch (type_.index_bytes) {
    case 0:
      return read_plain(stretch, out);
    case 1:
      return type_.index_unsigned ? read_codes<uint8_t>(stretch, out) : read_codes<int8_t>(stretch, out);
    case 2:
      return type_.index_unsigned ? read_codes<uint16_t>(stretch, out) : read_codes<int16_t>(stretch, out);
    case 4:
      return type_.index_unsigned ? read_codes<uint32_t>(stretch, out) : read_codes<int32_t>(stretch, out);
    default:
      return read_codes<int64_t>(stretch, out);
  }
}

}  // namespace fugu::inline in_arrow
