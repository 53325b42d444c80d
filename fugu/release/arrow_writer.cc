#include "fugu/release/arrow_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "fugu/arrow/arrow_build.h"
#include "fugu/core/error.h"
#include "fugu/table/hot.h"

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

// Whether what is released lies between ends that the plan may tell, or is a value that came in the type.
// Where noise goes beyond the values' own ends, a narrow type would stay or not by how far the values reach,
// which few people may have.
bool is_held(const ColumnRelease& column) {
  const Noise* noise = column.mechanism ? std::get_if<Noise>(&*column.mechanism) : nullptr;
  return column.map.clamps || !noise || noise->is_none();
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
  const bool stays = is_held(column);
  if (type.kind == ArrowType::kDecimal) {
    if (stays && fits_decimal(low, high, values.places(), type)) return type;
    type.precision = 38;
    type.scale = std::max(type.scale, values.places());
    if (fits_decimal(low, high, values.places(), type)) return type;
  } else if (values.places() == 0) {
    if (stays && type.is_number() && fits_whole(low, high, type)) return type;
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
    // Their width told how many texts the column had, those that nobody may see among them.
    type.index_bytes = 4;
    type.index_unsigned = false;
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

}  // namespace

ArrowType released_type(const ArrowType& type, const ColumnRelease& column) {
  if (!column.map.source.shape().labels.empty()) return label_type(type, column.map.source.shape().labels);
  return number_type(type, column, ReleasedValues(column.map, kNoSeparator));
}

// Writes lattice points in a type.
class ArrowColumnWriter::Writer {
 public:
  Writer(const ArrowType& type, const ColumnRelease& column, const ReleasedValues& values)
      : type_(type), labels_(column.map.source.shape().labels), values_(values) {
    if (type.is_dictionary() || labels_.empty()) return;
    for (const std::string& label : labels_) {
      if (type.kind == ArrowType::kBool) label_values_.push_back(label == "true" ? 1 : 0);
      if (type.kind == ArrowType::kInt || type.kind == ArrowType::kUint)
        label_values_.push_back(number_of<int64_t>(label));
      if (type.kind == ArrowType::kFloat)
        label_floats_.push_back(type.bytes == 4 ? number_of<float>(label) : number_of<double>(label));
    }
  }

  // Of a value, in bytes; 0 where it has none of its own.
  size_t width() const {
    if (type_.is_dictionary()) return static_cast<size_t>(type_.index_bytes);
    if (type_.kind == ArrowType::kText || type_.kind == ArrowType::kBool) return 0;
    return type_.kind == ArrowType::kDecimal ? 16 : static_cast<size_t>(type_.bytes);
  }

  // Precondition: a width.
  void write(void* to, std::span<const int64_t> index) const {
    if (type_.is_dictionary())
      return whole(to, type_.index_bytes, index, [&](int64_t k) FUGU_HOT_LAMBDA { return label(k); });
    if (type_.kind == ArrowType::kFloat)
      return type_.bytes == 4 ? floats<float>(to, index) : floats<double>(to, index);
    if (type_.kind == ArrowType::kDecimal) return decimals(to, index);
    if (type_.kind == ArrowType::kDate)
      return whole(to, type_.bytes, index, [&](int64_t k) { return ticks(k); });
    if (!labels_.empty()) {
      return whole(to, type_.bytes, index,
                   [&](int64_t k) FUGU_HOT_LAMBDA { return label_values_[static_cast<size_t>(label(k))]; });
    }
    numbers(to, index);
  }

  Owned<ArrowArray> array(ArrowBuffer values, size_t rows) const {
    const auto length = static_cast<int64_t>(rows);
    if (!type_.is_dictionary()) return make_array(length, one(std::move(values)));
    Owned<ArrowArray> labels = make_texts(labels_, type_.texts);
    return make_array(length, one(std::move(values)), &labels);
  }

  // Of what has no width.
  Owned<ArrowArray> array(std::span<const int64_t> index) const {
    if (type_.kind == ArrowType::kText) return texts(index);
    return make_array(static_cast<int64_t>(index.size()), one(bits(index)));
  }

 private:
  // Categories are always held within their list.
  int64_t label(int64_t index) const {
    return std::clamp<int64_t>(index, 1, static_cast<int64_t>(labels_.size())) - 1;
  }

  // label_type() chose a type that every label has a place in.
  template <class Number>
  static Number number_of(const std::string& label) {
    if (const auto value = parsed<Number>(label)) return *value;
    throw Error(ErrorKind::kBug, "a label does not fit its type", "please report this");
  }

  // Whole numbers in a type in which all do, but for a chance that stops the release.
  void numbers(void* to, std::span<const int64_t> index) const {
    const auto [least, most] = ends_of(type_);
    const bool quick = values_.is_quick();
    bool fits = true;
    whole(to, type_.bytes, index, [&, least = least, most = most](int64_t k) FUGU_HOT_LAMBDA {
      if (quick && k < ReleasedValues::kNear && k > -ReleasedValues::kNear) [[likely]] {
        const int64_t value = values_.scaled_quickly(k);
        fits &= value >= least && value <= most;
        return value;
      }
      const __int128 value = values_.scaled(k);
      fits &= fits_whole(value, value, type_);
      return static_cast<int64_t>(value);
    });
    if (!fits) throw too_large();
  }

  // As far as 64 bits with a sign go, within which all numbers are that scaled_quickly() gives.
  static std::pair<int64_t, int64_t> ends_of(const ArrowType& type) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    const bool is_signed = type.kind == ArrowType::kInt;
    const int64_t most = type.bytes == 8 ? kMost : (int64_t{1} << (8 * type.bytes - (is_signed ? 1 : 0))) - 1;
    return {is_signed ? -most - 1 : 0, most};
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
  static void whole(void* to, int bytes, std::span<const int64_t> index, const Of& of) {
    auto fill = [&](auto* next) {
      for (int64_t k : index) *next++ = static_cast<std::decay_t<decltype(*next)>>(of(k));
    };
    if (bytes == 1) fill(static_cast<int8_t*>(to));
    if (bytes == 2) fill(static_cast<int16_t*>(to));
    if (bytes == 4) fill(static_cast<int32_t*>(to));
    if (bytes == 8) fill(static_cast<int64_t*>(to));
  }

  // The nearest float of the exact decimal: a function of the lattice point alone.
  template <class Float>
  void floats(void* to, std::span<const int64_t> index) const {
    auto* next = static_cast<Float*>(to);
    if (labels_.empty()) {
      for (int64_t k : index) *next++ = nearest<Float>(k);
    } else {
      for (int64_t k : index) *next++ = static_cast<Float>(label_floats_[static_cast<size_t>(label(k))]);
    }
  }
  template <class Float>
  Float nearest(int64_t index) const {
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

  void decimals(void* to, std::span<const int64_t> index) const {
    const __int128 more = power_of_ten(type_.scale - values_.places()), top = power_of_ten(type_.precision);
    char* next = static_cast<char*>(to);
    for (int64_t k : index) {
      const __int128 value = values_.scaled(k) * more;
      if (value >= top || value <= -top) throw too_large();
      std::memcpy(next, &value, 16);
      next += 16;
    }
  }

  ArrowBuffer bits(std::span<const int64_t> index) const {
    ArrowBuffer buffer(index.size() / 8 + 1);
    auto* to = buffer.as<uint8_t>();
    std::memset(to, 0, index.size() / 8 + 1);
    for (size_t k = 0; k < index.size(); ++k)
      to[k / 8] |= static_cast<uint8_t>(label_values_[static_cast<size_t>(label(index[k]))] << (k % 8));
    return buffer;
  }

  std::string_view text_of(int64_t index, char* room) const {
    if (!labels_.empty()) return labels_[static_cast<size_t>(label(index))];
    return {room, static_cast<size_t>(values_.write(room, index) - room)};
  }

  Owned<ArrowArray> texts(std::span<const int64_t> index) const {
    char room[64 + ReleasedValues::kRoom];
    size_t size = 0;
    for (int64_t k : index) size += text_of(k, room).size();
    const bool large = type_.texts == ArrowType::kLarge;
    if (!large && size >> 31 != 0) {
      throw usage("the released texts take more than 2 GiB in one chunk",
                  "give the column in smaller chunks, or as large texts");
    }
    std::vector<ArrowBuffer> buffers;
    buffers.emplace_back((index.size() + 1) * (large ? 8 : 4));
    buffers.emplace_back(size);
    char* to = buffers[1].as<char>();
    auto fill = [&](auto* ends) {
      *ends++ = 0;
      for (int64_t k : index) {
        const std::string_view text = text_of(k, room);
        to += text.copy(to, text.size());
        *ends++ = static_cast<std::decay_t<decltype(*ends)>>(to - buffers[1].as<char>());
      }
    };
    if (large) {
      fill(buffers[0].as<int64_t>());
    } else {
      fill(buffers[0].as<int32_t>());
    }
    return make_array(static_cast<int64_t>(index.size()), std::move(buffers));
  }

  const ArrowType type_;
  const std::vector<std::string>& labels_;
  const ReleasedValues& values_;
  // Of types of numbers and of truth values, what each label is there.
  std::vector<int64_t> label_values_;
  std::vector<double> label_floats_;
};

ArrowColumnWriter::ArrowColumnWriter(const ArrowType& type, const ColumnRelease& column,
                                     const ReleasedValues& values, size_t rows)
    : writer_(std::make_unique<const Writer>(type, column, values)),
      width_(writer_->width() > 0 ? writer_->width() : sizeof(int64_t)),
      rows_(rows * width_) {}
ArrowColumnWriter::~ArrowColumnWriter() = default;
ArrowColumnWriter::ArrowColumnWriter(ArrowColumnWriter&&) noexcept = default;

void ArrowColumnWriter::write(size_t row, std::span<const int64_t> index) {
  char* to = rows_.as<char>() + row * width_;
  if (writer_->width() > 0) {
    writer_->write(to, index);
  } else if (!index.empty()) {
    std::memcpy(to, index.data(), index.size_bytes());
  }
}

void ArrowColumnWriter::move(size_t to, size_t from, size_t count) {
  char* rows = rows_.as<char>();
  std::memmove(rows + to * width_, rows + from * width_, count * width_);
}

std::vector<Owned<ArrowArray>> ArrowColumnWriter::finish(const std::vector<size_t>& lengths) {
  std::vector<Owned<ArrowArray>> arrays;
  if (lengths.empty()) return arrays;
  if (writer_->width() > 0) {
    arrays.push_back(
        writer_->array(std::move(rows_), std::accumulate(lengths.begin(), lengths.end(), size_t{0})));
    return arrays;
  }
  const int64_t* next = rows_.as<int64_t>();
  for (const size_t length : lengths) {
    arrays.push_back(writer_->array({next, length}));
    next += length;
  }
  return arrays;
}

Owned<ArrowArray> write_released(const std::vector<int64_t>& index, const ArrowType& type,
                                 const ColumnRelease& column, const ReleasedValues& values) {
  ArrowColumnWriter writer(type, column, values, index.size());
  writer.write(0, index);
  return std::move(writer.finish({index.size()}).front());
}

}  // namespace fugu::inline in_release
