#include "fugu/report/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/calibrate.h"
#include "fugu/plan/statement.h"
#include "tests/support/brute_force.h"
#include "tests/support/pictures.h"

namespace fugu {
namespace {

using namespace fugu::testing;

TEST(LawsPicture, ProbabilitiesOfThePaper) {
  const Json picture = laws_picture(golden_scenario("ex1", "0.5"));
  const Json& column = items(picture, "columns")[0];
  EXPECT_EQ(items(column, "values").size(), 4U);
  const auto& secrets = items(items(column, "priors")[0], "secrets");
  ASSERT_EQ(secrets.size(), 2U);
  EXPECT_EQ(text(secrets[1], "secret"), "sj");
  const std::vector<double> expected{0.25, 0.25, 1.0 / 6, 1.0 / 3};
  for (size_t k = 0; k < 4; ++k) EXPECT_EQ(number(items(secrets[1], "probabilities")[k]), expected[k]);
}

TEST(LawsPicture, CategoriesHaveTheirNames) {
  const Json picture = laws_picture(jobs());
  const Json& column = items(picture, "columns")[0];
  EXPECT_EQ(text(picture, "secret"), "race");
  EXPECT_EQ(text(column, "column"), "job");
  EXPECT_TRUE(*member(column, "categorical").if_boolean());
  EXPECT_EQ(text(items(column, "values")[2], "label"), "smith");
}

TEST(LawsPicture, ManyValuesAreBinned) {
  std::vector<int64_t> atoms;
  std::vector<uint64_t> counts;
  for (int64_t x = -700; x < 700; x += 1 + (x & 3)) {
    atoms.push_back(x);
    counts.push_back(static_cast<uint64_t>(x + 701));
  }
  Scenario scenario{epsilon_of("1")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {{"p",
                      {Distribution::from_counts(atoms, counts),
                       Distribution::from_counts(atoms, std::vector<uint64_t>(atoms.size(), 1))}}};
  const Json picture = laws_picture(scenario);
  const Json& column = items(picture, "columns")[0];
  const auto& values = items(column, "values");
  EXPECT_LE(values.size(), 120U);
  EXPECT_EQ(number(column, "bin"), 20);
  for (size_t s : {0U, 1U}) {
    const Distribution& law = scenario.priors[0].by_secret[s];
    const auto& shown = items(items(items(column, "priors")[0], "secrets")[s], "probabilities");
    ASSERT_EQ(shown.size(), values.size());
    for (size_t k = 0; k < values.size(); ++k) {
      Rational sum(0);
      for (size_t x = 0; x < law.size(); ++x) {
        const auto atom = static_cast<double>(law.atoms()[x]);
        if (atom >= number(values[k], "low") && atom <= number(values[k], "high")) sum += law.mass(x);
      }
      EXPECT_EQ(number(shown[k]), static_cast<double>(sum));
    }
  }
}

TEST(TransportPicture, PlanOfThePaper) {
  const Json expected = *golden().find("ex1")->find("plan");
  const Json picture = transport_picture(golden_scenario("ex1", "0.5"));
  EXPECT_EQ(number(picture, "distance"), 1);
  EXPECT_EQ(number(picture, "mean_distance"), 0.25);
  const auto& cells = items(picture, "cells");
  const auto& values = items(picture, "values");
  ASSERT_EQ(cells.size(), expected.if_array()->size());
  for (size_t k = 0; k < cells.size(); ++k) {
    const Json::Array& cell = *(*expected.if_array())[k].if_array();
    auto value = [&](const char* side) {
      return number(values[static_cast<size_t>(number(cells[k], side))], "value");
    };
    EXPECT_EQ(value("from"), number(cell[0]));
    EXPECT_EQ(value("to"), number(cell[1]));
    EXPECT_EQ(number(cells[k], "mass"), number(cell[2]));
    EXPECT_EQ(cells[k].find("farthest") != nullptr, value("from") != value("to"));
  }
}

// Of three secrets the pair that is farthest apart, and whichever is asked for.
TEST(TransportPicture, WorstPairOrTheOneAskedFor) {
  Scenario scenario{epsilon_of("1")};
  scenario.secrets = {"near", "middle", "far"};
  scenario.priors = {{"p",
                      {Distribution::from_counts({0, 1}, {1, 1}), Distribution::from_counts({1, 2}, {1, 1}),
                       Distribution::from_counts({7, 9}, {1, 1})}}};
  const Json worst = transport_picture(scenario);
  EXPECT_EQ(*items(worst, "pair")[0].if_string() + *items(worst, "pair")[1].if_string(), "nearfar");
  EXPECT_EQ(number(worst, "distance"), 8);
  const Json asked = transport_picture(scenario, PairAt{0, {0, 1}});
  EXPECT_EQ(number(asked, "distance"), 1);
}

TEST(NoisePicture, IsTheLawThatIsDrawn) {
  const Scenario scenario = golden_scenario("ex1", "0.5");
  const Plan plan = calibrate(scenario, "exact", "laplace");
  const Json picture = noise_picture(scenario, plan.mechanism);
  const Json& law = items(picture, "columns")[0];
  double sum = number(law, "beyond");
  for (const Json& point : items(law, "points")) {
    const Json::Array& pair = *point.if_array();
    const auto z = static_cast<int64_t>(number(pair[0]));
    EXPECT_NEAR(number(pair[1]),
                static_cast<double>(Rational(weight_at(plan.noise(), z) / total_weight(plan.noise()))),
                1e-14);
    sum += number(pair[1]);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_LT(number(law, "beyond"), 2e-3);
  EXPECT_NEAR(number(law, "rms"), std::sqrt(plan.mse), 1e-12);
}

TEST(NoisePicture, WideNoiseIsThinned) {
  const Scenario scenario = golden_scenario("ex1", "0.0001");
  const Plan plan = calibrate(scenario, "kantorovich", "laplace");
  const Json picture = noise_picture(scenario, plan.mechanism);
  const Json& law = items(picture, "columns")[0];
  EXPECT_LE(items(law, "points").size(), 121U);
  EXPECT_GT(number(law, "stride"), 1000);
}

TEST(ErrorPicture, ScalesOfTheReferenceAndFallingLines) {
  const Scenario scenario = golden_scenario("ex1", "0.5");
  std::vector<Epsilon> epsilons;
  for (const char* epsilon : {"0.05", "0.1", "0.2", "0.3", "0.5"}) epsilons.push_back(epsilon_of(epsilon));
  const Json picture = error_picture(scenario, epsilons);
  const Json cases = golden();
  const auto& reference = items(*cases.find("ex1"), "laplace");
  bool found = false;
  double exact_rms = 0;
  for (const Json& line : items(picture, "methods")) {
    const auto& points = items(line, "points");
    ASSERT_EQ(points.size(), epsilons.size()) << text(line, "method");
    for (size_t k = 1; k < points.size(); ++k)
      EXPECT_LE(number(points[k], "rms"), number(points[k - 1], "rms") * (1 + 1e-6)) << text(line, "method");
    if (text(line, "method") == "exact") {
      exact_rms = number(points[4], "rms");
      for (size_t k = 0; k < points.size(); ++k) {
        found = true;
        EXPECT_NEAR(number(points[k], "scale"), number(reference[k], "exact"), 1e-9);
      }
    }
    if (text(line, "method") == "optimal" || text(line, "method") == "channel") {
      EXPECT_LE(number(points[4], "rms"), exact_rms);
    }
    EXPECT_EQ(*member(line, "baseline").if_boolean(),
              text(line, "method") == "dp-laplace" || text(line, "method") == "randomized-response");
  }
  EXPECT_TRUE(found);
}

TEST(ErrorPicture, ProgrammesMayBeLeftOut) {
  const Scenario scenario = golden_scenario("ex1", "0.5");
  const Json picture = error_picture(scenario, {scenario.epsilon}, {.programmes = false});
  EXPECT_EQ(items(picture, "methods").size(), 8U);
  for (const Json& line : items(picture, "methods")) {
    EXPECT_NE(text(line, "method"), "optimal");
    EXPECT_NE(text(line, "method"), "channel");
  }
  EXPECT_TRUE(items(picture, "notes").empty());
  EXPECT_FALSE(*member(picture, "programmes").if_boolean());
}

// An unfinished programme's error is no point of its method, and its note says what is known.
TEST(ErrorPicture, WhatIsUnfinishedIsNoPoint) {
  const Scenario scenario = golden_scenario("ex1", "0.5");
  const Json picture =
      error_picture(scenario, {scenario.epsilon}, {.seconds = 600, .programme_seconds = 1e-9});
  EXPECT_TRUE(*member(picture, "programmes").if_boolean());
  for (const Json& line : items(picture, "methods")) {
    const bool optimum = text(line, "method") == "optimal" || text(line, "method") == "channel";
    if (text(line, "method") == "swap") continue;  // of masses that are no counts
    EXPECT_EQ(items(line, "points").empty(), optimum) << text(line, "method");
  }
  ASSERT_EQ(items(picture, "notes").size(), 3U);
  for (const Json& note : items(picture, "notes")) {
    if (note.if_string()->starts_with("swap ")) continue;
    EXPECT_NE(note.if_string()->find(": unfinished at epsilon 0.5, where no point is drawn. At epsilon 0.5 "
                                     "its least error is at most "),
              std::string::npos)
        << *note.if_string();
  }
}

TEST(ErrorPicture, WithoutTimeItSaysSo) {
  const Scenario scenario = golden_scenario("ex1", "0.5");
  const Json picture = error_picture(scenario, epsilons_around(scenario), {.seconds = 0});
  EXPECT_TRUE(items(picture, "methods").empty());
  ASSERT_EQ(items(picture, "notes").size(), 1U);
  EXPECT_EQ(*items(picture, "notes")[0].if_string(),
            "Points are missing: the 0 seconds for other methods and epsilons were used up.");
}

// Whoever watches the progress may stop it.
TEST(ErrorPicture, CanBeStopped) {
  struct Stop {};
  const Scenario scenario = golden_scenario("ex1", "0.5");
  EXPECT_THROW(
      error_picture(scenario, epsilons_around(scenario), {}, [](double, std::string_view) { throw Stop(); }),
      Stop);
}

TEST(ErrorPicture, EpsilonsAroundThePlansWithinTheLimits) {
  EXPECT_EQ(epsilons_around(golden_scenario("ex1", "0.5")).size(), 9U);
  EXPECT_EQ(epsilons_around(golden_scenario("ex1", "0.5")).front().text(), "0.0625");
  EXPECT_EQ(epsilons_around(golden_scenario("ex1", "50")).back().text(), "85");
  EXPECT_EQ(epsilons_around(golden_scenario("ex1", "1/3")).size(), 9U);
  Scenario close = golden_scenario("ex1", "0.5");
  close.promise({epsilon_of("0.5"), {}}, Rational(1, 10));
  EXPECT_EQ(epsilons_around(close).size(), 9U);  // every close belief are the most at any of them
}

TEST(PlanPicture, HoldsEverything) {
  const Plan plan = calibrate(jobs(), "exact", "laplace");
  const Json picture = plan_picture(plan, 0);
  for (const char* key : {"laws", "transport", "loss", "error", "noise"})
    EXPECT_NE(picture.find(key), nullptr) << key;
  EXPECT_FALSE(*member(picture, "public").if_boolean());
  EXPECT_EQ(text(picture, "title"), "race, hidden in job");
  EXPECT_NE(text(picture, "promise").find("becomes at most 62.3 %"), std::string::npos);
  EXPECT_EQ(items(picture, "assumptions").size(), Statement{plan}.assumptions().size());
  EXPECT_GE(items(picture, "not_promised").size(), 5U);
}

// A plan made with other wishes has an error of its own: that is what is drawn as the plan's.
TEST(PlanPicture, TheErrorOfThePlanIsItsOwn) {
  OptimumOptions options;
  options.unbiased = true;
  const Scenario scenario = golden_scenario("ex1", "0.5");
  const Plan plan = calibrate(scenario, "channel", "laplace", {}, options);
  const Json picture = plan_picture(plan, 600);
  const Json& error = member(picture, "error");
  EXPECT_EQ(number(member(error, "plan"), "rms"), std::sqrt(plan.mse));
  EXPECT_EQ(number(member(error, "plan"), "epsilon"), 0.5);
  for (const Json& line : items(error, "methods")) {
    if (text(line, "method") != "channel") continue;
    for (const Json& point : items(line, "points")) {
      if (number(point, "epsilon") != 0.5) continue;
      EXPECT_LT(number(point, "rms"), 0.99 * std::sqrt(plan.mse));
    }
  }
}

// Nothing of the public one depends on the counts but what the statement says already.
TEST(PlanPicture, PublicIsTheSameWhateverTheCounts) {
  Plan plan = calibrate(jobs(), "sensitivity", "laplace");
  Scenario others = jobs();
  others.priors[0].by_secret[0] = Distribution::from_counts({1, 2, 4}, {12, 900, 2});
  const Plan same = calibrate(others, "sensitivity", "laplace");
  ASSERT_EQ(plan.mechanism, same.mechanism);
  EXPECT_EQ(public_picture(plan).canonical(), public_picture(same).canonical());
  EXPECT_NE(plan_picture(plan, 0).canonical(), plan_picture(same, 0).canonical());
  const Json picture = public_picture(plan);
  for (const char* key : {"laws", "transport", "loss", "error", "notes", "witness"})
    EXPECT_EQ(picture.find(key), nullptr) << key;
  plan.notes.push_back("The group of Ada is small.");
  EXPECT_EQ(public_picture(plan).canonical(), picture.canonical());
}

}  // namespace
}  // namespace fugu
