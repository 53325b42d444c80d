// Calibration against normal laws: by brute force with masses that were computed another way.
#include "fugu/law/normal_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fugu/calibrate/calibrate.h"
#include "fugu/plan/plan.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/verify/verify.h"
#include "tests/support/brute_force.h"
#include "tests/support/normal_tail.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Scenario read(const std::string& epsilon, const std::string& step, const std::string& first,
              const std::string& second, const std::string& clip = "") {
  return scenario_from_json(
      parse_json(R"({"epsilon": )" + epsilon + R"(, "lattice": {"step": )" + step +
                     R"(, "origin": 0}, "source": {)" + (clip.empty() ? "" : "\"clip\": " + clip) +
                     R"(}, "priors": [{"name": "p", "given": {"A": )" + first + R"(, "B": )" + second +
                     "}}]}",
                 "test"),
      "test");
}

std::string gaussian(const std::string& mean, const std::string& sd) {
  return R"({"gaussian": {"mean": )" + mean + R"(, "sd": )" + sd + "}}";
}

// The masses of N(mean, sd) on step * (low … high), the tails at the ends, in long doubles.
std::vector<long double> masses(long double mean, long double sd, long double step, int low, int high) {
  auto tail = [&](long double at) { return std::erfc(at / sd / std::sqrt(2.0L)) / 2; };
  std::vector<long double> result;
  for (int k = low; k <= high; ++k) {
    const long double left = (k - 0.5L) * step - mean, right = (k + 0.5L) * step - mean;
    if (k == low) {
      result.push_back(tail(-right));
    } else if (k == high) {
      result.push_back(tail(left));
    } else {
      result.push_back(left >= 0 ? tail(left) - tail(right) : tail(-right) - tail(-left));
    }
  }
  return result;
}

long double laplace_loss(const std::vector<long double>& p, const std::vector<long double>& q,
                         long double ratio) {
  long double worst = 0;
  for (size_t y = 0; y < p.size(); ++y) {
    long double left = 0, right = 0;
    for (size_t x = 0; x < p.size(); ++x) {
      const long double noise =
          std::pow(ratio, std::fabs(static_cast<long double>(y) - static_cast<long double>(x)));
      left += p[x] * noise;
      right += q[x] * noise;
    }
    worst = std::max(worst, std::fabs(std::log(left / right)));
  }
  return worst;
}

// Between laws of unequal variance mass moves to wherever the clip ends, and Theorem 1 says next to nothing.
// Both released values have the same tails all the same.
TEST(NormalLaws, UnequalVariancesAreServedByTheExactCalibrator) {
  const Scenario scenario = read("0.5", "0.5", gaussian("0", "1"), gaussian("0", "2"));
  EXPECT_EQ(scenario.bounds(), (std::pair<int64_t, int64_t>{-40, 40}));
  const Plan plan = calibrate(scenario, "exact", "laplace");
  EXPECT_EQ(verify(plan), plan.witness);
  const auto p = masses(0, 1, 0.5L, -40, 40), q = masses(0, 2, 0.5L, -40, 40);
  const long double scale = plan.noise().scale->value;
  EXPECT_NEAR(static_cast<double>(laplace_loss(p, q, std::exp(-0.5L / scale))), 0.5, 1e-10);
  EXPECT_GT(laplace_loss(p, q, std::exp(-0.5L / (scale * 0.999L))), 0.5);
  EXPECT_GT(calibrate(scenario, "kantorovich", "laplace").noise().scale->value,
            5 * plan.noise().scale->value);
}

// Two normals of one deviation are a shift apart, but not after they were moved to the lattice.
TEST(NormalLaws, TheShiftIsNotEnoughAfterSnapping) {
  const Scenario scenario = read("1", "1", gaussian("0", "0.1"), gaussian("0.4", "0.1"));
  EXPECT_GT(measure_sensitivity(scenario).w_inf, Rational(4, 10));
  const auto laplace = family_named("laplace");
  EXPECT_FALSE(prove(scenario, laplace->at(Scale{0.4}, scenario.lattice, 0)).holds);
  const Plan plan = calibrate(scenario, "exact", "laplace");
  EXPECT_EQ(verify(plan), plan.witness);
  EXPECT_GT(plan.noise().scale->value, 0.4);
}

// Whole steps apart, and wide: then nearly the shift, and never more than the distance.
TEST(NormalLaws, WholeStepsNeedTheShift) {
  const Scenario scenario = read("1", "1", gaussian("0", "3"), gaussian("2", "3"));
  const double exact = calibrate(scenario, "exact", "laplace").noise().scale->value;
  EXPECT_LE(exact, 2);
  EXPECT_GE(measure_sensitivity(scenario).w_inf, 2);
}

// Every output of a small grid by definition in rationals, with masses from the tests' own tails.
TEST(NormalLaws, TheProvedLossIsThatOfTheDefinition) {
  const Scenario scenario = read("1", "1", gaussian("0.3", "1.5"), R"({"mixture": [
    {"weight": 2, "gaussian": {"mean": -1, "sd": 0.5}}, {"weight": 1, "gaussian": {"mean": 2, "sd": 1}}]})",
                                 "[-3, 3]");
  const NormalLaw first{{{Rational(1), {Rational(3, 10), Rational(3, 2)}}}};
  const NormalLaw second{
      {{Rational(2), {Rational(-1), Rational(1, 2)}}, {Rational(1), {Rational(2), Rational(1)}}}};
  Prior truth{"p", {}};
  for (const NormalLaw& law : {first, second}) {
    std::vector<int64_t> atoms;
    std::vector<Rational> masses;
    Rational whole(0);
    for (const auto& [weight, normal] : law.parts) whole += weight;
    for (int64_t k = -3; k <= 3; ++k) {
      Rational mass(0);
      for (const auto& [weight, normal] : law.parts) {
        const Rational low = k == -3 ? Rational(-1000) : Rational(2 * k - 1, 2);
        const Rational high = k == 3 ? Rational(1000) : Rational(2 * k + 1, 2);
        mass += weight / whole * testing::normal_between(normal.mean, normal.sd, low, high);
      }
      atoms.push_back(k);
      masses.push_back(testing::truncate(mass, 140, false));
    }
    truth.by_secret.push_back(Distribution::from_masses(atoms, masses));
  }
  for (int numerator : {1, 3, 6}) {
    Noise noise = no_noise("laplace");
    noise.tail = {Integer(numerator), 3};
    const Rational ratio = testing::brute_ratio(truth, PairSet::all(), noise);
    const double loss = log(Interval(ratio, 200)).upper();
    EXPECT_NEAR(*prove(scenario, noise).witness.loss, loss, 1e-14 * loss);
    Scenario with_delta = scenario;
    with_delta.delta = Delta::parse("0.001", "test", ErrorKind::kData);
    const Rational growth = testing::exp_bounds(Rational(1)).low;
    const auto hockey = static_cast<double>(testing::brute_hockey(truth, PairSet::all(), noise, growth));
    EXPECT_NEAR(*prove(with_delta, noise).witness.delta, hockey, 1e-13);
  }
}

// The plan holds the laws; what it says in words is what is assumed.
TEST(NormalLaws, APlanHoldsTheLawAndSaysSo) {
  const Scenario scenario = read("1", "1", gaussian("40", "2.5"), gaussian("41", "3"));
  for (const char* method :
       {"sensitivity", "kantorovich", "relaxed", "harmonic", "exact", "channel", "optimal"}) {
    const Plan plan = calibrate(scenario, method, "laplace", {}, {.seconds = 5.0});
    const Plan back = plan_from_json(plan_to_json(plan), "plan");
    EXPECT_EQ(back, plan) << method;
    EXPECT_EQ(verify(back), plan.witness) << method;
  }
  EXPECT_EQ(
      assumptions_of(scenario)[1],
      "Given a secret, a value follows the normal law, or the mixture of normal laws, that the prior states, "
      "wherever it states one; values are held between 11 and 71 and moved to the nearest point of a lattice "
      "with steps of 1 before noise is added.");
  EXPECT_EQ(notes_of(scenario)[0],
            "prior \"p\", secret 'A': the value is normal with mean 40 and standard deviation 2.5");
}

}  // namespace
}  // namespace fugu
