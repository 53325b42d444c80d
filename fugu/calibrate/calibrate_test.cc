#include "fugu/calibrate/calibrate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/calibrate/methods.h"
#include "fugu/verify/verify.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::BruteLoss;
using testing::epsilon_of;
using testing::exp_bounds;
using testing::random_scenario;

// Is the loss at ideal Laplace noise of this (rational) scale at most epsilon? By brute force at both ends of
// a narrow rational bracket of r = exp(-step/theta).
bool brute_attains(const Scenario& scenario, const Rational& theta, bool generous) {
  constexpr unsigned kBits = 96;
  auto r = exp_bounds(Rational(-scenario.lattice.step / theta));
  Integer numerator = floor(Rational((generous ? r.high : r.low) * Rational(Integer(1) << kBits)));
  if (generous) numerator += 1;  // more noise
  BruteLoss loss = testing::brute_laplace(scenario, numerator, kBits);
  auto limit = exp_bounds(scenario.epsilon.value());
  return !loss.infinite && loss.ratio <= (generous ? limit.high : limit.low);
}

RC_GTEST_PROP(CalibrateProperty, ExactIsTheLeastScaleByBruteForce, ()) {
  Scenario scenario = random_scenario(40, 5);
  const Scale scale = *calibrate(scenario, "exact", "laplace").noise().scale;
  if (scale.value == 0) {
    BruteLoss raw = testing::brute_loss(scenario, 0, [](int64_t z) { return Integer(z == 0 ? 1 : 0); });
    RC_ASSERT(!raw.infinite);
    RC_ASSERT(raw.ratio <= exp_bounds(scenario.epsilon.value()).high);
    return;
  }
  RC_ASSERT(brute_attains(scenario, exact(scale.value), true));
  RC_ASSERT(!brute_attains(scenario, Rational(exact(scale.value) * (1 - Rational(1, 1000000000))), false));
}

RC_GTEST_PROP(CalibrateProperty, MethodsAreOrderedAndProved, ()) {
  Scenario scenario = random_scenario(40, 6);
  double last = HUGE_VAL;
  for (const Candidate& candidate : compare(scenario, {"laplace"})) {
    RC_ASSERT(candidate.scale->value <= last);
    RC_ASSERT(*candidate.loss <= round_up(scenario.epsilon.value()));
    last = candidate.scale->value;
  }
}

// The verifier's own loop is checked against brute force in verify/; here that every plan passes it, from
// JSON too.
RC_GTEST_PROP(CalibrateProperty, PlansVerify, ()) {
  Scenario scenario = random_scenario(20, 5);
  const auto methods = methods_for(*family_named("laplace"));
  const Method& method = methods[*rc::gen::inRange<size_t>(0, methods.size())];
  Plan plan = calibrate(scenario, method.name, "laplace");
  Plan read = plan_from_json(parse_json(plan_to_json(plan).pretty(), "plan"), "plan");
  RC_ASSERT(read == plan);
  RC_ASSERT(*verify(read).loss <= round_up(scenario.epsilon.value()));
}

RC_GTEST_PROP(CalibrateProperty, ScaleFollowsUnitsAndIgnoresShifts, ()) {
  Scenario scenario = random_scenario(15, 4);
  Scenario moved = scenario;
  moved.lattice.step = scenario.lattice.step * 8;
  for (Prior& prior : moved.priors) {
    for (Distribution& given : prior.by_secret) {
      std::vector<int64_t> atoms(given.atoms().begin(), given.atoms().end());
      std::vector<Rational> masses;
      for (size_t k = 0; k < given.size(); ++k) masses.push_back(given.mass(k));
      for (int64_t& atom : atoms) atom += 1000;
      given = Distribution::from_masses(atoms, masses);
    }
  }
  for (const Method& method : methods_for(*family_named("laplace"))) {
    const double before = calibrate(scenario, method.name, "laplace").noise().scale->value;
    RC_ASSERT(calibrate(moved, method.name, "laplace").noise().scale->value == 8 * before);
  }
}

// Two laws that differ by a pure shift need exactly W_inf/epsilon by every method from Theorem 1 on.
TEST(Calibrate, PureShiftNeedsTheSameByEveryMethod) {
  Scenario scenario{epsilon_of("0.5")};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p",
       {Distribution::from_counts({0, 1, 5}, {3, 1, 2}), Distribution::from_counts({2, 3, 7}, {3, 1, 2})}});
  for (const char* method : {"kantorovich", "relaxed", "harmonic", "sharp", "exact"}) {
    EXPECT_EQ(calibrate(scenario, method, "laplace").noise().scale->value, 4) << method;
  }
  EXPECT_EQ(calibrate(scenario, "sensitivity", "laplace").noise().scale->value, 14);
}

TEST(Calibrate, EqualLawsNeedNoNoise) {
  Scenario scenario{epsilon_of("0.001")};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({0, 100}, {1, 1}), Distribution::from_counts({0, 100}, {7, 7})}});
  for (const char* method : {"kantorovich", "relaxed", "harmonic", "sharp", "exact"}) {
    Plan plan = calibrate(scenario, method, "laplace");
    EXPECT_TRUE(plan.noise().is_none()) << method;
    ASSERT_EQ(plan.notes.size(), 1u);
    EXPECT_EQ(plan.notes[0], "no noise is needed: the column keeps the promise as it is");
    EXPECT_EQ(plan.witness.loss, 0);
  }
}

// Epsilon so small that doubles cannot see the loss: the certified search still finds the least scale.
TEST(Calibrate, TinyEpsilonIsDecidedWithMoreDigits) {
  Scenario scenario{epsilon_of("1e-13")};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p",
       {Distribution::from_counts({0, 1, 2}, {1, 2, 1}), Distribution::from_counts({0, 1, 2}, {1, 3, 1})}});
  const Scale scale = *calibrate(scenario, "exact", "laplace").noise().scale;
  EXPECT_TRUE(brute_attains(scenario, exact(scale.value), true));
  EXPECT_FALSE(brute_attains(scenario, Rational(exact(scale.value) * (1 - Rational(1, 1000000000))), false));
}

// A wide gap at a small scale: masses underflow a double (e^-2000) and must not count as zero.
TEST(Calibrate, GapsFarBeyondTheScaleDoNotUnderflow) {
  Scenario scenario{epsilon_of("3")};
  scenario.secrets = {"a", "b", "c"};
  scenario.priors.push_back({"p",
                             {Distribution::from_counts({0, 1, 100000}, {5, 5, 1}),
                              Distribution::from_counts({0, 2, 100000}, {5, 5, 1}),
                              Distribution::from_counts({0, 1, 2, 100000}, {4, 4, 2, 1})}});
  Plan plan = calibrate(scenario, "exact", "laplace");
  EXPECT_LT(plan.noise().scale->value, 1);
  EXPECT_NO_THROW(verify(plan));
}

TEST(Calibrate, UnknownNamesAreUsageErrors) {
  Scenario scenario{epsilon_of("1")};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({0}, {1}), Distribution::from_counts({1}, {1})}});
  try {
    calibrate(scenario, "magic", "laplace");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.message(), "--method: there is no method 'magic'");
    EXPECT_EQ(error.hint(),
              "use one of sensitivity, kantorovich, relaxed, harmonic, sharp, exact, optimal, channel, swap, "
              "dp-laplace, "
              "randomized-response");
  }
  try {
    calibrate(scenario, "exact", "cauchy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.message(), "--noise: there is no noise 'cauchy'");
  }
}

}  // namespace
}  // namespace fugu
