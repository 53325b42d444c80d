#include "fugu/arrow/arrow_reader.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "fugu/arrow/arrow_check.h"
#include "fugu/core/date.h"
#include "fugu/core/error.h"

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

std::string_view text_at(const ArrowArray& array, ArrowType::Texts layout, int64_t at) {
  const int64_t k = array.offset + at;
  if (layout == ArrowType::kViews) {
    const char* view = static_cast<const char*>(array.buffers[1]) + 16 * k;
    int32_t size = 0, buffer = 0, offset = 0;
    std::memcpy(&size, view, 4);
    if (size < 0) return text_between(view, 0, size);
    if (size <= 12) return {view + 4, static_cast<size_t>(size)};
    std::memcpy(&buffer, view + 8, 4);
    std::memcpy(&offset, view + 12, 4);
    return text_behind(array, buffer, offset, size);
  }
  const char* data = static_cast<const char*>(array.buffers[2]);
  if (layout == ArrowType::kLarge) {
    const auto* offsets = static_cast<const int64_t*>(array.buffers[1]) + k;
    return text_between(data, offsets[0], offsets[1]);
  }
  const auto* offsets = static_cast<const int32_t*>(array.buffers[1]) + k;
  return text_between(data, offsets[0], offsets[1]);
}

template <class Code>
int64_t code_at(const ArrowArray& array, int64_t at) {
  return static_cast<int64_t>(static_cast<const Code*>(array.buffers[1])[array.offset + at]);
}

int64_t code_at(const ArrowArray& array, const ArrowType& type, int64_t at) {
  switch (type.index_bytes) {
    case 1:
      return type.index_unsigned ? code_at<uint8_t>(array, at) : code_at<int8_t>(array, at);
    case 2:
      return type.index_unsigned ? code_at<uint16_t>(array, at) : code_at<int16_t>(array, at);
    case 4:
      return type.index_unsigned ? code_at<uint32_t>(array, at) : code_at<int32_t>(array, at);
    default:
      return code_at<int64_t>(array, at);
  }
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
                "correct it, or make it a null");
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

uint32_t ArrowReader::number_of(uint64_t raw, uint64_t row) {
  return numbers_.get({raw}, [&] { return number_of_text(text_of_raw(raw, row), row); });
}

template <class Number>
void ArrowReader::read_numbers(const ArrowArray& array, int64_t from, int64_t count, uint64_t row,
                               uint32_t* out) {
  const auto* values = static_cast<const Number*>(array.buffers[1]) + array.offset + from;
  uint64_t last = 0;
  uint32_t last_number = kNoCode;  // runs of one value are common
  for (int64_t k = 0; k < count; ++k) {
    const uint64_t at = row + static_cast<uint64_t>(k);
    if (is_null(array, from + k)) {
      out[k] = number_of_text("", at);
      continue;
    }
    const uint64_t raw = raw_of(values[k]);
    if (last_number == kNoCode || raw != last) {
      last = raw;
      last_number = number_of(raw, at);
    }
    out[k] = last_number;
  }
}

void ArrowReader::read_others(const ArrowArray& array, int64_t from, int64_t count, uint64_t row,
                              uint32_t* out) {
  for (int64_t k = 0; k < count; ++k) {
    const uint64_t at = row + static_cast<uint64_t>(k);
    const int64_t here = from + k;
    if (type_.kind == ArrowType::kNull || is_null(array, here)) {
      out[k] = number_of_text("", at);
    } else if (type_.kind == ArrowType::kText) {
      out[k] = number_of_text(text_at(array, type_.texts, here), at);
    } else if (type_.kind == ArrowType::kBool) {
      const auto* bits = static_cast<const uint8_t*>(array.buffers[1]);
      const int64_t bit = array.offset + here;
      out[k] = number_of_text((bits[bit / 8] >> (bit % 8) & 1) != 0 ? "true" : "false", at);
    } else {
      const char* value = static_cast<const char*>(array.buffers[1]) + 16 * (array.offset + here);
      out[k] = number_of_text(decimal_text(value, type_.scale), at);
    }
  }
}

// Each code's value is looked up once for each dictionary.
void ArrowReader::read_codes(const ArrowArray& array, int64_t from, int64_t count, uint64_t row,
                             uint32_t* out) {
  const ArrowArray& values = *array.dictionary;
  if (dictionary_ != &values) {
    dictionary_ = &values;
    codes_.assign(static_cast<size_t>(values.length), kNoCode);
  }
  ArrowType plain = type_;
  plain.index_bytes = 0;
  for (int64_t k = 0; k < count; ++k) {
    const uint64_t at = row + static_cast<uint64_t>(k);
    if (is_null(array, from + k)) {
      out[k] = number_of_text("", at);
      continue;
    }
    const int64_t code = code_at(array, type_, from + k);
    if (code < 0 || code >= values.length) {
      throw Error(ErrorKind::kData, name_.row(at) + ", " + place_ + ": the code is none of its dictionary",
                  "make the column again");
    }
    uint32_t& number = codes_[static_cast<size_t>(code)];
    if (number == kNoCode) {
      const ArrowType whole = std::exchange(type_, plain);
      try {
        read(values, code, 1, at, &number);
      } catch (...) {
        type_ = whole;
        throw;
      }
      type_ = whole;
    }
    out[k] = number;
  }
}

void ArrowReader::read(const ArrowArray& array, int64_t from, int64_t count, uint64_t row, uint32_t* out) {
  check_array(array, type_, from, count);
  if (type_.is_dictionary()) return read_codes(array, from, count, row, out);
  if (type_.kind == ArrowType::kFloat)
    return type_.bytes == 4 ? read_numbers<float>(array, from, count, row, out)
                            : read_numbers<double>(array, from, count, row, out);
  if (type_.kind == ArrowType::kDate)
    return type_.bytes == 4 ? read_numbers<int32_t>(array, from, count, row, out)
                            : read_numbers<int64_t>(array, from, count, row, out);
  const bool whole = type_.kind == ArrowType::kInt;
  if (!whole && type_.kind != ArrowType::kUint) return read_others(array, from, count, row, out);
  switch (type_.bytes) {
    case 1:
      return whole ? read_numbers<int8_t>(array, from, count, row, out)
                   : read_numbers<uint8_t>(array, from, count, row, out);
    case 2:
      return whole ? read_numbers<int16_t>(array, from, count, row, out)
                   : read_numbers<uint16_t>(array, from, count, row, out);
    case 4:
      return whole ? read_numbers<int32_t>(array, from, count, row, out)
                   : read_numbers<uint32_t>(array, from, count, row, out);
    default:
      return whole ? read_numbers<int64_t>(array, from, count, row, out)
                   : read_numbers<uint64_t>(array, from, count, row, out);
  }
}

}  // namespace fugu::inline in_arrow
