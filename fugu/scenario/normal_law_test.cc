// Normal laws on a lattice, against tails that were computed without erfc.
#include "fugu/law/normal_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/support/normal_tail.h"

namespace fugu {
namespace {

using testing::normal_between;
using testing::normal_upper_tail;

NormalLaw gaussian(const Rational& mean, const Rational& sd) { return {{{Rational(1), {mean, sd}}}}; }

Rational off(const Rational& value, const Rational& truth) { return abs(Rational(value / truth - 1)); }

// What the tests' own tails are good for.
const Rational kClose = exact(1e-30);

TEST(NormalLaw, TheTestsOwnTailsAreRight) {
  for (double x : {0.0, 0.3, 1.0, 2.9, 3.1, 5.0, 9.0, 20.0}) {
    EXPECT_NEAR(static_cast<double>(normal_upper_tail(exact(x))) / (std::erfc(x / std::sqrt(2.0)) / 2), 1,
                1e-13);
  }
  // The two ways meet.
  const Rational left = testing::normal_upper_tail(Rational(2999999, 1000000)),
                 right = testing::normal_upper_tail(Rational(3000001, 1000000));
  EXPECT_GT(left, right);
  EXPECT_LT(off(left, right), exact(1e-5));
}

TEST(NormalLaw, MassesAreThoseOfTheCells) {
  const Lattice lattice{Rational(1), Rational(0)};
  const auto law = on_grid(gaussian(Rational(40), Rational(25, 2)), lattice, {-85, 165});
  ASSERT_EQ(law.size(), 251U);
  EXPECT_GT(law.blur(), 0);
  EXPECT_LT(law.blur(), Rational(1, Integer(1) << 118));
  for (size_t k = 1; k + 1 < law.size(); ++k) {
    const Rational x(law.atoms()[k]);
    const Rational truth = normal_between(Rational(40), Rational(25, 2), Rational(x - Rational(1, 2)),
                                          Rational(x + Rational(1, 2)));
    EXPECT_LT(off(law.mass(k), truth), kClose) << law.atoms()[k];
  }
}

// At fourteen deviations a mass is below 1e-40, and still has all its digits.
TEST(NormalLaw, FarTailsKeepTheirDigits) {
  const Lattice lattice{Rational(1, 2), Rational(0)};
  const auto law = on_grid(gaussian(Rational(0), Rational(1)), lattice, {-60, 60});
  for (int64_t k : {-59, -28, 28, 40, 59}) {
    const auto place = static_cast<size_t>(k + 60);
    const Rational x = lattice.value(k);
    const Rational truth =
        normal_between(Rational(0), Rational(1), Rational(x - Rational(1, 4)), Rational(x + Rational(1, 4)));
    EXPECT_LT(off(law.mass(place), truth), kClose) << k;
  }
  EXPECT_LT(law.mass(88), exact(1e-40));
  EXPECT_LT(off(law.mass(120), normal_upper_tail(Rational(119, 4))), kClose);
}

TEST(NormalLaw, TheOutermostPointsTakeTheTails) {
  const auto law = on_grid(gaussian(Rational(0), Rational(1)), {Rational(1), Rational(0)}, {0, 1});
  EXPECT_NEAR(static_cast<double>(law.mass(0)), 0.6914624612740131, 1e-15);
  EXPECT_NEAR(static_cast<double>(law.mass(1)), 0.3085375387259869, 1e-15);
  const auto point = on_grid(gaussian(Rational(0), Rational(1)), {Rational(1), Rational(0)}, {3, 3});
  EXPECT_EQ(point, Distribution::from_counts({3}, {1}));
}

RC_GTEST_PROP(NormalLawProperty, AMixtureIsTheMixtureOfItsParts, ()) {
  auto number = [](int64_t low, int64_t high) {
    return Rational(*rc::gen::inRange<int64_t>(low, high), *rc::gen::inRange<int64_t>(1, 8));
  };
  const Lattice lattice{number(1, 5), Rational(0)};
  const PointRange grid{-*rc::gen::inRange<int64_t>(1, 12), *rc::gen::inRange<int64_t>(1, 12)};
  NormalLaw mixture{{}, true};
  Rational whole(0);
  const auto parts = *rc::gen::inRange<size_t>(1, 4);
  for (size_t k = 0; k < parts; ++k) {
    mixture.parts.push_back({number(1, 9), {number(-20, 20), number(1, 30)}});
    whole += mixture.parts.back().first;
  }
  const auto law = on_grid(mixture, lattice, grid);
  std::vector<Rational> sums(law.size(), Rational(0));
  for (const auto& [weight, normal] : mixture.parts) {
    const auto part = on_grid(gaussian(normal.mean, normal.sd), lattice, grid);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += part.mass(k) * weight / whole;
  }
  for (size_t k = 0; k < sums.size(); ++k) {
    RC_ASSERT(off(law.mass(k), sums[k]) < Rational(1, Integer(1) << 116));
    // And by the tests' own tails, where these are good.
    if (k == 0 || k + 1 == sums.size()) continue;
    Rational truth(0);
    const Rational x = lattice.value(law.atoms()[k]), half = lattice.step / 2;
    for (const auto& [weight, normal] : mixture.parts)
      truth +=
          weight / whole * normal_between(normal.mean, normal.sd, Rational(x - half), Rational(x + half));
    RC_ASSERT(off(law.mass(k), truth) < exact(1e-25));
  }
}

// A step far below the deviation: neighbouring tails agree in many digits, and more bits make up for it.
TEST(NormalLaw, FineStepsGetMoreDigits) {
  const Lattice lattice{exact(std::ldexp(1.0, -200)), Rational(0)};
  const auto law = on_grid(gaussian(Rational(0), Rational(1)), lattice, {-2, 2});
  const Rational density = testing::inverse_root_of_two_pi();
  EXPECT_LT(off(law.mass(2), Rational(density * lattice.step)), kClose);
  EXPECT_LT(law.blur(), Rational(1, Integer(1) << 118));
}

std::string refused(const NormalLaw& law, const Lattice& lattice, const PointRange& grid) {
  try {
    on_grid(law, lattice, grid);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.message();
  }
  return "";
}

TEST(NormalLaw, WhatIsTooLargeIsRefused) {
  const Lattice lattice{Rational(1), Rational(0)};
  EXPECT_EQ(refused(gaussian(Rational(0), Rational(1000)), lattice, {0, 100000}),
            "the grid has more than 100000 points");
  const std::string far = "the grid reaches so far into a tail that its masses take too long to write";
  EXPECT_EQ(refused(gaussian(Rational(0), Rational(1)), lattice, {-500, 500}), far);
  EXPECT_EQ(refused(gaussian(Rational(0), Rational(1, 1000000)), lattice, {-500, 500}), far);
}

// --- in scenario files ---------------------------------------------------------------------------------

const char* const kFile =
    R"({"epsilon": 1, "lattice": {"step": 1, "origin": 0}, "priors": [{"name": "p", "given": {
  "A": {"gaussian": {"mean": 40, "sd": 2.5}},
  "B": {"mixture": [{"weight": 2, "gaussian": {"mean": "121/3", "sd": 3}},
                    {"weight": 0.5, "gaussian": {"mean": 50, "sd": 1}}]},
  "C": {"values": [39, 80], "mass": [3, 1]}}}]})";

Scenario read_laws(const std::string& text, const ScenarioOverrides& overrides = {}) {
  return scenario_from_json(parse_json(text, "f.json"), "f.json", overrides);
}

std::string message_of(const std::string& text, const ScenarioOverrides& overrides = {}) {
  try {
    read_laws(text, overrides);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), by);
}

TEST(NormalLawJson, AFileHoldsTheLawAndReadsBack) {
  const Scenario scenario = read_laws(kFile);
  // 121/3 - 30 is the least, and values beyond every law's ten deviations count: 80.
  ASSERT_TRUE(scenario.source && scenario.source->columns[0].clip);
  EXPECT_EQ(*scenario.source->columns[0].clip, (std::pair{Rational(10), Rational(80)}));
  EXPECT_EQ(scenario.source->columns[0].step, Rational(1));
  EXPECT_EQ(scenario.bounds(), (std::pair<int64_t, int64_t>{10, 80}));
  EXPECT_TRUE(scenario.has_laws());
  EXPECT_EQ(scenario.priors[0].by_secret[2].blur(), 0);
  const Json json = scenario_to_json(scenario);
  const std::string text = json.canonical();
  EXPECT_NE(text.find(R"("gaussian":{"mean":40,"sd":2.5})"), std::string::npos) << text;
  EXPECT_NE(text.find(R"({"gaussian":{"mean":"121/3","sd":3},"weight":2})"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("clip":[10,80])"), std::string::npos) << text;
  EXPECT_EQ(read_laws(text), scenario);
}

TEST(NormalLawJson, AClipHoldsValuesToo) {
  const Scenario scenario =
      read_laws(replaced(kFile, "\"priors\"", R"("source": {"clip": [35.4, 45.6]}, "priors")"));
  EXPECT_EQ(scenario.bounds(), (std::pair<int64_t, int64_t>{35, 46}));
  EXPECT_EQ(scenario.priors[0].by_secret[2], Distribution::from_masses({39, 46}, {Rational(3), Rational(1)}));
  EXPECT_EQ(read_laws(scenario_to_json(scenario).canonical()), scenario);
  ScenarioOverrides wide;
  wide.step = Rational(5);
  EXPECT_EQ(read_laws(kFile, wide).bounds(), (std::pair<int64_t, int64_t>{2, 16}));
}

TEST(NormalLawJson, WhatIsWrongIsSaid) {
  EXPECT_EQ(message_of(replaced(kFile, R"("lattice": {"step": 1, "origin": 0}, )", "")),
            "f.json: a law needs a lattice that its values are moved to");
  EXPECT_EQ(message_of(replaced(kFile, "2.5", "0")),
            "f.json.priors[0].given[0].gaussian.sd: a standard deviation must be greater than 0");
  EXPECT_EQ(message_of(replaced(kFile, "0.5", "0")),
            "f.json.priors[0].given[1].mixture[1].weight: a weight must be greater than 0");
  EXPECT_EQ(message_of(replaced(kFile, "\"step\": 1", "\"step\": 0.0001")),
            "f.json.priors[0].given[0]: the grid has more than 100000 points");
  EXPECT_EQ(message_of(replaced(kFile, "\"priors\"", R"("source": {"clip": [2, 1]}, "priors")")),
            "f.json.source.clip: the first number is above the second");
  EXPECT_EQ(message_of(replaced(kFile, "\"priors\"", R"("source": {"labels": ["x"]}, "priors")")),
            "f.json.source.labels: categories have no normal law");
  EXPECT_EQ(
      message_of(R"({"epsilon": 1, "source": {"labels": ["x", "y"], "clip": [1, 2]}, "priors": [{"given": {
    "A": {"values": [1], "mass": [1]}, "B": {"values": [2], "mass": [1]}}}]})"),
      "f.json.source.labels: categories are not held within a clip");
  ScenarioOverrides sure;
  sure.confidence = Rational(9, 10);
  EXPECT_EQ(message_of(kFile, sure), "f.json: a confidence needs masses that are counts");
}

TEST(NormalLawJson, APriorFileMayHoldLawsWhereThereIsAGrid) {
  Scenario scenario = read_laws(kFile);
  const Json prior = parse_json(R"({"given": {"A": {"gaussian": {"mean": 41, "sd": 2}},
    "B": {"gaussian": {"mean": 42, "sd": 2}}, "C": {"values": [100], "mass": [1]}}})",
                                "prior.json");
  add_priors(scenario, prior, "prior.json");
  EXPECT_EQ(scenario.bounds(), (std::pair<int64_t, int64_t>{10, 80}));
  EXPECT_EQ(scenario.priors[1].by_secret[0],
            on_grid(gaussian(Rational(41), Rational(2)), scenario.lattice, {10, 80}));
  EXPECT_EQ(read_laws(scenario_to_json(scenario).canonical()), scenario);

  Scenario counted = read_laws(R"({"epsilon": 1, "priors": [{"given": {"A": {"values": [1], "mass": [1]},
    "B": {"values": [2], "mass": [1]}, "C": {"values": [2], "mass": [1]}}}]})");
  try {
    add_priors(counted, prior, "prior.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "prior.json.given[0]: a law needs a scenario whose values are held within a range");
  }
}

}  // namespace
}  // namespace fugu
