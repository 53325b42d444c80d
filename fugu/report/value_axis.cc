#include "fugu/report/value_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "fugu/report/wording.h"

namespace fugu {
namespace {

constexpr size_t kFewNumbers = 14;
constexpr size_t kLongestLabel = 24;

std::string column_words(const Source& source, const std::vector<std::string>& columns) {
  std::string words;
  for (const std::string& column : columns) words += (words.empty() ? "" : " & ") + column;
  return source.header ? words : "column " + words;
}

std::vector<Tick> category_ticks(const Scenario& scenario, const ChartAxis& axis, double apart) {
  std::vector<Tick> ticks;
  const double pixels = std::fabs(axis.place(1) - axis.place(0));
  const auto stride = std::max<size_t>(1, static_cast<size_t>(std::ceil(apart / pixels)));
  for (size_t k = 1; k <= scenario.source->labels.size(); k += stride) {
    const auto index = static_cast<double>(k);
    if (index < axis.low || index > axis.high) continue;
    ticks.push_back(
        {axis.place(index), shortened(scenario.value_text(static_cast<int64_t>(k)), kLongestLabel)});
  }
  return ticks;
}

std::vector<Tick> round_value_ticks(const Scenario& scenario, const ChartAxis& axis) {
  const auto step = static_cast<double>(scenario.lattice.step),
             origin = static_cast<double>(scenario.lattice.origin);
  std::vector<Tick> all, on_lattice;
  for (double value : round_ticks(origin + step * axis.low, origin + step * axis.high, 8)) {
    const double index = (value - origin) / step;
    all.push_back({axis.place(index), tick_text(value)});
    if (std::fabs(index - std::round(index)) < 1e-6) on_lattice.push_back(all.back());
  }
  return on_lattice.size() >= 2 ? on_lattice : all;
}

}  // namespace

ValueSpan span_of(std::span<const int64_t> values) {
  int64_t gap = INT64_MAX;
  for (size_t k = 1; k < values.size(); ++k) gap = std::min(gap, values[k] - values[k - 1]);
  if (values.size() == 1) gap = 1;
  const auto half = static_cast<double>(gap) / 2;
  return {static_cast<double>(values.front()) - half, static_cast<double>(values.back()) + half,
          static_cast<double>(gap)};
}

std::vector<Tick> value_ticks(const Scenario& scenario, std::span<const int64_t> values,
                              const ChartAxis& axis, double apart) {
  if (scenario.source && !scenario.source->labels.empty()) return category_ticks(scenario, axis, apart);
  const double gap = span_of(values).gap * std::fabs(axis.place(1) - axis.place(0));
  if (values.size() > kFewNumbers || gap < 2 * apart) return round_value_ticks(scenario, axis);
  std::vector<Tick> ticks;
  for (int64_t value : values) {
    ticks.push_back({axis.place(static_cast<double>(value)),
                     tick_text(static_cast<double>(scenario.lattice.value(value)))});
  }
  return ticks;
}

size_t longest_text(const std::vector<Tick>& ticks) {
  size_t longest = 0;
  for (const Tick& tick : ticks) longest = std::max(longest, text_width(tick.text));
  return longest;
}

std::string value_words(const Scenario& scenario) {
  if (!scenario.source || scenario.source->published.empty()) return "value";
  return column_words(*scenario.source, scenario.source->published);
}

std::string secret_words(const Scenario& scenario, size_t secret) {
  const std::string name = shortened(scenario.secrets[secret], kLongestLabel);
  if (!scenario.source || scenario.source->secret.empty()) return "given " + name;
  return column_words(*scenario.source, scenario.source->secret) + " = " + name;
}

std::string prior_words(const Scenario& scenario, size_t prior) {
  if (scenario.priors.size() == 1) return "";
  return fmt::format(" (prior {})", shortened(scenario.priors[prior].name, kLongestLabel));
}

std::vector<uint32_t> paired_secrets(const Scenario& scenario) {
  std::vector<uint32_t> secrets(scenario.secrets.size());
  std::iota(secrets.begin(), secrets.end(), 0);
  if (scenario.pairs.is_all()) return secrets;
  std::set<uint32_t> found;
  for (auto [a, b] : scenario.pairs.list(secrets.size())) found.insert({a, b});
  return {found.begin(), found.end()};
}

}  // namespace fugu
