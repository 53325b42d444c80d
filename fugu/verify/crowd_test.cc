#include "fugu/verify/crowd.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/mechanism/family.h"
#include "fugu/models/crowd_scenario.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_crowd.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::budget_of;
using testing::crowd_of;
using testing::enumerated;
using testing::random_crowd;

Noise laplace(double scale, const Lattice& lattice = {}) {
  return family_named("laplace")->at(Scale{scale}, lattice, 0);
}

ModelProof proved(const Crowd& crowd, const Budget& budget, const Noise& noise,
                  const ModelWitness* stated = nullptr) {
  return prove_crowd(crowd, budget, "exact", noise, stated, {});
}

Noise random_noise(const Crowd& crowd) {
  if (*rc::gen::inRange(0, 4) == 0) {  // any shape, also one that is not the same both ways
    Noise noise{"any", std::nullopt, {}, {Integer(*rc::gen::inRange(1, 8)), 3}};
    for (int k = 0; k < 3; ++k) noise.weights.emplace_back(*rc::gen::inRange(1, 30));
    return noise;
  }
  const double scale = static_cast<double>(crowd.lattice.step) * *rc::gen::element(0.3, 0.7, 1.0, 2.5);
  if (*rc::gen::inRange(0, 3) > 0) return laplace(scale, crowd.lattice);
  const auto gaussian = family_named("gaussian");
  return gaussian->at(Scale{scale}, crowd.lattice, *rc::gen::inRange<int64_t>(1, 12));
}

// The largest ratio over all users, by definition.
Rational true_ratio(const Crowd& crowd, const Noise& noise) {
  Rational worst(1);
  for (const auto& user : enumerated(crowd))
    worst = std::max(worst, testing::brute_ratio(user.prior, user.pairs, noise));
  return worst;
}

Rational true_hockey(const Crowd& crowd, const Noise& noise, const Rational& growth) {
  Rational worst(0);
  for (const auto& user : enumerated(crowd))
    worst = std::max(worst, testing::brute_hockey(user.prior, user.pairs, noise, growth));
  return worst;
}

RC_GTEST_PROP(CrowdLemma2, bounds_every_user_by_definition, ()) {
  const Crowd crowd = random_crowd(4);
  const Noise noise = random_noise(crowd);
  const CrowdProof found = prove_lemma2(crowd, budget_of("100"), noise);
  if (!found.proof.holds) {  // a narrow Gaussian tells everything
    RC_ASSERT(noise.reach() > 0);
    return;
  }
  const double truth = std::log(static_cast<double>(true_ratio(crowd, noise)));
  RC_ASSERT(*found.proof.witness.loss >= truth - 1e-12);
  // Attained: by any two letters under Laplace, by absence where there are two letters.
  if (noise.reach() == 0 && (crowd.pairs != CrowdPairs::kAbsent || crowd.letters.size() == 2))
    RC_ASSERT(*found.proof.witness.loss <= truth + 1e-9);
}

RC_GTEST_PROP(CrowdLemma2, decides_on_the_right_side_of_epsilon, ()) {
  const Crowd crowd = random_crowd(4);
  const Noise noise = random_noise(crowd);
  static const std::vector<std::string> kEpsilons = {"0.1", "0.5", "1", "3", "1/3"};
  const Budget budget = budget_of(kEpsilons[*rc::gen::inRange<size_t>(0, kEpsilons.size())]);
  if (!prove_lemma2(crowd, budget, noise).proof.holds) return;
  RC_ASSERT(true_ratio(crowd, noise) <= testing::exp_bounds(budget.epsilon.value()).low);
}

// One way the noise changes by exactly 2, which 128 bits hold; the other way by 2 (1 + 2^-128), which they do
// not, and e^epsilon is between: the bounds of the second count, though their lower end is no larger.
TEST(CrowdLemma2, ARatioJustAboveEpsilonIsRefused) {
  const Crowd crowd = crowd_of({{1, 1}}, {1, 0}, CrowdPairs::kValues);
  const Integer half = Integer(1) << 139;
  const Integer above(2 * half + (Integer(1) << 12));
  const Noise noise{"any", std::nullopt, {half, above, Integer(2 * half)}, {Integer(1), 1}};
  const Integer units = log(Interval(Integer(2), 400)).ceil_scaled(128);
  auto holds = [&](const Integer& numerator) {
    const Rational epsilon(numerator, Integer(1) << 128);
    return prove_lemma2(crowd, budget_of(epsilon.str()), noise).proof.holds;
  };
  EXPECT_FALSE(holds(units));
  EXPECT_TRUE(holds(Integer(units + 1)));
}

RC_GTEST_PROP(CrowdExact, bounds_the_hockey_stick_closely_from_above, ()) {
  const Crowd crowd = random_crowd(4);
  const Noise noise = *rc::gen::inRange(0, 4) == 0 ? no_noise("laplace") : random_noise(crowd);
  static const std::vector<std::string> kEpsilons = {"0.01", "0.1", "0.5", "1", "2"};
  const Budget budget = budget_of(kEpsilons[*rc::gen::inRange<size_t>(0, kEpsilons.size())], "1e-4");
  const double found = *proved(crowd, budget, noise).witness.delta;
  const auto growth = testing::exp_bounds(budget.epsilon.value());
  RC_ASSERT(exact(found) >= true_hockey(crowd, noise, growth.high));
  RC_ASSERT(found <= static_cast<double>(true_hockey(crowd, noise, growth.low)) * (1 + 1e-9) + 4e-15);
}

TEST(CrowdExact, WitnessNamesTheWorstUserAndPair) {
  // The last user weighs twice as much as the others.
  Crowd crowd = crowd_of({{1, 1}, {2, 1}, {1, 3}}, {0, 1});
  crowd.users[2].values = {0, 2};
  const ModelProof found = proved(crowd, budget_of("0.5", "0.01"), laplace(1));
  EXPECT_EQ(found.witness.place, "user 3");
  EXPECT_FALSE(found.witness.loss);
  const CrowdProof pure = prove_lemma2(crowd, budget_of("2"), laplace(1));
  EXPECT_TRUE(pure.proof.holds);
  EXPECT_EQ(pure.proof.witness.place, "user 3");
  EXPECT_NEAR(*pure.proof.witness.loss, 2, 1e-9);
}

TEST(CrowdExact, ManyUsersHideEachOther) {
  Crowd crowd = crowd_of({{3, 7}}, {0, 1});
  crowd.users[0].copies = 1000;
  const Budget budget = budget_of("1", "1e-9");
  EXPECT_TRUE(proved(crowd, budget, no_noise("laplace")).holds);
  crowd.users[0].copies = 20;
  EXPECT_FALSE(proved(crowd, budget, no_noise("laplace")).holds);
}

// f = s_1 + 2 * others: the parity of the sum is the first user's answer, however many the others are.
TEST(CrowdExact, TheLatticeMayBetrayOne) {
  Crowd crowd = crowd_of({{1, 1}, {3, 7}}, {0, 1});
  crowd.users[1].values = {0, 2};
  crowd.users[1].copies = 5000;
  const ModelProof found = proved(crowd, budget_of("1", "1e-6"), no_noise("laplace"));
  EXPECT_FALSE(found.holds);
  EXPECT_EQ(found.witness.place, "users of kind 1");
  EXPECT_NEAR(*found.witness.delta, 1, 1e-9);
}

// Where the masses' ratio is epsilon itself only rounding errors are left of the hockey-stick: they count.
TEST(CrowdExact, WhatItCannotTellIsRefused) {
  Crowd crowd = crowd_of({{3, 7}}, {0, 1});
  crowd.users[0].copies = 1000;
  const Budget budget = budget_of("0.01", "1e-15");
  EXPECT_TRUE(prove_lemma2(crowd, budget_of("0.01"), laplace(100)).proof.holds);
  EXPECT_FALSE(proved(crowd, budget, laplace(100)).holds);
  EXPECT_TRUE(proved(crowd, budget, laplace(100.001)).holds);
}

TEST(CrowdProof, RefusesMethodsThatDoNotServeTheBudget) {
  const Crowd crowd = crowd_of({{1, 1}}, {0, 1});
  for (const auto& [method, delta] : {std::pair{"exact", "0"}, {"quilt", "0"}}) {
    try {
      prove_crowd(crowd, budget_of("1", delta), method, laplace(1), nullptr, {});
      ADD_FAILURE() << method;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
    }
  }
}

// Pure epsilon is any delta: nothing goes beyond it.
TEST(CrowdProof, Lemma2ServesADelta) {
  const Crowd crowd = crowd_of({{1, 1}}, {0, 1});
  const ModelProof proof = prove_crowd(crowd, budget_of("1", "0.1"), "lemma2", laplace(1.001), nullptr, {});
  EXPECT_TRUE(proof.holds);
  EXPECT_FALSE(proof.witness.loss);
  EXPECT_EQ(proof.witness.delta, 0);
  EXPECT_FALSE(prove_crowd(crowd, budget_of("1", "0.1"), "lemma2", laplace(0.99), nullptr, {}).holds);
}

// The expansion is the enumeration, user by user.
RC_GTEST_PROP(CrowdScenario, is_what_enumeration_gives, ()) {
  Crowd crowd = random_crowd(4);
  for (CrowdUsers& users : crowd.users) {
    for (Rational& mass : users.masses) mass = mass == 0 ? Rational(1, 7) : mass;
  }
  crowd.users = gather(std::move(crowd.users));
  const Scenario scenario = crowd_scenario(crowd, budget_of("1"));
  const auto truth = enumerated(crowd);
  RC_ASSERT(scenario.priors.size() == truth.size());
  for (size_t k = 0; k < truth.size(); ++k) {
    RC_ASSERT(scenario.pairs.list(scenario.secrets.size()) == truth[k].pairs.list(scenario.secrets.size()));
    for (size_t s = 0; s < scenario.secrets.size(); ++s) {
      const Distribution &mine = scenario.priors[k].by_secret[s], &other = truth[k].prior.by_secret[s];
      RC_ASSERT(std::vector(mine.atoms().begin(), mine.atoms().end()) ==
                std::vector(other.atoms().begin(), other.atoms().end()));
      for (size_t x = 0; x < mine.size(); ++x) RC_ASSERT(mine.mass(x) == other.mass(x));
    }
  }
}

// A sum asked for as any query is the same scenario.
RC_GTEST_PROP(EnumerateQuery, of_a_sum_is_the_crowds_scenario, ()) {
  const std::vector<int64_t> values{0, 1, 3};
  std::vector<std::vector<Rational>> masses;
  for (int k = *rc::gen::inRange(1, 5); k > 0; --k)
    masses.push_back({Rational(*rc::gen::inRange(1, 9)), Rational(1), Rational(*rc::gen::inRange(1, 9))});
  Crowd crowd = crowd_of({}, values, CrowdPairs::kAbsent);
  for (const auto& user : masses) crowd.users.push_back({user, values, 1});
  const Scenario direct = crowd_scenario(crowd, budget_of("1"));
  const Scenario listed = enumerate_query(
      masses, crowd.letters,
      [&](std::span<const size_t> letters) {
        Rational sum(0);
        for (size_t letter : letters) sum += values[letter];
        return sum;
      },
      CrowdPairs::kAbsent, budget_of("1"));
  RC_ASSERT(direct.priors.size() == listed.priors.size());
  for (size_t k = 0; k < listed.priors.size(); ++k) {
    for (size_t s = 0; s < listed.secrets.size(); ++s) {
      const Distribution &a = direct.priors[k].by_secret[s], &b = listed.priors[k].by_secret[s];
      RC_ASSERT(a.size() == b.size());
      for (size_t x = 0; x < a.size(); ++x) RC_ASSERT(a.mass(x) == b.mass(x) && a.atoms()[x] == b.atoms()[x]);
    }
  }
}

// The largest of three answers: no sum, and by hand.
TEST(EnumerateQuery, TakesAnyFunction) {
  const std::vector<std::vector<Rational>> users(2, {Rational(1), Rational(2), Rational(1)});
  const Scenario scenario = enumerate_query(
      users, {"a", "b", "c"},
      [](std::span<const size_t> letters) { return Rational(std::max(letters[0], letters[1]), 2); },
      CrowdPairs::kValues, budget_of("1"));
  EXPECT_EQ(scenario.lattice.step, Rational(1, 2));
  EXPECT_EQ(scenario.pair_count(), 3u);
  const Distribution& low = scenario.priors[1].by_secret[0];
  EXPECT_EQ(low.mass(0), Rational(1, 4));
  EXPECT_EQ(low.mass(1), Rational(1, 2));
  EXPECT_EQ(scenario.priors[1].by_secret[2].size(), 1u);
  const Distribution& absent = scenario.priors[0].by_secret[3];
  EXPECT_EQ(absent.mass(0), Rational(1, 16));
  EXPECT_EQ(absent.mass(2), Rational(7, 16));
}

TEST(EnumerateQuery, RefusesTooManyUsersAndImpossibleLetters) {
  auto sum = [](std::span<const size_t>) { return Rational(0); };
  const std::vector<std::vector<Rational>> many(21, {Rational(1), Rational(2)});
  EXPECT_THROW(enumerate_query(many, {"a", "b"}, sum, CrowdPairs::kBoth, budget_of("1")), Error);
  const std::vector<std::vector<Rational>> sure{{Rational(0), Rational(1)}};
  EXPECT_THROW(enumerate_query(sure, {"a", "b"}, sum, CrowdPairs::kBoth, budget_of("1")), Error);
  Crowd crowd = crowd_of({{1, 1}}, {0, 1});
  crowd.users[0].copies = 301;
  EXPECT_THROW(crowd_scenario(crowd, budget_of("1")), Error);
}

}  // namespace
}  // namespace fugu
