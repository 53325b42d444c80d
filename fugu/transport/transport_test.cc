#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <iterator>
#include <numeric>
#include <random>

#include "fugu/transport/coupling.h"
#include "fugu/transport/distances.h"
#include "fugu/transport/walk.h"
#include "fugu/transport/within_steps.h"
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
  const std::vector<double> masses = plan.approximate_masses();
  RC_ASSERT(masses.size() == plan.cells.size());
  for (size_t k = 0; k < masses.size(); ++k) {
    RC_ASSERT(abs(exact(masses[k]) - plan.mass(k)) <= plan.mass(k) / (Integer(1) << 50));
  }
}

// The plan is walked by several threads, each from the middle, without branches; the walk from the start with
// two pointers says what it must be, cell by cell.
void expect_plan_of_the_walk(const Distribution& from, const Distribution& to) {
  const Coupling plan = monotone_coupling(from, to);
  size_t k = 0, wrong = 0;
  walk_coupling(from, to, [&](size_t i, size_t j, const auto& mass) {
    wrong += k >= plan.cells.size() || plan.cells[k].from != i || plan.cells[k].to != j ||
             plan.numerator(k) != exact_integer(mass);
    ++k;
  });
  EXPECT_EQ(plan.cells.size(), k) << from.size() << " by " << to.size();
  EXPECT_EQ(wrong, 0u) << from.size() << " by " << to.size();
  EXPECT_EQ(std::visit([](const auto& masses) { return masses.size(); }, plan.masses), k);
  EXPECT_EQ(plan.denominator, from.total() * to.total());
}

class LargePlan : public ::testing::Test {
 protected:
  uint64_t pick(uint64_t low, uint64_t high) {
    return std::uniform_int_distribution<uint64_t>(low, high)(random_);
  }
  // `size` atoms with counts up to `largest`; counts of 1 make every cell of equal sizes a tie.
  Distribution counts(size_t size, uint64_t largest) {
    std::vector<uint64_t> counts(size);
    for (uint64_t& count : counts) count = pick(1, largest);
    return of(std::move(counts));
  }
  static Distribution of(std::vector<uint64_t> counts) {
    std::vector<int64_t> atoms(counts.size());
    std::iota(atoms.begin(), atoms.end(), int64_t{0});
    return Distribution::from_counts(std::move(atoms), std::move(counts));
  }

 private:
  std::mt19937_64 random_{20240229};
};

// Around the stride of the running sums, the rows of a thread, and the bytes from which memory is kept.
constexpr size_t kSizes[] = {1,    2,     3,     255,   256,   257,   511,  513,
                             5000, 16383, 16384, 16385, 32767, 32769, 50000};

TEST_F(LargePlan, AgreesWithTheWalkAtEverySizeAndWidth) {
  for (size_t rows : kSizes) {
    for (uint64_t largest :
         {uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 32, uint64_t{1} << 46}) {
      const size_t columns = kSizes[pick(0, std::size(kSizes) - 1)];
      expect_plan_of_the_walk(counts(rows, largest), counts(columns, largest));
      expect_plan_of_the_walk(counts(rows, largest), counts(rows, 3));
    }
  }
  expect_plan_of_the_walk(counts(300, uint64_t{1} << 62), counts(400, uint64_t{1} << 62));  // GMP integers
}

TEST_F(LargePlan, AgreesWithTheWalkAroundFourMegabytes) {
  for (uint64_t largest : {uint64_t{1000}, uint64_t{1} << 40}) {
    for (size_t cells : {kLargeBytes / 16, kLargeBytes / 8}) {
      for (size_t more : {0, 1, 2}) {
        const size_t rows = pick(cells / 3, cells / 2);
        const Distribution from = counts(rows, largest), to = counts(cells + more - rows, largest);
        expect_plan_of_the_walk(from, to);
        expect_plan_of_the_walk(to, from);  // in the memory of the plan before
      }
    }
  }
}

TEST_F(LargePlan, AgreesWithTheWalkWhereMassesTie) {
  const Distribution fine = counts(100000, 1000);
  expect_plan_of_the_walk(fine, fine);
  for (uint64_t factor : {uint64_t{7}, uint64_t{1} << 30}) {
    std::vector<uint64_t> scaled, merged;
    for (size_t k = 0; k < fine.size(); ++k) {
      const uint64_t count = fine.weights().small()[k] * factor;
      scaled.push_back(count);
      if (merged.empty() || pick(0, 2) == 0) merged.push_back(0);
      merged.back() += count;
    }
    expect_plan_of_the_walk(fine, of(scaled));
    expect_plan_of_the_walk(fine, of(merged));
    expect_plan_of_the_walk(of(merged), of(scaled));
  }
  // One heavy atom across many rows of threads, at the start, in the middle and at the end.
  for (size_t heavy : {0, 30000, 99999}) {
    std::vector<uint64_t> tilted(100000, 1);
    tilted[heavy] = 5000000;
    expect_plan_of_the_walk(of(tilted), fine);
    expect_plan_of_the_walk(fine, of(tilted));
  }
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

RC_GTEST_PROP(WithinSteps, SaysWhatTheDistanceSays, ()) {
  std::vector<int64_t> values = random_values(60);
  if (*rc::gen::inRange(0, 2)) std::iota(values.begin(), values.end(), -5);
  const unsigned width = *rc::gen::element(0u, 40u);
  std::vector<Distribution> all;
  for (int k = 0; k < 4; ++k)
    all.push_back(scaled(random_distribution(values, *rc::gen::element(1, 30)), Integer(1) << width));
  all.push_back(all.front());  // equal laws, and equal cumulative masses
  const WithinSteps within(all);
  for (size_t a = 0; a < all.size(); ++a) {
    for (size_t b = 0; b < all.size(); ++b) {
      const int64_t distance = w_inf(all[a], all[b]);
      for (int64_t steps : {int64_t{0}, distance - 1, distance, distance + 1, int64_t{1000}})
        if (steps >= 0) RC_ASSERT(within.holds(a, b, steps) == (distance <= steps));
    }
  }
}

}  // namespace
}  // namespace fugu
