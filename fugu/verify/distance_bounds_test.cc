#include "fugu/proof/distance_bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/verify/verify.h"
#include "tests/support/random_joint.h"

namespace fugu {
namespace {

constexpr Bits kTestBits = 200;

Rational kept_between(const JointNoise& noise, const Point& a, const Point& b) {
  Rational kept(1);
  for (size_t c = 0; c < a.size(); ++c) {
    for (int64_t steps = std::llabs(a[c] - b[c]); steps > 0; --steps) kept *= noise.columns[c].tail.value();
  }
  return kept;
}

// sum_x p(x) / sum_x' q(x') kept(x,x') by definition, the largest over priors, pairs and directions; 0 where
// it has no limit.
Rational brute_mean(const Scenario& scenario, const JointNoise& noise) {
  Rational worst(1);
  auto point = [&](int64_t atom) -> const Point& { return scenario.points[static_cast<size_t>(atom)]; };
  for (const Prior& prior : scenario.priors) {
    for (auto [first, second] : scenario.pairs.list(scenario.secrets.size())) {
      for (auto [a, b] : {std::pair(first, second), std::pair(second, first)}) {
        Rational sum(0);
        const Distribution &p = prior.by_secret[a], &q = prior.by_secret[b];
        for (size_t x = 0; x < p.size(); ++x) {
          Rational reached(0);
          for (size_t y = 0; y < q.size(); ++y)
            reached += q.mass(y) * kept_between(noise, point(p.atoms()[x]), point(q.atoms()[y]));
          if (reached == 0) return 0;
          sum += p.mass(x) / reached;
        }
        worst = std::max(worst, sum);
      }
    }
  }
  return worst;
}

// The loss is at most the mean bound, which is at most what its formula says, and that the range bound.
RC_GTEST_PROP(DistanceBoundsProperty, TheLossIsBelowTheMeanAndTheMeanBelowTheRange, ()) {
  const size_t columns = *rc::gen::inRange<size_t>(2, 4);
  const Scenario scenario = testing::random_joint_scenario(columns, 4, 4, 3);
  const JointNoise noise = testing::random_joint_noise(columns);
  const auto brute = testing::brute_joint(scenario, noise, 1);
  const auto mean = mean_bound(scenario, noise, kTestBits), range = range_bound(scenario, noise, kTestBits);
  RC_ASSERT(mean.has_value() && range.has_value());
  const Rational expected = brute_mean(scenario, noise);
  RC_ASSERT(mean->loss.has_value() == (expected != 0));
  if (range->loss) RC_ASSERT(mean->loss.has_value());
  if (!mean->loss) return;
  RC_ASSERT(!brute.infinite);
  const Interval loss = log(Interval(brute.ratio, kTestBits));
  RC_ASSERT(!certainly_less(*mean->loss, loss));
  const Interval formula = log(Interval(expected, kTestBits));
  RC_ASSERT(!certainly_less(formula, *mean->loss));  // balanced it may be less, and never more
  if (range->loss) RC_ASSERT(!certainly_less(*range->loss, *mean->loss));
}

// Values on a line of n points in each of three columns: too many outputs to look at each.
Scenario wide_scenario(int64_t n) {
  std::vector<testing::JointCounts> laws(2);
  for (int64_t k = 0; k < n; ++k) {
    laws[0][{k, (7 * k) % n, (3 * k) % n}] = 1 + static_cast<uint64_t>(k % 3);
    laws[1][{k, (5 * k) % n, (9 * k) % n}] = 1 + static_cast<uint64_t>(k % 2);
  }
  return testing::joint_scenario({laws}, 3);
}

JointNoise even_noise(const Dyadic& tail) {
  Noise column = no_noise("laplace");
  column.scale = Scale{1};
  column.tail = tail;
  return JointNoise{Scale{1}, {column, column, column}};
}

TEST(DistanceBounds, ProveWhereTheGridIsTooLarge) {
  const Scenario scenario = wide_scenario(127);
  const Dyadic near_one{(Integer(1) << 40) - (Integer(1) << 30), 40};  // 1 - 2^-10
  const Dyadic nearer{(Integer(1) << 40) - (Integer(1) << 25), 40};    // 1 - 2^-15
  const Dyadic far{(Integer(1) << 40) - (Integer(1) << 36), 40};       // 1 - 2^-4
  const Proof by_range = prove(scenario, even_noise(nearer));
  EXPECT_TRUE(by_range.holds && by_range.bounded);
  EXPECT_NEAR(*by_range.witness.loss, 3 * 126 * 0x1p-15, 1e-6);
  // The range alone would be 378/1024 = 0.37: the mean is needed for a smaller epsilon.
  Scenario tight = scenario;
  tight.epsilon = testing::epsilon_of("0.2");
  const Proof by_mean = prove(tight, even_noise(near_one));
  EXPECT_TRUE(by_mean.holds && by_mean.bounded);
  EXPECT_LT(*by_mean.witness.loss, 0.2);
  EXPECT_GT(range_bound(tight, even_noise(near_one), kTestBits)->loss->lower(), 0.3);
  const Proof refused = prove(scenario, even_noise(far));
  EXPECT_FALSE(refused.holds);
  EXPECT_FALSE(prove(scenario, even_noise({Integer(0), 0})).holds);
}

// The mean is that of the priors themselves, and says nothing of a belief beside them.
TEST(DistanceBounds, DoNotCoverCloseBeliefsByBoxes) {
  Scenario scenario = wide_scenario(127);
  const JointNoise noise = even_noise({(Integer(1) << 40) - (Integer(1) << 30), 40});
  EXPECT_TRUE(prove(scenario, noise).holds);
  const Budget stated{scenario.epsilon};
  scenario.promise(stated, Rational(2, 5), Closeness::By::kBoxes);
  EXPECT_THROW(prove(scenario, noise), Error);
  scenario.promise(stated, Rational(1, 100), Closeness::By::kBudget);
  EXPECT_TRUE(prove(scenario, noise).holds);
}

}  // namespace
}  // namespace fugu
