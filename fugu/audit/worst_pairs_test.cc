#include "fugu/audit/worst_pairs.h"

#include <gtest/gtest.h>

#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Noise halves() {
  Noise noise = no_noise("laplace");
  noise.tail = {Integer(1), 1};
  return noise;
}

Distribution at(int64_t value) { return Distribution::from_counts({value}, {1}); }

// Three secrets, each with a value of its own: the loss is their distance times log 2.
Scenario three() {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"a", "b", "c"};
  scenario.priors = {{"near", {at(0), at(1), at(3)}}, {"far", {at(0), at(9), at(4)}}};
  return scenario;
}

TEST(WorstPairs, EachPriorsWorstComesFirst) {
  const auto pairs = worst_pairs(three(), halves(), {0, {0, 1}}, 4);
  const std::vector<PriorPair> expected{{1, {0, 1}}, {0, {0, 2}}, {1, {1, 2}}, {1, {0, 2}}};
  EXPECT_EQ(pairs, expected);
}

TEST(WorstPairs, OnlyThoseThatArePairs) {
  Scenario scenario = three();
  scenario.pairs = PairSet::of({{0, 2}});
  const std::vector<PriorPair> expected{{1, {0, 2}}, {0, {0, 2}}};
  EXPECT_EQ(worst_pairs(scenario, halves(), {0, {0, 2}}, 8), expected);
}

// Values as they are: what only one secret can have is worst of all.
TEST(WorstPairs, WhatGivesTheSecretAwayComesFirst) {
  Scenario scenario = three();
  scenario.priors = {
      {"p", {Distribution::from_counts({0, 1}, {1, 9}), Distribution::from_counts({0, 1}, {9, 1}), at(0)}}};
  const auto pairs = worst_pairs(scenario, no_noise("laplace"), {0, {0, 1}}, 8);
  EXPECT_EQ(pairs.back(), (PriorPair{0, {0, 1}}));
}

}  // namespace
}  // namespace fugu
