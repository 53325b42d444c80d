#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "fugu/transport/coupling.h"
#include "fugu/transport/distances.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::random_distribution;
using testing::random_values;

// Blown up so that totals leave 32, 64 and 128 bits: the same distribution through every width of the walk.
Distribution scaled(const Distribution& distribution, const Integer& factor) {
  std::vector<Rational> masses;
  for (size_t k = 0; k < distribution.size(); ++k) masses.emplace_back(distribution.weights().at(k) * factor);
  return Distribution::from_masses({distribution.atoms().begin(), distribution.atoms().end()}, masses);
}

RC_GTEST_PROP(CouplingProperty, IsMonotoneAndHasTheMarginals, ()) {
  const auto values = random_values(30);
  Distribution p = random_distribution(values, 1000), q = random_distribution(values, 1000);
  const unsigned width = *rc::gen::element(0u, 28u, 40u, 70u);
  Coupling plan = monotone_coupling(scaled(p, Integer(1) << width), scaled(q, Integer(1) << width));
  std::vector<Rational> from(p.size(), Rational(0)), to(q.size(), Rational(0));
  for (size_t k = 0; k < plan.cells.size(); ++k) {
    RC_ASSERT(plan.mass(k) > 0);
    from[plan.cells[k].from] += plan.mass(k);
    to[plan.cells[k].to] += plan.mass(k);
    if (k > 0) {
      RC_ASSERT(plan.cells[k - 1].from <= plan.cells[k].from);
      RC_ASSERT(plan.cells[k - 1].to <= plan.cells[k].to);
    }
  }
  for (size_t k = 0; k < p.size(); ++k) RC_ASSERT(from[k] == p.mass(k));
  for (size_t k = 0; k < q.size(); ++k) RC_ASSERT(to[k] == q.mass(k));
}

// W_inf <= d exactly when F(x) <= G(x + d) and G(x) <= F(x + d) for every x: another definition, in
// rationals.
int64_t brute_w_inf(const Distribution& p, const Distribution& q) {
  auto cdf = [](const Distribution& d, int64_t x) {
    Rational sum(0);
    for (size_t k = 0; k < d.size() && d.atoms()[k] <= x; ++k) sum += d.mass(k);
    return sum;
  };
  for (int64_t d = 0;; ++d) {
    bool fits = true;
    for (int64_t x : p.atoms()) fits = fits && cdf(p, x) <= cdf(q, x + d);
    for (int64_t x : q.atoms()) fits = fits && cdf(q, x) <= cdf(p, x + d);
    if (fits) return d;
  }
}

RC_GTEST_PROP(DistancesProperty, AgreeWithTheDefinitionByEveryRoute, ()) {
  const auto values = random_values(15);
  const unsigned width = *rc::gen::element(0u, 28u, 40u, 70u);
  const auto count = *rc::gen::inRange<size_t>(2, 6);
  std::vector<Distribution> laws;
  for (size_t s = 0; s < count; ++s)
    laws.push_back(scaled(random_distribution(values, 5), Integer(1) << width));
  const auto matrix = w_inf_matrix(laws);
  int64_t largest = 0;
  Rational farthest_mean(0);
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = 0; b < count; ++b) {
      const int64_t expected = brute_w_inf(laws[a], laws[b]);
      RC_ASSERT(w_inf(laws[a], laws[b]) == expected);
      RC_ASSERT(matrix[a * count + b] == expected);
      largest = std::max(largest, expected);
      farthest_mean = std::max(farthest_mean, w_1(laws[a], laws[b]));
    }
  }
  RC_ASSERT(largest_w_inf(laws) == largest);
  RC_ASSERT(largest_w_inf(laws, PairSet::of(PairSet::all().list(count))) == largest);
  RC_ASSERT(largest_w_1(laws, PairSet::all()) == farthest_mean);
}

RC_GTEST_PROP(CouplingProperty, ProfileAgreesWithThePlan, ()) {
  const auto values = random_values(15);
  Distribution p = random_distribution(values, 9), q = random_distribution(values, 9);
  Coupling plan = monotone_coupling(p, q);
  auto profile = distance_profile(p, q);
  Rational mean(0), last(1);
  for (const ProfilePoint& point : profile) {
    Rational beyond(0);
    for (size_t k = 0; k < plan.cells.size(); ++k) {
      if (std::llabs(p.atoms()[plan.cells[k].from] - q.atoms()[plan.cells[k].to]) > point.distance)
        beyond += plan.mass(k);
    }
    RC_ASSERT(point.mass_beyond == beyond);
    mean += (last - beyond) * point.distance;
    last = beyond;
  }
  RC_ASSERT(profile.back().mass_beyond == 0);
  RC_ASSERT(profile.back().distance == w_inf(p, q));
  RC_ASSERT(mean == w_1(p, q));
}

// 0.1 + 0.2 against 0.3: in doubles 5e-17 of mass is left over and has to cross the gap to 1000.
TEST(Coupling, TheTrapOfDecimals) {
  auto decimal = [](const char* text) { return *parse_decimal(text); };
  Distribution p = Distribution::from_masses({0, 1, 1000}, {decimal("0.1"), decimal("0.2"), decimal("0.7")});
  Distribution q = Distribution::from_masses({0, 1000}, {decimal("0.3"), decimal("0.7")});
  EXPECT_EQ(w_inf(p, q), 1);
  EXPECT_EQ(w_inf(q, p), 1);
  std::vector<Distribution> both{p, q};
  EXPECT_EQ(largest_w_inf(both), 1);
}

// 2,000 random count tables whose mass below a wide gap is the same share on both sides, each share a
// different fraction: nothing crosses the gap. With one count more on one side, something must.
TEST(Coupling, NothingCrossesAGapThatExactArithmeticDoesNotCross) {
  std::mt19937_64 random(20220101);
  auto pick = [&](uint64_t low, uint64_t high) {
    return std::uniform_int_distribution<uint64_t>(low, high)(random);
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const uint64_t below = pick(1, 50), above = pick(1, 50);
    auto table = [&](uint64_t factor) {
      std::vector<int64_t> atoms;
      std::vector<uint64_t> counts;
      for (auto [start, mass] :
           {std::pair<int64_t, uint64_t>{0, below * factor}, {1000000, above * factor}}) {
        uint64_t left = mass;
        for (int64_t x = 0; x < 5 && left > 0; ++x) {
          uint64_t here = x == 4 ? left : pick(0, left);
          left -= here;
          atoms.push_back(start + x);
          counts.push_back(here);
        }
      }
      return Distribution::from_counts(std::move(atoms), std::move(counts));
    };
    Distribution p = table(pick(1, 1000003)), q = table(pick(1, 1000003));
    EXPECT_LE(w_inf(p, q), 4);
    std::vector<Distribution> both{p, q};
    EXPECT_LE(largest_w_inf(both), 4);
    EXPECT_EQ(w_inf_matrix(both)[1], w_inf(p, q));
    // One count moved across the gap on one side: now mass must cross it.
    std::vector<int64_t> atoms(q.atoms().begin(), q.atoms().end());
    std::vector<Rational> masses;
    for (size_t k = 0; k < q.size(); ++k) masses.emplace_back(q.weights().at(k) * 2);
    masses.front() -= 1;
    masses.back() += 1;
    Distribution tilted = Distribution::from_masses(atoms, masses);
    EXPECT_GT(w_inf(p, tilted), 900000);
    both[1] = tilted;
    EXPECT_GT(largest_w_inf(both), 900000);
  }
}

TEST(Distances, CopiesAreAtDistanceZero) {
  std::vector<Distribution> laws(3, Distribution::from_counts({0, 100}, {1, 1}));
  EXPECT_EQ(largest_w_inf(laws), 0);
}

TEST(Distances, RangeIsOverPairsOnly) {
  std::vector<Distribution> laws{Distribution::from_counts({0}, {1}),
                                 Distribution::from_counts({3, 5}, {1, 1}),
                                 Distribution::from_counts({50}, {1})};
  EXPECT_EQ(largest_range(laws, PairSet::all()), 50);
  EXPECT_EQ(largest_range(laws, PairSet::of({{0, 1}})), 5);
  EXPECT_EQ(largest_w_inf(laws, PairSet::of({{0, 1}})), 5);
}

}  // namespace
}  // namespace fugu
