#include "fugu/compose/transfer_bound.h"

#include <algorithm>
#include <cstdlib>

#include "fugu/compose/exchange.h"
#include "fugu/compose/transfer_programme.h"
#include "fugu/transport/transfer.h"

namespace fugu::inline in_compose {
namespace {

constexpr size_t kMostTableValues = 400;     // whose exchanges are all held
constexpr double kMostProgrammeCells = 6e4;  // of the programmes of all pairs: a few seconds
constexpr size_t kFewestCells = 6;           // for each value
constexpr size_t kMostForPaths = 120;        // values, whose cube is the work

// What one step keeps of all releases, where all are Laplace noise; absent where one is not.
std::optional<Interval> kept_by_step(const std::vector<const Mechanism*>& releases, Bits bits) {
  Interval ratio(Integer(1), bits);
  for (const Mechanism* release : releases) {
    const Noise* noise = std::get_if<Noise>(release);
    if (!noise || noise->reach() != 0 || noise->tail.numerator == 0) return std::nullopt;
    ratio *= Interval(noise->tail.value(), bits);
  }
  return ratio;
}

KeptTable table_of(const std::vector<int64_t>& values, const std::vector<const Mechanism*>& releases,
                   Bits bits) {
  KeptTable kept(values.size(), std::vector<Interval>(values.size(), Interval(Integer(1), bits)));
  for (const Mechanism* release : releases) {
    Exchange exchange(*release, Rational(1), bits);
    for (size_t x = 0; x < values.size(); ++x) {
      for (size_t other = 0; other < values.size(); ++other) {
        if (other != x) kept[x][other] *= exchange.kept(values[x], values[other]);
      }
    }
  }
  // What a release could not afford to look at counts as nothing kept; other ways may keep something.
  const bool lost = std::any_of(kept.begin(), kept.end(), [](const std::vector<Interval>& row) {
    return std::any_of(row.begin(), row.end(), [](const Interval& one) { return !one.certainly_positive(); });
  });
  if (lost && values.size() <= kMostForPaths) take_best_paths(kept);
  return kept;
}

// Of several columns an atom is the place of its point.
KeptTable table_of(const std::vector<std::vector<int64_t>>& points, const std::vector<int64_t>& values,
                   const std::vector<const Mechanism*>& releases, Bits bits) {
  std::vector<Interval> ratios(points.front().size(), Interval(Integer(1), bits));
  for (const Mechanism* release : releases) {
    const auto& columns = std::get<JointNoise>(*release).columns;
    for (size_t c = 0; c < ratios.size(); ++c) ratios[c] *= Interval(columns[c].tail.value(), bits);
  }
  KeptTable kept(values.size(), std::vector<Interval>(values.size(), Interval(Integer(1), bits)));
  for (size_t x = 0; x < values.size(); ++x) {
    for (size_t other = 0; other < values.size(); ++other) {
      const auto &from = points[static_cast<size_t>(values[x])],
                 &to = points[static_cast<size_t>(values[other])];
      for (size_t c = 0; c < ratios.size(); ++c) {
        if (from[c] != to[c])
          kept[x][other] *= pow(ratios[c], static_cast<uint64_t>(std::llabs(from[c] - to[c])));
      }
    }
  }
  return kept;
}

std::vector<Rational> masses_over(const std::vector<int64_t>& values, const Distribution& law) {
  std::vector<Rational> masses(values.size());
  for (size_t k = 0, at = 0; k < law.size(); ++k, ++at) {
    while (values[at] != law.atoms()[k]) ++at;
    masses[at] = law.mass(k);
  }
  return masses;
}

std::optional<Interval> by_programmes(const Scenario& scenario, const std::vector<const Mechanism*>& releases,
                                      Bits bits) {
  const auto pairs = scenario.pairs.list(scenario.secrets.size());
  double lines = 0;  // values of all pairs
  for (const Prior& prior : scenario.priors) {
    const size_t values = union_support(prior.by_secret).size();
    if (values > kMostTableValues) return std::nullopt;
    lines += 2 * static_cast<double>(pairs.size() * values);
  }
  const double cells = kMostProgrammeCells / lines;
  if (cells < static_cast<double>(kFewestCells)) return std::nullopt;
  Interval most(Integer(1), bits);
  for (const Prior& prior : scenario.priors) {
    const auto values = union_support(prior.by_secret);
    const KeptTable kept = scenario.is_joint() ? table_of(scenario.points, values, releases, bits)
                                               : table_of(values, releases, bits);
    for (auto [a, b] : pairs) {
      const auto first = masses_over(values, prior.by_secret[a]),
                 second = masses_over(values, prior.by_secret[b]);
      for (bool forth : {true, false}) {
        const auto found = transfer_by_programme(forth ? first : second, forth ? second : first, kept,
                                                 static_cast<size_t>(cells));
        if (!found) return std::nullopt;
        if (upper_less(most, *found)) most = *found;
      }
    }
  }
  // At every output one mass is at most 1 + b times the nominal, the other at least 1 - b times.
  if (const Rational blur = scenario.blur(); blur != 0)
    most *= Interval(Rational((1 + blur) / (1 - blur)), bits);
  return log(most);
}

}  // namespace

std::optional<Interval> transfer_bound(const Scenario& scenario,
                                       const std::vector<const Mechanism*>& releases, const Rational& hoped,
                                       Bits precision) {
  if (!scenario.is_joint()) {
    if (const auto ratio = kept_by_step(releases, precision)) {
      const LineTransfer transfer(scenario);
      if (transfer.work() > kMostTransferWork) return std::nullopt;
      return transfer.bound(*ratio, hoped);
    }
  }
  if (scenario.confidence) return std::nullopt;
  return by_programmes(scenario, releases, precision);
}

}  // namespace fugu::inline in_compose
