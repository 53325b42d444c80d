// What a statement of rows that traded places says of a table: each end of each bound misses no more often
// than it may. The chances are added up exactly, for every count that may be released.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "fugu/estimate/cross_table.h"
#include "fugu/plan/statement.h"
#include "fugu/plan/swap_facts.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

// Two columns, a = 0 … 2 and b = 0 … 1, in two regions: the k-th point is (k / 2, k % 2).
constexpr size_t kPoints = 6;
const std::vector<std::string> kRegions{"north", "south"};

struct SwappedTable {
  Scenario scenario;
  Swap swap;
  std::vector<std::vector<uint64_t>> counts;  // by region, by point

  uint64_t rows() const {
    uint64_t sum = 0;
    for (const auto& region : counts) sum = std::accumulate(region.begin(), region.end(), sum);
    return sum;
  }
};

SwapStratum drawn_flows(const std::vector<uint64_t>& counts, const std::string& region) {
  SwapStratum stratum{{region}, {}, {}, {}};
  for (size_t x = 0; x < kPoints; ++x) {
    stratum.points.push_back(static_cast<int64_t>(x));
    stratum.totals.push_back(counts[x] * 16);
  }
  std::vector<uint64_t> left = stratum.totals;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> flows;
  for (int c = *rc::gen::inRange(0, 8); c > 0; --c) {
    const auto cycle = *rc::gen::unique<std::vector<uint32_t>>(*rc::gen::inRange(2, 5),
                                                               rc::gen::inRange<uint32_t>(0, kPoints));
    uint64_t most = UINT64_MAX;
    for (uint32_t x : cycle) most = std::min(most, left[x]);
    const uint64_t weight = *rc::gen::element(most, most / 2, most / 16);
    for (size_t k = 0; weight > 0 && k < cycle.size(); ++k) {
      flows[{cycle[k], cycle[(k + 1) % cycle.size()]}] += weight;
      left[cycle[k]] -= weight;
    }
  }
  for (const auto& [ends, weight] : flows) stratum.flows.push_back({ends.first, ends.second, weight});
  return stratum;
}

SwappedTable drawn_table() {
  SwappedTable table{Scenario{testing::epsilon_of("1")}, {}, {}};
  Scenario& scenario = table.scenario;
  scenario.secrets = {"A", "B"};
  scenario.axes = {{{1, 0}}, {{1, 0}}};
  std::vector<int64_t> atoms;
  for (size_t x = 0; x < kPoints; ++x) {
    scenario.points.push_back({static_cast<int64_t>(x / 2), static_cast<int64_t>(x % 2)});
    atoms.push_back(static_cast<int64_t>(x));
  }
  for (const std::string& region : kRegions) {
    std::vector<uint64_t> first, second, both;
    for (size_t x = 0; x < kPoints; ++x) {
      first.push_back(*rc::gen::inRange<uint64_t>(1, 12));
      second.push_back(*rc::gen::inRange<uint64_t>(1, 12));
      both.push_back(first.back() + second.back());
    }
    scenario.priors.push_back(
        {.name = region,
         .by_secret = {Distribution::from_counts(atoms, first), Distribution::from_counts(atoms, second)},
         .known = {region}});
    table.swap.strata.push_back(drawn_flows(both, region));
    table.counts.push_back(std::move(both));
  }
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"a", "b"};
  scenario.source->known = {"region"};
  scenario.source->columns.resize(2);
  return table;
}

Json statement_of(const SwappedTable& table) {
  Plan plan{table.scenario, "swap", table.swap, 0, {}, {}, {}, {}, {}};
  plan.unchanged = static_cast<double>(swap_facts(table.scenario, table.swap).unchanged);
  return statement_to_json({.plan = plan, .kept = {"region"}, .publish_min = 1});
}

// A cell: a region, or any; a value of a, of b, or any.
struct Cell {
  std::optional<size_t> region, a, b;
  bool holds(size_t in, size_t x) const {
    return (!region || *region == in) && (!a || *a == x / 2) && (!b || *b == x % 2);
  }
};

// The chance of each released count, and the true one, by the flows.
std::pair<std::vector<double>, uint64_t> law_of(const SwappedTable& table, const Cell& cell) {
  std::vector<double> law{1};
  uint64_t truth = 0;
  for (size_t t = 0; t < kRegions.size(); ++t) {
    const SwapStratum& stratum = table.swap.strata[t];
    std::vector<double> inside(kPoints);
    for (size_t x = 0; x < kPoints; ++x) inside[x] = cell.holds(t, x);
    for (const SwapFlow& flow : stratum.flows)
      inside[flow.from] += (cell.holds(t, flow.to) - cell.holds(t, flow.from)) *
                           static_cast<double>(flow.weight) / static_cast<double>(stratum.totals[flow.from]);
    for (size_t x = 0; x < kPoints; ++x) {
      truth += cell.holds(t, x) ? table.counts[t][x] : 0;
      for (uint64_t row = 0; row < table.counts[t][x]; ++row) {
        law.push_back(0);
        for (size_t k = law.size(); k-- > 1;) law[k] = law[k] * (1 - inside[x]) + law[k - 1] * inside[x];
        law[0] *= 1 - inside[x];
      }
    }
  }
  return {law, truth};
}

// A released table with so many rows in the cell, by its columns alone.
CountBounds bounds_of(const SwappedTable& table, const PublishedSwap& swap, const Cell& cell, uint64_t count,
                      double confidence) {
  uint64_t among = table.rows();
  if (cell.region)
    among =
        std::accumulate(table.counts[*cell.region].begin(), table.counts[*cell.region].end(), uint64_t{0});
  std::vector<std::string> names, in, out, elsewhere;
  CrossPlaces places;
  auto add = [&](const char* name, std::optional<size_t> place, const std::string& here,
                 const std::string& there, const std::string& far) {
    names.emplace_back(name);
    places.push_back(place);
    in.push_back(here);
    out.push_back(there);
    elsewhere.push_back(far);
  };
  auto other = [](size_t value) { return value == 0 ? std::string("1") : std::string("0"); };
  if (cell.region)
    add("region", std::nullopt, kRegions[*cell.region], kRegions[*cell.region], kRegions[1 - *cell.region]);
  if (cell.a) add("a", 0, std::to_string(*cell.a), other(*cell.a), other(*cell.a));
  if (cell.b) add("b", 1, std::to_string(*cell.b), other(*cell.b), other(*cell.b));
  const std::vector<CountedRow> rows{{in, count}, {out, among - count}, {elsewhere, table.rows() - among}};
  for (const CrossCell& found : cross_table(rows, swap, names, places, confidence).cells) {
    bool same = true;
    for (size_t c = 0; c < in.size(); ++c) same = same && *found.values[c] == in[c];
    if (same) {
      EXPECT_EQ(found.count, count);
      return found.bounds;
    }
  }
  ADD_FAILURE() << "no such cell";
  return {};
}

RC_GTEST_PROP(EstimateSwap, NoEndMissesMoreOftenThanItMay, ()) {
  const SwappedTable table = drawn_table();
  RC_ASSERT(keeps_frequencies(table.scenario, table.swap));
  const auto swap = published_swap_from_json(statement_of(table), "statement");
  RC_ASSERT(swap.has_value());
  const Cell cell{
      *rc::gen::element(std::optional<size_t>{}, std::optional<size_t>{0}, std::optional<size_t>{1}),
      *rc::gen::element(std::optional<size_t>{}, std::optional<size_t>{2}),
      *rc::gen::element(std::optional<size_t>{}, std::optional<size_t>{1})};
  RC_PRE(cell.region || cell.a || cell.b);
  const auto [law, truth] = law_of(table, cell);
  double mean = 0;
  for (size_t count = 0; count < law.size(); ++count) mean += law[count] * static_cast<double>(count);
  RC_ASSERT(std::abs(mean - static_cast<double>(truth)) < 1e-6);
  double variance = 0;
  for (size_t count = 0; count < law.size(); ++count)
    variance += law[count] * std::pow(static_cast<double>(count) - mean, 2);
  for (double confidence : {0.2, 0.8, 0.95, 0.999}) {
    double low = 0, high = 0;
    for (size_t count = 0; count < law.size(); ++count) {
      if (law[count] < 1e-15) continue;
      const CountBounds bounds = bounds_of(table, *swap, cell, count, confidence);
      low += bounds.low > truth ? law[count] : 0;
      high += bounds.high < truth ? law[count] : 0;
      if (bounds.low <= truth && truth <= bounds.high)
        RC_ASSERT(bounds.standard_error >= std::sqrt(variance) - 1e-6);
    }
    RC_ASSERT(low <= (1 - confidence) / 2 + 1e-9);
    RC_ASSERT(high <= (1 - confidence) / 2 + 1e-9);
  }
}

// Negative control: with half of the shares that are stated, bounds are narrower, and miss too often.
TEST(EstimateSwap, AStatementOfHalfTheChangesIsCaught) {
  PublishedSwap swap{.changed = Rational(1, 10), .columns = std::vector<PublishedSwap::Column>(1)};
  swap.columns[0].changed = Rational(1, 10);
  swap.columns[0].lattice = {1, 0};
  // 500 rows of 0 and 500 of 1; each is released as the other with probability 1 / 10.
  std::vector<double> law{1};
  for (int row = 0; row < 1000; ++row) {
    const double p = row < 500 ? 0.9 : 0.1;
    law.push_back(0);
    for (size_t k = law.size(); k-- > 1;) law[k] = law[k] * (1 - p) + law[k - 1] * p;
    law[0] *= 1 - p;
  }
  auto missed = [&](const PublishedSwap& told) {
    double sum = 0;
    for (uint64_t count = 1; count < 1000; ++count) {
      const CrossTable found = cross_table({{{"0"}, count}, {{"1"}, 1000 - count}}, told, {"x"}, {0}, 0.999);
      const CountBounds& bounds = found.cells.front().bounds;
      sum += bounds.low > 500 || bounds.high < 500 ? law[count] : 0;
    }
    return sum;
  };
  EXPECT_LE(missed(swap), 0.001);
  swap.changed /= 2;
  EXPECT_GT(missed(swap), 0.0015);
}

}  // namespace
}  // namespace fugu
