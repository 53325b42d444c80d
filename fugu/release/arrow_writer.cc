#include "fugu/release/arrow_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "fugu/arrow/arrow_build.h"
#include "fugu/core/error.h"

namespace fugu::inline in_release {
namespace {

// The farthest that a draw goes but for a chance below 2^-64, in steps.
int64_t reach_of(const Noise& noise) {
  if (noise.tail.numerator == 0) return noise.reach();
  const double decay = -std::log(static_cast<double>(noise.tail.value()));
  const double tail = decay > 0 ? 45 / decay + 1 : HUGE_VAL;
  return tail < 0x1p60 ? noise.reach() + static_cast<int64_t>(tail) : int64_t{1} << 61;
}

// The outermost lattice points that may be released, but for such a chance.
std::pair<int64_t, int64_t> outermost(const ColumnRelease& column) {
  const ColumnMap& map = column.map;
  if (map.clamps) return map.range;
  if (!column.mechanism || std::holds_alternative<Swap>(*column.mechanism)) return {map.low, map.high};
  if (const Channel* channel = std::get_if<Channel>(&*column.mechanism))
    return {channel->outputs.front(), channel->outputs.back()};
  const int64_t reach = reach_of(std::get<Noise>(*column.mechanism));
  return {map.low - reach, map.high + reach};
}

__int128 power_of_ten(int places) {
  __int128 power = 1;
  for (int k = 0; k < places; ++k) power *= 10;
  return power;
}

bool fits_whole(__int128 low, __int128 high, const ArrowType& type) {
  const int bits = 8 * type.bytes;
  const bool is_signed = type.kind == ArrowType::kInt;
  const __int128 top = (__int128{1} << (is_signed ? bits - 1 : bits)) - 1;
  return low >= (is_signed ? -top - 1 : 0) && high <= top;
}

bool fits_decimal(__int128 low, __int128 high, int places, const ArrowType& type) {
  if (type.scale < places || type.scale - places > 18) return false;
  const __int128 top = power_of_ten(type.precision - (type.scale - places));
  return type.precision >= type.scale - places && low > -top && high < top;
}

ArrowType whole_type() {
  ArrowType type;
  type.kind = ArrowType::kInt;
  type.bytes = 8;
  return type;
}

ArrowType text_type(ArrowType type) {
  if (type.kind != ArrowType::kText) type = ArrowType{};
  type.kind = ArrowType::kText;
  return type;
}

ArrowType number_type(ArrowType type, const ColumnRelease& column, const ReleasedValues& values) {
  type.index_bytes = 0;
  type.ordered = false;
  if (type.texts == ArrowType::kViews) type.texts = ArrowType::kShort;
  if (!values.is_plain() && !(type.kind == ArrowType::kDate && values.is_date())) return text_type(type);
  if (type.kind == ArrowType::kDate && values.is_date()) return type;
  if (type.kind == ArrowType::kText || type.kind == ArrowType::kFloat) return type;
  const auto [first, last] = outermost(column);
  const __int128 low = values.scaled(first), high = values.scaled(last);
  if (type.kind == ArrowType::kDecimal) {
    if (fits_decimal(low, high, values.places(), type)) return type;
    type.precision = 38;
    type.scale = std::max(type.scale, values.places());
    if (fits_decimal(low, high, values.places(), type)) return type;
  } else if (values.places() == 0) {
    if (type.is_number() && fits_whole(low, high, type)) return type;
    if (fits_whole(low, high, whole_type())) return whole_type();
  }
  type = ArrowType{};
  type.kind = ArrowType::kFloat;
  type.bytes = 8;
  return type;
}

template <class Number>
std::optional<Number> parsed(const std::string& text) {
  Number value{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

ArrowType label_type(ArrowType type, const std::vector<std::string>& labels) {
  auto all = [&](auto&& holds) { return std::all_of(labels.begin(), labels.end(), holds); };
  if (type.is_dictionary()) {
    const auto room = uint64_t{1} << (8 * type.index_bytes - (type.index_unsigned ? 0 : 1)) % 64;
    if (type.index_bytes < 8 && labels.size() > room) type.index_bytes = 4;
  } else if (type.kind == ArrowType::kBool) {
    if (all([](const std::string& label) { return label == "true" || label == "false"; })) return type;
  } else if (type.kind == ArrowType::kInt || type.kind == ArrowType::kUint) {
    if (all([&](const std::string& label) {
          const auto value = parsed<int64_t>(label);
          return value && fits_whole(*value, *value, type);
        }))
      return type;
  } else if (type.kind == ArrowType::kFloat) {
    const bool narrow = type.bytes == 4;  // where the label of a double may have no place
    if (all([&](const std::string& label) {
          return narrow ? parsed<float>(label).has_value() : parsed<double>(label).has_value();
        }))
      return type;
  }
  type.bytes = type.precision = type.scale = 0;
  if (type.kind != ArrowType::kText || type.texts == ArrowType::kViews) type.texts = ArrowType::kShort;
  type.kind = ArrowType::kText;
  return type;
}

// Arrays of one chunk from the lattice points to be written.
class Writer {
 public:
  Writer(const ArrowType& type, const ColumnRelease& column, const ReleasedValues& values)
      : type_(type), map_(column.map), values_(values) {}

  Owned<ArrowArray> write(const std::vector<int64_t>& index) const {
    const auto length = static_cast<int64_t>(index.size());
    if (type_.is_dictionary()) {
      Owned<ArrowArray> labels = make_texts(map_.source.shape().labels, type_.texts);
      return make_array(length, one(whole(index, type_.index_bytes, [&](int64_t k) { return label(k); })),
                        &labels);
    }
    switch (type_.kind) {
      case ArrowType::kText:
        return texts(index);
      case ArrowType::kBool:
        return make_array(length, one(bits(index)));
      case ArrowType::kFloat:
        return make_array(length, one(type_.bytes == 4 ? floats<float>(index) : floats<double>(index)));
      case ArrowType::kDecimal:
        return make_array(length, one(decimals(index)));
      case ArrowType::kDate:
        return make_array(length, one(whole(index, type_.bytes, [&](int64_t k) { return ticks(k); })));
      default:
        return make_array(length, one(whole(index, type_.bytes, [&](int64_t k) { return number(k); })));
    }
  }

 private:
  bool has_labels() const { return !map_.source.shape().labels.empty(); }
  // Categories are always held within their list.
  int64_t label(int64_t index) const {
    return std::clamp<int64_t>(index, 1, static_cast<int64_t>(map_.source.shape().labels.size())) - 1;
  }
  const std::string& label_text(int64_t index) const {
    return map_.source.shape().labels[static_cast<size_t>(label(index))];
  }

  // label_type() chose a type that every label has a place in.
  template <class Number>
  Number label_number(int64_t index) const {
    if (const auto value = parsed<Number>(label_text(index))) return *value;
    throw Error(ErrorKind::kBug, "a label has no place in the type that was chosen for it",
                "please report this");
  }

  int64_t number(int64_t index) const {
    if (has_labels()) return label_number<int64_t>(index);
    const __int128 value = values_.scaled(index);
    if (!fits_whole(value, value, type_)) throw too_large();
    return static_cast<int64_t>(value);
  }

  // Midnight.
  int64_t ticks(int64_t index) const {
    // What the type cannot hold becomes its end, which says nothing of the data.
    const int64_t each = type_.ticks_per_day(), most = std::numeric_limits<int64_t>::max() / each;
    return std::clamp(values_.day(index), -most, most) * each;
  }

  static Error too_large() {
    return Error(ErrorKind::kIo, "a released value is too large for the column's type",
                 "cast the column to a wider type and release it again");
  }

  static std::vector<ArrowBuffer> one(ArrowBuffer buffer) {
    std::vector<ArrowBuffer> buffers;
    buffers.push_back(std::move(buffer));
    return buffers;
  }

  template <class Of>
  static ArrowBuffer whole(const std::vector<int64_t>& index, int bytes, const Of& of) {
    ArrowBuffer buffer(index.size() * static_cast<size_t>(bytes));
    auto fill = [&](auto* to) {
      for (int64_t k : index) *to++ = static_cast<std::decay_t<decltype(*to)>>(of(k));
    };
    if (bytes == 1) fill(buffer.as<int8_t>());
    if (bytes == 2) fill(buffer.as<int16_t>());
    if (bytes == 4) fill(buffer.as<int32_t>());
    if (bytes == 8) fill(buffer.as<int64_t>());
    return buffer;
  }

  // The nearest float of the exact decimal: a function of the lattice point alone.
  template <class Float>
  ArrowBuffer floats(const std::vector<int64_t>& index) const {
    ArrowBuffer buffer(index.size() * sizeof(Float));
    Float* to = buffer.as<Float>();
    for (int64_t k : index) *to++ = nearest<Float>(k);
    return buffer;
  }
  template <class Float>
  Float nearest(int64_t index) const {
    if (has_labels()) return label_number<Float>(index);
    const __int128 value = values_.scaled(index);
    const bool exact = value < (__int128{1} << 53) && value > -(__int128{1} << 53);
    if (sizeof(Float) == 8 && exact && values_.places() <= 22) {
      // Both are exact doubles, so that the quotient is the nearest.
      static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
      return static_cast<Float>(static_cast<double>(static_cast<int64_t>(value)) / kPowers[values_.places()]);
    }
    char text[64];
    Float result{};
    std::from_chars(text, values_.write(text, index), result);  // within 2^127 and 18 places: in range
    return result;
  }

  ArrowBuffer decimals(const std::vector<int64_t>& index) const {
    ArrowBuffer buffer(index.size() * 16);
    const __int128 more = power_of_ten(type_.scale - values_.places()), top = power_of_ten(type_.precision);
    char* to = buffer.as<char>();
    for (int64_t k : index) {
      const __int128 value = values_.scaled(k) * more;
      if (value >= top || value <= -top) throw too_large();
      std::memcpy(to, &value, 16);
      to += 16;
    }
    return buffer;
  }

  ArrowBuffer bits(const std::vector<int64_t>& index) const {
    ArrowBuffer buffer(index.size() / 8 + 1);
    auto* to = buffer.as<uint8_t>();
    std::memset(to, 0, index.size() / 8 + 1);
    for (size_t k = 0; k < index.size(); ++k)
      to[k / 8] |= static_cast<uint8_t>((label_text(index[k]) == "true" ? 1 : 0) << (k % 8));
    return buffer;
  }

  Owned<ArrowArray> texts(const std::vector<int64_t>& index) const {
    std::vector<char> data;
    std::vector<size_t> ends;
    ends.reserve(index.size());
    char number[64];
    for (int64_t k : index) {
      const std::string_view text =
          has_labels() ? std::string_view(label_text(k)) : std::string_view(number, values_.write(number, k));
      data.insert(data.end(), text.begin(), text.end());
      ends.push_back(data.size());
    }
    const bool large = type_.texts == ArrowType::kLarge;
    if (!large && data.size() >> 31 != 0) {
      throw usage("the released texts take more than 2 GiB in one chunk",
                  "give the column in smaller chunks, or as large texts");
    }
    std::vector<ArrowBuffer> buffers;
    buffers.emplace_back((index.size() + 1) * (large ? 8 : 4));
    auto put = [&](size_t at, size_t end) {
      if (large) {
        buffers[0].as<int64_t>()[at] = static_cast<int64_t>(end);
      } else {
        buffers[0].as<int32_t>()[at] = static_cast<int32_t>(end);
      }
    };
    put(0, 0);
    for (size_t k = 0; k < ends.size(); ++k) put(k + 1, ends[k]);
    buffers.emplace_back(data.size());
    if (!data.empty()) std::memcpy(buffers[1].data(), data.data(), data.size());
    return make_array(static_cast<int64_t>(index.size()), std::move(buffers));
  }

  const ArrowType& type_;
  const ColumnMap& map_;
  const ReleasedValues& values_;
};

}  // namespace

ArrowType released_type(const ArrowType& type, const ColumnRelease& column) {
  if (!column.map.source.shape().labels.empty()) return label_type(type, column.map.source.shape().labels);
  return number_type(type, column, ReleasedValues(column.map, kNoSeparator));
}

Owned<ArrowArray> write_released(const std::vector<int64_t>& index, const ArrowType& type,
                                 const ColumnRelease& column, const ReleasedValues& values) {
  return Writer(type, column, values).write(index);
}

}  // namespace fugu::inline in_release
