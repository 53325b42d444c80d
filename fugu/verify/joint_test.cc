#include "fugu/proof/grid_kernel.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/scenario/columns.h"
#include "fugu/verify/verify.h"
#include "tests/support/exp_bounds.h"
#include "tests/support/random_joint.h"

namespace fugu {
namespace {

using testing::joint_scenario;
using testing::JointCounts;

void equals_brute_force(size_t columns, size_t atoms, int64_t width, int64_t margin) {
  const Scenario scenario = testing::random_joint_scenario(columns, atoms, width, 3);
  const JointNoise noise = testing::random_joint_noise(columns);
  const auto brute = testing::brute_joint(scenario, noise, margin);
  const Proof proof = prove(scenario, noise);
  RC_ASSERT(proof.infinite == brute.infinite);
  if (brute.infinite) {
    RC_ASSERT(!proof.holds);
    return;
  }
  RC_ASSERT(proof.holds == (brute.ratio <= testing::exp_bounds(scenario.epsilon.value()).low));
  const double loss = log(Interval(brute.ratio, 200)).upper();
  RC_ASSERT(*proof.witness.loss >= loss);
  RC_ASSERT(*proof.witness.loss <= loss * (1 + 1e-15) + 1e-30);
  // The witness is an output where it is that large.
  Scenario there = scenario;
  std::erase_if(there.priors, [&](const Prior& prior) { return prior.name != proof.witness.prior; });
  Rational most(1);
  for (auto [a, b] : there.pairs.list(there.secrets.size())) {
    const auto& given = there.priors[0].by_secret;
    const Rational p = testing::joint_mass(there, given[a], noise, proof.witness.point),
                   q = testing::joint_mass(there, given[b], noise, proof.witness.point);
    if (p != q) most = std::max({most, Rational(p / q), Rational(q / p)});
  }
  RC_ASSERT(most == brute.ratio);
}

// The verifier looks at the grid; brute force looks at every output of a wide box around it.
RC_GTEST_PROP(JointLossProperty, EqualsBruteForceInTwoColumns, ()) { equals_brute_force(2, 5, 6, 5); }
RC_GTEST_PROP(JointLossProperty, EqualsBruteForceInThreeColumns, ()) { equals_brute_force(3, 4, 3, 2); }

// Which column is called the first does not matter.
RC_GTEST_PROP(JointLossProperty, ColumnsMayBeSwapped, ()) {
  const Scenario scenario = testing::random_joint_scenario(2, 6, 9);
  const JointNoise noise = testing::random_joint_noise(2);
  Scenario swapped = scenario;
  std::swap(swapped.axes[0], swapped.axes[1]);
  std::vector<Point> points = scenario.points;
  for (Point& point : points) std::swap(point[0], point[1]);
  swapped.points = points;
  sort_points(swapped.points);
  for (Prior& prior : swapped.priors) {
    for (Distribution& given : prior.by_secret) {
      std::vector<int64_t> atoms;
      std::vector<Rational> masses;
      for (size_t k = 0; k < given.size(); ++k) {
        atoms.push_back(index_of(swapped.points, points[static_cast<size_t>(given.atoms()[k])]));
        masses.push_back(given.mass(k));
      }
      given = Distribution::from_masses(atoms, masses);
    }
  }
  JointNoise other = noise;
  std::swap(other.columns[0], other.columns[1]);
  const Proof first = prove(scenario, noise), second = prove(swapped, other);
  RC_ASSERT(first.holds == second.holds);
  RC_ASSERT(first.infinite == second.infinite);
  if (!first.infinite) RC_ASSERT(std::fabs(*first.witness.loss - *second.witness.loss) < 1e-14);
}

JointNoise dyadic(std::vector<std::pair<int, uint64_t>> tails) {
  JointNoise noise{Scale{1}, {}};
  for (auto [numerator, bits] : tails) {
    noise.columns.push_back(no_noise("laplace"));
    noise.columns.back().scale = Scale{1};
    noise.columns.back().tail = {Integer(numerator), bits};
  }
  return noise;
}

// docs/math.md, section 10: X1 = S xor B and X2 = B say nothing each and everything together.
TEST(JointLoss, XorTellsNothingByColumnAndEverythingTogether) {
  const Scenario scenario = joint_scenario({{JointCounts{{{0, 0}, 1}, {{1, 1}, 1}},  // S = 0
                                             JointCounts{{{1, 0}, 1}, {{0, 1}, 1}}}},
                                           2);
  for (size_t c : {0U, 1U}) EXPECT_TRUE(prove(scenario.column(c), no_noise("laplace")).holds);
  const Proof raw = prove(scenario, dyadic({{0, 0}, {0, 0}}));
  EXPECT_FALSE(raw.holds);
  EXPECT_TRUE(raw.infinite);
  // With ratios r: (1 + r^2) / (2 r).
  const Proof proof = prove(scenario, dyadic({{1, 1}, {1, 1}}));
  EXPECT_NEAR(*proof.witness.loss, std::log(1.25), 1e-15);
  EXPECT_TRUE(proof.holds);
}

// The largest loss is at (2, 1), which no secret ever has: the joint values themselves would miss it.
TEST(JointLoss, TheLargestMayLieOffTheJointValues) {
  const Scenario scenario =
      joint_scenario({{JointCounts{{{0, 0}, 1}}, JointCounts{{{0, 1}, 1}, {{2, 0}, 1}}}}, 2);
  const JointNoise noise = dyadic({{1, 1}, {1, 1}});
  const Proof proof = prove(scenario, noise);
  EXPECT_EQ(proof.witness.point, (Point{2, 1}));
  EXPECT_NEAR(*proof.witness.loss, std::log(3), 1e-15);
  const auto ratio = [&](const Point& y) {
    const auto& given = scenario.priors[0].by_secret;
    const Rational p = testing::joint_mass(scenario, given[0], noise, y),
                   q = testing::joint_mass(scenario, given[1], noise, y);
    return std::max(Rational(p / q), Rational(q / p));
  };
  EXPECT_EQ(ratio({2, 1}), 3);
  for (const Point& point : scenario.points) EXPECT_LE(ratio(point), Rational(8, 3));
}

TEST(JointLoss, GridNumbersItsCells) {
  const Scenario scenario =
      joint_scenario({{JointCounts{{{0, 7, 1}, 1}, {{4, 5, 1}, 1}}, JointCounts{{{9, 5, 2}, 1}}}}, 3);
  const ProductGrid grid(scenario, scenario.priors[0]);
  EXPECT_EQ(grid.cells(), 12U);
  for (size_t cell = 0; cell < grid.cells(); ++cell) EXPECT_EQ(grid.cell(grid.point(cell)), cell);
  EXPECT_EQ(grid.point(11), (Point{9, 7, 2}));
}

std::string message_of(const Scenario& scenario, const Mechanism& mechanism) {
  try {
    prove(scenario, mechanism);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

TEST(JointLoss, RefusesWhatItCannotProve) {
  Scenario scenario = joint_scenario({{JointCounts{{{0, 0}, 1}}, JointCounts{{{1, 1}, 1}}}}, 2);
  const JointNoise noise = dyadic({{1, 1}, {1, 1}});
  EXPECT_EQ(message_of(scenario, no_noise("laplace")),
            "the plan does not verify: the noise is not that of the scenario's columns");
  EXPECT_EQ(message_of(scenario, dyadic({{1, 1}, {1, 1}, {1, 1}})),
            "the plan does not verify: the noise is not that of the scenario's columns");
  EXPECT_EQ(message_of(scenario.column(0), noise),
            "the plan does not verify: the noise is not that of the scenario's columns");
  JointNoise wide = noise;
  wide.columns[1].weights = {1, 2, 1};
  EXPECT_EQ(message_of(scenario, wide),
            "the plan does not verify: the noise of several columns must be laplace");
  scenario.delta = Delta::parse("0.1", "test", ErrorKind::kData);
  EXPECT_EQ(message_of(scenario, noise), "--delta: this works with one released column only");
  scenario.delta = {};
  scenario.confidence = Rational(9, 10);
  EXPECT_EQ(message_of(scenario, noise), "--confidence: this works with one released column only");
  scenario.confidence.reset();
  scenario.promise({scenario.epsilon}, Rational(1, 100), Closeness::By::kBoxes);
  EXPECT_EQ(
      message_of(scenario, noise),
      "the plan does not verify: with noise on several columns only a smaller budget covers close beliefs");
}

TEST(JointLoss, RefusesAGridThatIsTooLarge) {
  JointCounts diagonal;
  for (int64_t k = 0; k < 1100; ++k) diagonal[{k, k}] = 1;
  const Scenario scenario = joint_scenario({{diagonal, JointCounts{{{0, 0}, 1}}}}, 2);
  EXPECT_FALSE(grid_is_small(scenario));
  try {
    check_grid(scenario);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "--public: the columns have 1.21e+06 combinations of values, times 2 secrets: too many to look "
              "at each");
  }
  const Proof proof = prove(scenario, dyadic({{1, 1}, {1, 1}}));
  EXPECT_TRUE(proof.bounded);
  EXPECT_FALSE(proof.holds);
}

}  // namespace
}  // namespace fugu
