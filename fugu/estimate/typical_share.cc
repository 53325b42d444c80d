#include "fugu/estimate/typical_share.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fugu/estimate/linear.h"
#include "fugu/estimate/response.h"
#include "fugu/estimate/swap_bounds.h"
#include "fugu/plan/published.h"
#include "fugu/plan/statement.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_estimate {
namespace {

constexpr double kShare = 0.1;
constexpr int64_t kMostTypicalValues =
    200;  // of a column: what is inverted for each method must not take long
constexpr Eigen::Index kMostTypicalCells = 300'000;

double typical_miss(const TypicalShare& typical) { return (1 - typical.confidence) / 2; }

TypicalShare of_swap(const Scenario& scenario, const Swap& swap, uint64_t rows) {
  const SwapFacts facts = swap_facts(scenario, swap);
  Rational changed = *std::max_element(facts.changed.begin(), facts.changed.end());
  // As the statement says it: in hundredths, rounded up.
  changed = Rational(-floor(Rational(-100 * changed)), Integer(100));
  TypicalShare result;
  const auto count = static_cast<uint64_t>(std::llround(kShare * static_cast<double>(rows)));
  const double moved = static_cast<double>(changed) * static_cast<double>(rows);
  const CountBounds bounds = bounds_of_count(count, rows, moved, typical_miss(result));
  result.share = static_cast<double>(count) / static_cast<double>(rows);
  result.within =
      static_cast<double>(std::max(bounds.high - count, count - bounds.low)) / static_cast<double>(rows);
  return result;
}

// The true values that a recipient must reckon with, as far as the owner sees it; none where they are many.
std::vector<int64_t> typical_domain(const PublishedColumn& column, const std::vector<int64_t>& values) {
  if (const Channel* channel = std::get_if<Channel>(&column.mechanism)) {
    const bool few = static_cast<int64_t>(channel->inputs.size()) <= kMostTypicalValues;
    return few ? channel->inputs : std::vector<int64_t>{};
  }
  std::pair<int64_t, int64_t> ends{values.front(), values.back()};
  for (const auto& told : {column.bounds, column.support}) {
    if (told) ends = {std::min(ends.first, told->first), std::max(ends.second, told->second)};
  }
  if (ends.second - ends.first >= kMostTypicalValues) return {};
  std::vector<int64_t> domain(static_cast<size_t>(ends.second - ends.first + 1));
  std::iota(domain.begin(), domain.end(), ends.first);
  return domain;
}

// Of each column of the result the values that are asked about: every category whose share is around a tenth,
// or the one that is nearest to it; of numbers the least, as many as come nearest.
Eigen::MatrixXd typical_sets(const Eigen::VectorXd& truth, bool categories) {
  std::vector<Eigen::Index> around;
  for (Eigen::Index k = 0; categories && k < truth.size(); ++k) {
    if (truth(k) >= kShare / 2 && truth(k) <= 2 * kShare) around.push_back(k);
  }
  Eigen::Index first = 0;
  if (categories && around.empty()) {
    (truth.array() - kShare).abs().minCoeff(&first);
    around.push_back(first);
  }
  Eigen::MatrixXd wanted = Eigen::MatrixXd::Zero(
      truth.size(), std::max<Eigen::Index>(1, static_cast<Eigen::Index>(around.size())));
  for (size_t k = 0; k < around.size(); ++k) wanted(around[k], static_cast<Eigen::Index>(k)) = 1;
  if (categories) return wanted;
  double share = 0;
  for (Eigen::Index k = 0; k < truth.size(); ++k) {
    const double more = share + truth(k);
    if (share > 0 && std::abs(more - kShare) > std::abs(share - kShare)) break;
    share = more;
    wanted(k, 0) = 1;
  }
  return wanted;
}

std::optional<TypicalShare> of_column(const PublishedColumn& published, const Scenario& column,
                                      uint64_t rows) {
  const std::vector<int64_t> values = column.own_support();
  const std::vector<int64_t> domain = typical_domain(published, values);
  if (domain.empty()) return std::nullopt;
  const Response response(published, domain);
  if (response.table().size() > kMostTypicalCells) return std::nullopt;
  Eigen::VectorXd truth = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(domain.size()));
  const std::vector<Integer> counts = column.population(values);
  for (size_t x = 0; x < values.size(); ++x) {
    const auto at = std::lower_bound(domain.begin(), domain.end(), values[x]);
    if (at == domain.end() || *at != values[x]) return std::nullopt;
    truth(at - domain.begin()) = static_cast<double>(counts[x]);
  }
  truth /= truth.sum();
  const Eigen::MatrixXd wanted = typical_sets(truth, published.is_categorical());
  const Observed expected{.released = response.table() * truth,
                          .rows = static_cast<double>(rows),
                          .miss = typical_miss({}),
                          .population = false,
                          .unchanged = false};
  const Means means = estimate_means(response, expected, wanted, {});
  std::optional<TypicalShare> worst;
  for (size_t k = 0; k < means.bounds.size(); ++k) {
    TypicalShare one{.share = truth.dot(wanted.col(static_cast<Eigen::Index>(k)))};
    const double low = std::clamp(means.bounds[k].low, 0.0, 1.0),
                 high = std::clamp(means.bounds[k].high, 0.0, 1.0);
    one.within = std::max({high - one.share, one.share - low, 0.0});
    if (!worst || one.within > worst->within) worst = one;
  }
  return worst;
}

}  // namespace

std::optional<TypicalShare> typical_share(const Scenario& scenario, const Mechanism& mechanism,
                                          uint64_t rows) {
  if (rows == 0) return std::nullopt;
  if (changes_nothing(mechanism)) return TypicalShare{.share = kShare};
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) return of_swap(scenario, *swap, rows);
  const Plan plan{scenario, "exact", mechanism, 0, {}, {}, {}, {}, {}};
  const auto columns = published_from_json(statement_to_json({.plan = plan, .publish_min = 1}), "statement");
  std::optional<TypicalShare> worst;
  for (size_t c = 0; c < columns.size(); ++c) {
    const auto found = of_column(columns[c], released_column(scenario, c), rows);
    if (!found) return std::nullopt;
    if (!worst || found->within > worst->within) worst = found;
  }
  return worst;
}

}  // namespace fugu::inline in_estimate
