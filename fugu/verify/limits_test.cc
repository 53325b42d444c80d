// Budgets of their own and promises in belief, by their definition in exact rationals (docs/math.md, section
// 19).
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fugu/mechanism/family.h"
#include "fugu/verify/verify.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;

// With tails, or without: then some outputs rule out a secret.
Noise random_noise(const Scenario& scenario) {
  if (*rc::gen::element(0, 1, 2) == 0) {
    Noise noise = no_noise("test");
    noise.weights.assign(2 * *rc::gen::element<size_t>(1, 5, 30) + 1, Integer(1));
    return noise;
  }
  const double steps = *rc::gen::element(0.5, 2.0, 6.0, 20.0);
  return family_named("laplace")->at(Scale{steps * static_cast<double>(scenario.lattice.step)},
                                     scenario.lattice, 0);
}

// The proof says yes where the promise is kept with e^epsilon rounded down, and no where it is not kept with
// it rounded up.
template <class Kept>
void expect_proved_when(const Scenario& scenario, const Noise& noise, Kept kept) {
  const bool holds = prove(scenario, noise).holds;
  RC_CLASSIFY(holds);
  RC_ASSERT(!holds || kept([](const Epsilon& epsilon) { return testing::exp_bounds(epsilon.value()).high; }));
  RC_ASSERT(holds || !kept([](const Epsilon& epsilon) { return testing::exp_bounds(epsilon.value()).low; }));
}

RC_GTEST_PROP(LimitsProperty, EachPairKeepsItsBudget, ()) {
  Scenario scenario = testing::random_scenario(6, 4);
  const auto pairs = scenario.pairs.list(scenario.secrets.size());
  std::map<SecretPair, Epsilon> budgets;
  for (const SecretPair& pair : pairs) {
    const auto part = *rc::gen::element<int64_t>(0, 1, 2, 3, 4);
    if (part == 0) continue;
    const Epsilon own = epsilon_of(to_text(Rational(scenario.epsilon.value() * Rational(part, 4))));
    scenario.own_budgets.push_back({pair.first, pair.second, own});
    budgets.emplace(pair, own);
  }
  const Noise noise = random_noise(scenario);
  expect_proved_when(scenario, noise, [&](auto growth) {
    for (const Prior& prior : scenario.priors) {
      const auto mass = testing::brute_masses(prior, noise);
      for (const auto& [a, b] : pairs) {
        const auto own = budgets.find({a, b});
        const Rational most = growth(own == budgets.end() ? scenario.epsilon : own->second);
        for (size_t k = 0; k < mass[a].size(); ++k)
          if (mass[a][k] > most * mass[b][k] || mass[b][k] > most * mass[a][k]) return false;
      }
    }
    return true;
  });
}

RC_GTEST_PROP(LimitsProperty, NobodyBecomesSurerThanTheBudget, ()) {
  Scenario scenario = testing::random_scenario(6, 4);
  scenario.epsilon = epsilon_of(*rc::gen::element<std::string>("0.05", "0.2", "0.5"));
  scenario.pairs = PairSet::all();
  scenario.promised = *rc::gen::element(Promise::kBelief, Promise::kBeliefBothWays);
  for (Prior& prior : scenario.priors) {
    for (size_t s = 0; s < scenario.secrets.size(); ++s)
      prior.shares.emplace_back(*rc::gen::element(1, 2, 5, 8));
  }
  const Noise noise = random_noise(scenario);
  expect_proved_when(scenario, noise, [&](auto growth) {
    const Rational most = growth(scenario.epsilon);
    for (const Prior& prior : scenario.priors) {
      const auto mass = testing::brute_masses(prior, noise);
      Rational total(0);
      for (const Rational& share : prior.shares) total += share;
      for (size_t k = 0; k < mass[0].size(); ++k) {
        Rational all(0);
        for (size_t s = 0; s < mass.size(); ++s) all += prior.shares[s] / total * mass[s][k];
        for (size_t s = 0; s < mass.size(); ++s) {
          if (mass[s][k] > most * all) return false;
          if (scenario.promised == Promise::kBeliefBothWays && all > most * mass[s][k]) return false;
        }
      }
    }
    return true;
  });
}

}  // namespace
}  // namespace fugu
