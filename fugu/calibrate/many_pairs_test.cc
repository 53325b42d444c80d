// Over many pairs doubles say which of them are worth a certified look: what comes out is what each pair by
// itself asks for.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/calibrate/hockey_guess.h"
#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/row_glance.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/proof/hockey.h"
#include "fugu/transport/coupling.h"
#include "fugu/transport/distances.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::random_scenario;

Scenario with_delta(Scenario scenario) {
  scenario.delta =
      Delta::parse(*rc::gen::element<std::string>("0.2", "0.01", "1e-5", "1e-12"), "test", ErrorKind::kData);
  return scenario;
}

Task task_of(const Scenario& scenario) {
  static const Laplace kLaplace;
  static const Progress kSilent;
  int64_t farthest = 0;
  for (const Prior& prior : scenario.priors)
    farthest = std::max(farthest, largest_w_inf(prior.by_secret, scenario.pairs));
  return {scenario, kLaplace, kSilent, farthest};
}

// The largest scale that some pair asks for when it is the only one, of one prior.
template <class Method>
double pair_by_pair(const Scenario& scenario, Method method) {
  double most = 0;
  for (const Prior& prior : scenario.priors) {
    for (const SecretPair& pair : scenario.pairs.list(scenario.secrets.size())) {
      Scenario one = scenario;
      one.priors = {prior};
      one.pairs = PairSet::of({pair});
      most = std::max(most, method(task_of(one)).value);
    }
  }
  return most;
}

RC_GTEST_PROP(ManyPairs, RowsAskForWhatTheWorstPairDoes, ()) {
  Scenario scenario = random_scenario(25, 12);
  if (*rc::gen::inRange(0, 3) == 0) scenario = with_delta(std::move(scenario));
  RC_ASSERT(relaxed_scale(task_of(scenario)).value == pair_by_pair(scenario, relaxed_scale));
  if (scenario.delta.is_zero())
    RC_ASSERT(harmonic_scale(task_of(scenario)).value == pair_by_pair(scenario, harmonic_scale));
}

RC_GTEST_PROP(ManyPairs, DeltaAsksForWhatTheWorstPairDoes, ()) {
  const Scenario scenario = with_delta(random_scenario(12, 6));
  const double all = exact_scale(task_of(scenario)).value, worst = pair_by_pair(scenario, exact_scale);
  // Each search comes back with the scale that a theorem gives where nothing less is found.
  RC_ASSERT(std::fabs(all - worst) <= 1e-12 * worst);
}

// What a glance passes holds: at half the scale that a pair asks for it must not pass it.
RC_GTEST_PROP(RowGlance, PassesNoPairThatAsksForMore, ()) {
  Scenario scenario = random_scenario(25, 4);
  scenario.pairs = PairSet::of({{0, 1}});
  scenario.priors.resize(1);
  const Task task = task_of(scenario);
  const WithinSteps within(scenario.priors[0].by_secret);
  for (Mean mean : {Mean::kArithmetic, Mean::kHarmonic}) {
    const Scale asked = least_scale_for_rows(task, mean);
    const double share = *rc::gen::element(1 - 1e-6, 0.999, 0.5);
    RC_ASSERT(asked.value == 0 || !RowGlance(task, mean, Scale{asked.value * share}, 0)
                                       .passes(scenario.priors[0].by_secret, within, 0, 1));
    RC_ASSERT(RowGlance(task, mean, Scale{asked.value * 1.01 + 1e-9}, 0)
                  .passes(scenario.priors[0].by_secret, within, 0, 1));
  }
}

RC_GTEST_PROP(HockeyGuess, IsTheHockeyStick, ()) {
  Scenario scenario = with_delta(random_scenario(15, 4));
  scenario.delta = Delta::parse("0.01", "test", ErrorKind::kData);
  const double scale =
      static_cast<double>(scenario.lattice.step) * *rc::gen::element(0.0, 0.3, 1.0, 4.0, 60.0);
  const HockeyGuess guess(scenario);
  const Noise noise = scale == 0 ? no_noise("laplace") : Laplace().at(Scale{scale}, scenario.lattice, 0);
  const Mechanism mechanism = noise;
  const HockeyBounds bounds = bound_hockey(scenario, nullptr, bounds_of(mechanism, 256), &mechanism, 256);
  const auto worst = guess.worst(Scale{scale});
  RC_ASSERT(std::fabs(worst.value - bounds.peak.upper) <= 1e-9);
  RC_ASSERT(std::fabs(guess.at({worst.pair}, Scale{scale}) - worst.value) <= 1e-12);
}

}  // namespace
}  // namespace fugu
