#include "fugu/release/released_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/csv/csv_field.h"

namespace fugu::inline in_release {
namespace {

__int128 in_places(const Rational& value, int places) {
  const Integer whole =
      numerator(value) * pow(Integer(10), static_cast<unsigned>(places)) / denominator(value);
  if ((abs(whole) >> 60) != 0) {
    throw Error(ErrorKind::kUsage, "the values have more digits than can be released",
                "give a coarser --step");
  }
  return static_cast<int64_t>(whole);
}

}  // namespace

ReleasedValues::ReleasedValues(const ColumnMap& map, char separator, const std::vector<int64_t>* known)
    : fields_(map.source, map.lattice, {map.low, map.high}, known),
      categories_(!map.source.labels.empty()),
      clamps_(map.clamps),
      low_(map.low),
      high_(map.high),
      range_(map.range) {
  if (categories_) {
    for (const std::string& label : map.source.labels) {
      labels_.push_back(csv_field(label, separator));
      longest_ = std::max(longest_, labels_.back().size());
    }
    // Without clamping a category may fall off the end of the list: its number says where.
    each_ = 1;
    longest_ = std::max<size_t>(longest_, 64);
    return;
  }
  const Lattice& lattice = map.lattice;
  const auto step_places = decimal_places(lattice.step), origin_places = decimal_places(lattice.origin);
  if (!step_places || !origin_places || std::max(*step_places, *origin_places) > 18) {
    throw Error(ErrorKind::kUsage,
                fmt::format("steps of {} cannot be written as decimals", to_text(lattice.step)),
                "give --step with a decimal, for example --step 0.01");
  }
  places_ = std::max(*step_places, *origin_places);
  first_ = in_places(lattice.origin, places_);
  each_ = in_places(lattice.step, places_);
  longest_ = 64;
  // Most released values lie near the data: their texts are made once.
  constexpr int64_t kAround = 4096;
  if (high_ - low_ < 4 * kAround) {
    near_low_ = low_ - kAround;
    for (int64_t index = near_low_; index <= high_ + kAround; ++index) {
      char text[64];
      const auto size = static_cast<size_t>(write_number(text, index) - text);
      Short entry{{}, static_cast<uint8_t>(std::min<size_t>(size, 255))};
      if (size > sizeof entry.text) {
        near_.clear();
        break;
      }
      std::memcpy(entry.text, text, size);
      near_.push_back(entry);
    }
  }
}

char* ReleasedValues::write_number(char* to, int64_t index) const {
  __int128 value = first_ + each_ * index;
  if (value < 0) {
    *to++ = '-';
    value = -value;
  }
  char digits[48];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value > 0 || count <= places_);
  while (count > 0) {
    if (count == places_) *to++ = '.';
    *to++ = digits[--count];
  }
  return to;
}

NewColumn ReleasedValues::column() const {
  using Content = NewColumn::Content;
  if (categories_) {
    const bool truths = clamps_ && std::all_of(labels_.begin(), labels_.end(), [](const std::string& label) {
                          return label == "true" || label == "false";
                        });
    return {.content = truths ? Content::kTrueFalse : Content::kText};
  }
  constexpr int64_t kFarthest = int64_t{1} << 62;  // of an index
  const __int128 low = first_ + each_ * (clamps_ ? range_.first : -kFarthest),
                 high = first_ + each_ * (clamps_ ? range_.second : kFarthest);
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  if (places_ > 0 || low < kLeast || high > kMost) return {.content = Content::kNumber};
  return {.content = Content::kWhole, .range = {static_cast<int64_t>(low), static_cast<int64_t>(high)}};
}

char* ReleasedValues::write(char* to, int64_t index) const {
  index = held(index);
  if (categories_) {
    if (index >= 1 && static_cast<size_t>(index) <= labels_.size()) {
      const std::string& text = labels_[static_cast<size_t>(index) - 1];
      return to + text.copy(to, text.size());
    }
  }
  const auto near = static_cast<size_t>(index - near_low_);
  if (near < near_.size()) {
    std::memcpy(to, near_[near].text, sizeof near_[near].text);
    to += near_[near].size;
  } else {
    to = write_number(to, index);
  }
  return to;
}

}  // namespace fugu::inline in_release
