#include "fugu/show/value_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/show/wording.h"

namespace fugu::inline in_show {
namespace {

constexpr size_t kFewNumbers = 14;
constexpr size_t kLongestName = 24, kLongestNarrow = 15;
constexpr double kNamesApart = 15;     // pixels
constexpr size_t kLongestUpright = 6;  // characters of a label that is not slanted

}  // namespace

ValueAxis named_values(const std::string& title, const std::vector<std::string>& names) {
  ValueAxis values{title, {}, names};
  for (size_t k = 0; k < names.size(); ++k) values.at.push_back(static_cast<double>(k));
  return values;
}

ValueSpan span_of(const ValueAxis& values) {
  double gap = values.at.size() == 1 ? 1 : std::numeric_limits<double>::infinity();
  for (size_t k = 1; k < values.at.size(); ++k) gap = std::min(gap, values.at[k] - values.at[k - 1]);
  return {values.at.front() - gap / 2, values.at.back() + gap / 2, gap};
}

std::vector<Tick> value_ticks(const ValueAxis& values, const ChartAxis& axis, const PlotSetting& setting) {
  const ValueSpan span = span_of(values);
  const double gap = std::fabs(axis.place(span.low + span.gap) - axis.place(span.low));
  const size_t count = values.at.size();
  std::vector<Tick> ticks;
  if (!values.names.empty()) {
    const auto stride = std::max<size_t>(1, static_cast<size_t>(std::ceil(kNamesApart / gap)));
    for (size_t k = 0; k < count; k += stride) {
      ticks.push_back({axis.place(values.at[k]),
                       shortened(values.names[k], setting.narrow() ? kLongestNarrow : kLongestName)});
    }
    return ticks;
  }
  if (count <= kFewNumbers && gap >= 2 * kNamesApart) return ticks_at(values.at, axis);
  return ticks_at(round_ticks(span.low, span.high, setting.narrow() ? 4 : 8), axis);
}

size_t longest_text(const std::vector<Tick>& ticks) {
  size_t longest = 0;
  for (const Tick& tick : ticks) longest = std::max(longest, text_width(tick.text));
  return longest;
}

Labels labels_below(Page& page, const std::vector<Tick>& ticks) {
  const size_t longest = longest_text(ticks);
  if (longest <= kLongestUpright) return Labels::kUpright;
  page.height += 4.6 * static_cast<double>(longest) - 4;
  return Labels::kSlanted;
}

}  // namespace fugu::inline in_show
