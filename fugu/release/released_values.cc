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
    throw Error(ErrorKind::kUsage, "the values have too many digits to be released", "give a coarser --step");
  }
  return static_cast<int64_t>(whole);
}

}  // namespace

ReleasedValues::ReleasedValues(const ColumnMap& map, char separator, const std::vector<int64_t>* known)
    : fields_(map.source, map.lattice, {map.low, map.high}, known),
      categories_(!map.source.shape().labels.empty()),
      clamps_(map.clamps),
      holds_(map.clamps),
      reads_(categories_ ? Reading{} : map.source.shape().reads),
      low_(map.low),
      high_(map.high),
      range_(map.range) {
  if (categories_) {
    for (const std::string& label : map.source.shape().labels) {
      labels_.push_back(csv_field(label, separator));
      longest_ = std::max(longest_, labels_.back().size());
    }
    // Without clamping a category may fall off the end of the list: its number says where.
    each_ = 1;
    longest_ = std::max<size_t>(longest_, 64);
    keep_near(1, static_cast<int64_t>(labels_.size()));
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
  quotes_ = reads_.numbers.marks == NumberForm::kComma && separator == ',' && places_ > 0 && !reads_.date;
  if (reads_.date) hold_within_calendar(lattice);
  // Most released values lie near the data: their texts are made once.
  constexpr int64_t kAround = 4096;
  if (high_ - low_ < (reads_.date ? 16 : 4) * kAround) keep_near(low_ - kAround, high_ + kAround);
}

// None, where one of them is too long.
void ReleasedValues::keep_near(int64_t low, int64_t high) {
  std::string text(longest_, '\0');
  near_low_ = low;
  for (int64_t index = low; index <= high; ++index) {
    const auto size = static_cast<size_t>(write_any(text.data(), held(index)) - text.data());
    Short entry{};
    if (size > sizeof entry.text) {
      near_.clear();
      return;
    }
    entry.size = static_cast<uint8_t>(size);
    std::memcpy(entry.text, text.data(), size);
    near_.push_back(entry);
  }
}

// Whole units that are dates; an index beyond the calendar becomes its end, which says nothing of the data.
void ReleasedValues::hold_within_calendar(const Lattice& lattice) {
  if (places_ != 0)
    throw Error(ErrorKind::kUsage, "dates lie on whole units", "give --step and --bin in whole numbers");
  const auto [first, last] = reads_.calendar();
  const Integer low = -floor(Rational((lattice.origin - first) / lattice.step)),
                high = floor(Rational((last - lattice.origin) / lattice.step));
  const std::pair within{static_cast<int64_t>(low), static_cast<int64_t>(high)};
  range_ = holds_ ? std::pair{std::clamp(range_.first, within.first, within.second),
                              std::clamp(range_.second, within.first, within.second)}
                  : within;
  holds_ = true;
}

int64_t ReleasedValues::day(int64_t index) const {
  return first_day_of(static_cast<int64_t>(scaled(index)), reads_.date->unit);
}

char* ReleasedValues::write_digits(char* to, __int128 value) const {
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
    if (count == places_) *to++ = reads_.numbers.marks == NumberForm::kComma ? ',' : '.';
    *to++ = digits[--count];
  }
  return to;
}

char* ReleasedValues::write_number(char* to, int64_t index) const {
  if (reads_.date) {
    const std::string text = date_text(day(index), reads_.date->form);
    return to + text.copy(to, text.size());
  }
  if (quotes_) *to++ = '"';
  to = write_digits(to, first_ + each_ * index);
  if (reads_.numbers.percent) *to++ = '%';
  if (quotes_) *to++ = '"';
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
  if (reads_.date) return {.content = reads_.date->form == DateForm::kIso ? Content::kDate : Content::kText};
  if (!reads_.is_plain()) return {.content = Content::kText};
  constexpr int64_t kFarthest = int64_t{1} << 62;  // of an index
  const __int128 low = first_ + each_ * (clamps_ ? range_.first : -kFarthest),
                 high = first_ + each_ * (clamps_ ? range_.second : kFarthest);
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  if (places_ > 0 || low < kLeast || high > kMost) return {.content = Content::kNumber};
  return {.content = Content::kWhole, .range = {static_cast<int64_t>(low), static_cast<int64_t>(high)}};
}

char* ReleasedValues::write_lines(char* to, std::span<const int64_t> indices) const {
  // Copies: what is written might change the members, for all that the compiler knows.
  const std::span<const Short> near = near_;
  const auto near_low = static_cast<uint64_t>(near_low_);
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  const auto [least, most] = holds_ ? range_ : std::pair{kLeast, kMost};
  for (const int64_t index : indices) {
    const uint64_t place = static_cast<uint64_t>(std::clamp(index, least, most)) - near_low;
    if (place < near.size()) [[likely]] {
      const Short& text = near[place];
      std::memcpy(to, text.text, sizeof(Short));
      to += text.size;
    } else {
      to = write(to, index);
    }
    *to++ = '\n';
  }
  return to;
}

char* ReleasedValues::write_any(char* to, int64_t index) const {
  if (categories_ && index >= 1 && static_cast<size_t>(index) <= labels_.size()) {
    const std::string& text = labels_[static_cast<size_t>(index) - 1];
    return to + text.copy(to, text.size());
  }
  return write_number(to, index);
}

}  // namespace fugu::inline in_release
