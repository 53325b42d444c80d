// The optimal noise and channel: always proved, never worse than what they improve on, exact in what they
// claim. Against another solver: tests/cli/optimum_test.py.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/methods.h"
#include "fugu/core/deadline.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/verify/verify.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::random_scenario;

// Largest P_a(y)/P_b(y) of a channel by definition; nullopt where an output is possible under one secret
// only.
std::optional<Rational> channel_ratio(const Scenario& scenario, const Channel& channel) {
  Rational worst(1);
  for (const Prior& prior : scenario.priors) {
    for (size_t k = 0; k < channel.outputs.size(); ++k) {
      std::vector<Rational> mass;
      for (const Distribution& given : prior.by_secret) {
        Rational sum(0);
        for (size_t x = 0; x < given.size(); ++x) {
          for (size_t i = 0; i < channel.inputs.size(); ++i) {
            if (channel.inputs[i] == given.atoms()[x])
              sum += given.mass(x) * Rational(channel.weights[i][k], channel.row_total(i));
          }
        }
        mass.push_back(sum);
      }
      for (auto [a, b] : scenario.pairs.list(prior.by_secret.size())) {
        if (mass[a] == 0 && mass[b] == 0) continue;
        if (mass[a] == 0 || mass[b] == 0) return std::nullopt;
        worst = std::max({worst, Rational(mass[a] / mass[b]), Rational(mass[b] / mass[a])});
      }
    }
  }
  return worst;
}

void expect_sound(const Plan& plan) {
  const Plan read = plan_from_json(parse_json(plan_to_json(plan).pretty(), "plan"), "plan");
  RC_ASSERT(read == plan);
  RC_ASSERT(verify(read) == plan.witness);
  if (const Channel* channel = std::get_if<Channel>(&plan.mechanism)) {
    const auto ratio = channel_ratio(plan.scenario, *channel);
    RC_ASSERT(ratio.has_value());
    RC_ASSERT(*ratio <= testing::exp_bounds(plan.scenario.epsilon.value()).high);
  }
}

void show(const Scenario& scenario) { RC_LOG() << scenario_to_json(scenario).pretty(); }

Scenario small_scenario() {
  Scenario scenario = random_scenario(7, 4);
  static const std::vector<std::string> kEpsilons = {"0.1", "0.3", "0.5", "1", "1.7", "3", "1/3"};
  scenario.epsilon = epsilon_of(kEpsilons[*rc::gen::inRange<size_t>(0, kEpsilons.size())]);
  show(scenario);
  return scenario;
}

RC_GTEST_PROP(OptimumProperty, NoiseIsProvedAndNoWorseThanLaplace, ()) {
  Scenario scenario = small_scenario();
  // Wide noise has long tables; the narrow are quick.
  if (scenario.epsilon.value() < Rational(1, 2)) scenario.epsilon = epsilon_of("0.7");
  OptimumOptions options{.seconds = 0.5};  // what holds must hold whenever the search ends
  options.asymmetric = *rc::gen::inRange(0, 3) == 0;
  if (*rc::gen::inRange(0, 3) == 0) options.measure.kind = ErrorMeasure::kAbsolute;
  const Plan plan = calibrate(scenario, "optimal", "laplace", {}, options);
  expect_sound(plan);
  const Plan laplace = calibrate(scenario, "exact", "laplace");
  RC_ASSERT(plan.objective->error <= mean_error(scenario, laplace.mechanism, options.measure));
  RC_ASSERT(mean(plan.noise()) == 0);
}

RC_GTEST_PROP(OptimumProperty, ChannelIsProved, ()) {
  const Scenario scenario = small_scenario();
  OptimumOptions options;
  options.measure.kind =
      *rc::gen::element(ErrorMeasure::kSquared, ErrorMeasure::kAbsolute, ErrorMeasure::kZeroOne);
  expect_sound(calibrate(scenario, "channel", "laplace", {}, options));
}

RC_GTEST_PROP(OptimumProperty, UnbiasedChannelsAreExactlySo, ()) {
  const Scenario scenario = small_scenario();
  OptimumOptions options;
  options.unbiased = true;
  const Plan plan = calibrate(scenario, "channel", "laplace", {}, options);
  expect_sound(plan);
  RC_ASSERT(std::get<Channel>(plan.mechanism).is_unbiased());
  OptimumOptions biased;
  biased.outputs = std::get<Channel>(plan.mechanism).outputs;
  RC_ASSERT(calibrate(scenario, "channel", "laplace", {}, biased).mse <= plan.mse * (1 + 1e-6) + 1e-12);
}

RC_GTEST_PROP(OptimumProperty, WithDelta, ()) {
  Scenario scenario = random_scenario(5, 3);
  scenario.epsilon = epsilon_of("1");
  scenario.delta =
      Delta::parse(*rc::gen::element<std::string>("0.2", "0.01", "1e-4", "1e-6"), "test", ErrorKind::kBug);
  const Plan channel = calibrate(scenario, "channel", "laplace");
  RC_ASSERT(verify(channel) == channel.witness);
  Scenario pure = scenario;
  pure.delta = {};
  RC_ASSERT(channel.mse <= calibrate(pure, "channel", "laplace").mse * (1 + 1e-6) + 1e-12);
  if (*rc::gen::inRange(0, 5) > 0) return;  // it takes longer
  const Plan noise = calibrate(scenario, "optimal", "laplace", {}, {.seconds = 1.0});
  RC_ASSERT(verify(noise) == noise.witness);
  RC_ASSERT(noise.mse <= calibrate(scenario, "exact", "laplace").mse);
}

// The error never grows with epsilon, and one more pair never lowers it.
RC_GTEST_PROP(OptimumProperty, Monotone, ()) {
  Scenario scenario = random_scenario(6, 4);
  scenario.pairs = PairSet::all();
  show(scenario);
  double last = HUGE_VAL;
  for (const char* epsilon : {"0.2", "0.4", "0.8", "1.6"}) {
    scenario.epsilon = epsilon_of(epsilon);
    const double error = calibrate(scenario, "channel", "laplace").mse;
    RC_ASSERT(error <= last * (1 + 1e-6) + 1e-12);
    last = error;
  }
  Scenario fewer = scenario;
  fewer.pairs = PairSet::of({{0, 1}});
  RC_ASSERT(calibrate(fewer, "channel", "laplace").mse <= last * (1 + 1e-6) + 1e-12);
  Scenario one = scenario;
  one.priors.resize(1);
  RC_ASSERT(calibrate(one, "channel", "laplace").mse <= last * (1 + 1e-6) + 1e-12);
}

// With a confidence: proved, never better than without, never worse than exact Laplace.
RC_GTEST_PROP(OptimumProperty, WithConfidence, ()) {
  Scenario scenario = random_scenario(5, 3);
  scenario.epsilon = epsilon_of(*rc::gen::element<std::string>("1", "2", "4"));
  scenario.confidence = Rational(9, 10);
  show(scenario);
  Scenario plain = scenario;
  plain.confidence.reset();
  const Plan laplace = calibrate(scenario, "exact", "laplace");
  expect_sound(laplace);
  RC_ASSERT(laplace.noise().scale->value >=
            calibrate(plain, "exact", "laplace").noise().scale->value * (1 - 1e-9));
  const Plan channel = calibrate(scenario, "channel", "laplace");
  expect_sound(channel);
  OptimumOptions same;
  same.outputs = union_support(scenario.priors[0].by_secret);
  RC_ASSERT(channel.mse >= calibrate(plain, "channel", "laplace", {}, same).mse * (1 - 1e-6) - 1e-12);
  if (*rc::gen::inRange(0, 4) > 0) return;
  const Plan noise = calibrate(scenario, "optimal", "laplace", {}, {.seconds = 2.0});
  expect_sound(noise);
  RC_ASSERT(noise.mse <= laplace.mse);
}

Scenario two_laws(const std::string& epsilon) {
  Scenario scenario{epsilon_of(epsilon)};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p",
       {Distribution::from_counts({1, 2, 3}, {5, 3, 2}), Distribution::from_counts({1, 2, 3}, {2, 3, 5})}});
  return scenario;
}

// Where the values may be released as they are, they are.
TEST(Optimum, NothingIsChangedWhereNothingNeedsTo) {
  const Scenario scenario = two_laws("1");
  EXPECT_TRUE(calibrate(scenario, "optimal", "laplace").noise().is_none());
  const Plan plan = calibrate(scenario, "channel", "laplace");
  EXPECT_TRUE(std::get<Channel>(plan.mechanism).is_identity());
  EXPECT_EQ(plan.mse, 0);
  EXPECT_EQ(verify(plan), plan.witness);
}

// Two secrets, two values three steps apart: only shifts by three are compared, so the best noise stands on
// the multiples of three and falls by e^-epsilon from each to the next. Laplace noise falls at every step.
TEST(Optimum, IsGeometricOnTheMultiplesOfTheOnlyDistance) {
  Scenario scenario{epsilon_of("2")};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({0}, {1}), Distribution::from_counts({3}, {1})}});
  const double r = std::exp(-2.0), least = 9 * 2 * r / ((1 - r) * (1 - r));
  const Plan plan = calibrate(scenario, "optimal", "laplace");
  EXPECT_NEAR(plan.mse, least, 1e-6 * least);
  EXPECT_GT(calibrate(scenario, "exact", "laplace").mse, 1.3 * least);
  const auto laplace = family_named("laplace");
  const Candidate row = compare_one(scenario, method_named("optimal", *laplace), *laplace);
  EXPECT_LE(*row.bound, least * (1 + 1e-9));
  EXPECT_GE(*row.bound, least * 0.99);
}

// A hundred of them, with FUGU_LONG five hundred, every one proved: the repair is never refused.
TEST(Optimum, ManyScenariosAndNoRefusal) {
  const uint32_t scenarios = std::getenv("FUGU_LONG") ? 500 : 100;
  for (uint32_t seed = 1; seed <= scenarios; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](uint32_t n) { return random() % n; };
    Scenario scenario{epsilon_of(std::vector<std::string>{"0.8", "1", "2", "3"}[below(4)])};
    const size_t secrets = 2 + below(3), values = 2 + below(6);
    std::vector<int64_t> atoms;
    for (size_t k = 0; k < values; ++k)
      atoms.push_back(static_cast<int64_t>(below(3)) + 1 + (atoms.empty() ? 0 : atoms.back()));
    Prior prior{"p", {}};
    for (size_t s = 0; s < secrets; ++s) {
      scenario.secrets.push_back("s" + std::to_string(s));
      std::vector<uint64_t> counts;
      for (size_t k = 0; k < values; ++k) counts.push_back(below(4) == 0 ? 0 : 1 + below(1000));
      counts[below(static_cast<uint32_t>(values))] += 1;
      prior.by_secret.push_back(Distribution::from_counts(atoms, counts));
    }
    scenario.priors.push_back(std::move(prior));
    for (const char* method : {"optimal", "channel"}) {
      const Plan plan = calibrate(scenario, method, "laplace");
      EXPECT_EQ(verify(plan), plan.witness) << method << " " << seed;
      for (const std::string& note : plan.notes)
        EXPECT_EQ(note.find("could not be proved"), std::string::npos) << method << " " << seed;
    }
  }
}

TEST(Optimum, OutputsThatCannotBeUnbiasedAreRefusedWithoutTheRangeOfTheValues) {
  OptimumOptions options;
  options.unbiased = true;
  options.outputs = {0, 1, 2, 3, 4};
  try {
    calibrate(two_laws("0.1"), "channel", "laplace", {}, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
    EXPECT_EQ(error.message(), "an unbiased channel needs outputs further beyond the values on both sides");
  }
}

TEST(Optimum, WithoutTimeTheBestProvedAnswerIsNamedAsSuch) {
  OptimumOptions options;
  options.seconds = 1e-9;
  const Plan channel = calibrate(two_laws("0.3"), "channel", "laplace", {}, options);
  EXPECT_EQ(verify(channel), channel.witness);
  EXPECT_FALSE(channel.notes.empty());
  const Plan noise = calibrate(two_laws("0.3"), "optimal", "laplace", {}, options);
  EXPECT_EQ(noise.noise().family, "laplace");
  EXPECT_EQ(verify(noise), noise.witness);
  EXPECT_FALSE(noise.notes.empty());
  for (const Candidate& row : compare_optima(two_laws("0.3"), options)) {
    if (row.method == "swap") continue;  // too small to take any time
    EXPECT_TRUE(row.unfinished) << row.method;
    EXPECT_TRUE(row.title.ends_with(", as far as found")) << row.title;
  }
  for (const Candidate& row : compare_optima(two_laws("0.3"))) {
    EXPECT_FALSE(row.unfinished) << row.method;
    EXPECT_EQ(row.title.find("found"), std::string::npos) << row.title;
  }
}

// The work ends where its progress is told to, whatever it is at.
TEST(Optimum, AnotherDeadlineGoesThrough) {
  const Deadline over = Deadline::in(0);
  const Progress none, watched = over.watched(none);
  for (const char* method : {"optimal", "channel"}) {
    EXPECT_THROW(calibrate(two_laws("0.3"), method, "laplace", watched, {.seconds = 60.0}), TimeIsOver);
    EXPECT_THROW(calibrate(two_laws("0.3"), method, "laplace", watched), TimeIsOver);
  }
}

}  // namespace
}  // namespace fugu
