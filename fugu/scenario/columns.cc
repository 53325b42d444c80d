#include "fugu/scenario/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/scenario/bags.h"

namespace fugu::inline in_scenario {
namespace {

// To two significant digits, halves upward. Precondition: value > 0.
Rational two_digits(const Rational& value) {
  Rational unit(1);
  while (value / unit >= 100) unit *= 10;
  while (value / unit < 10) unit /= 10;
  return Rational(unit * Rational(round_half_up(Rational(value / unit))));
}

Rational spread_of(const Scenario& column) {
  std::map<int64_t, Integer> counts;
  Integer people(0);
  for (const Prior* prior : column.own_priors()) {
    for (const Distribution& given : prior->by_secret) {
      for (size_t k = 0; k < given.size(); ++k) counts[given.atoms()[k]] += given.weights().at(k);
      people += given.total();
    }
  }
  int64_t median = counts.begin()->first;
  Integer before(0);
  for (const auto& [value, count] : counts) {
    median = value;
    before += count;
    if (2 * before >= people) break;
  }
  Integer sum(0);
  for (const auto& [value, count] : counts) sum += count * std::llabs(value - median);
  const Rational& step = column.lattice.step;
  return sum == 0 ? step : Rational(step * Rational(sum, people));
}

}  // namespace

int64_t WeightedSteps::between(const Point& a, const Point& b) const {
  int64_t sum = 0;
  for (size_t c = 0; c < per_step.size(); ++c) sum += per_step[c] * std::llabs(a[c] - b[c]);
  return sum;
}

WeightedSteps weighted_steps(const Scenario& scenario) {
  WeightedSteps result;
  for (const Axis& axis : scenario.axes)
    result.denominator =
        lcm(result.denominator, Integer(denominator(Rational(axis.lattice.step / axis.weight))));
  Integer farthest(0);
  for (size_t c = 0; c < scenario.axes.size(); ++c) {
    const Axis& axis = scenario.axes[c];
    const Integer units = numerator(Rational(axis.lattice.step / axis.weight * Rational(result.denominator)));
    auto [low, high] = std::minmax_element(scenario.points.begin(), scenario.points.end(),
                                           [&](const Point& a, const Point& b) { return a[c] < b[c]; });
    farthest += units * ((*high)[c] - (*low)[c]);
    if ((farthest >> 61) != 0 || (units >> 61) != 0) {
      throw Error(ErrorKind::kUsage,
                  "--noise-shares: the weights have too many digits for values that far apart",
                  "give each weight with two or three digits");
    }
    result.per_step.push_back(static_cast<int64_t>(units));
  }
  return result;
}

std::vector<Rational> weights_by_spread(const Scenario& scenario) {
  std::vector<Rational> weights;
  if (scenario.released_columns() == 1) return {Rational(1)};
  for (size_t c = 0; c < scenario.released_columns(); ++c)
    weights.push_back(two_digits(spread_of(released_column(scenario, c))));
  return weights;
}

std::vector<Rational> parse_weights(const std::vector<std::string>& texts, size_t columns,
                                    const std::string& place, ErrorKind kind) {
  if (texts.size() != columns) {
    throw Error(kind, fmt::format("{}: there are {} shares for {} columns", place, texts.size(), columns),
                "give one share for each released column, for example 1,2");
  }
  std::vector<Rational> weights;
  for (const std::string& text : texts) {
    const auto weight = parse_number(text);
    if (!weight || *weight <= 0) {
      throw Error(kind, fmt::format("{}: '{}' is not a number greater than 0", place, text),
                  "a column of share 2 gets twice the scale of one of share 1");
    }
    weights.push_back(*weight);
  }
  return weights;
}

void set_weights(Scenario& scenario, std::span<const Rational> weights) {
  const std::vector<Rational> chosen =
      weights.empty() ? weights_by_spread(scenario) : std::vector(weights.begin(), weights.end());
  for (size_t c = 0; c < scenario.axes.size(); ++c) scenario.axes[c].weight = chosen[c % chosen.size()];
}

void sort_points(std::vector<Point>& points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

int64_t index_of(const std::vector<Point>& points, const Point& point) {
  return std::lower_bound(points.begin(), points.end(), point) - points.begin();
}

std::string point_text(const Scenario& scenario, const Point& point) {
  std::string text;
  for (size_t c = 0; c < point.size(); ++c) {
    text += c > 0 ? ", " : "";
    text += scenario.shape(c).text(scenario.axes[c].lattice, point[c]);
  }
  return text;
}

}  // namespace fugu::inline in_scenario
