#include "fugu/report/variance_chart.h"

#include <gtest/gtest.h>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

TEST(VarianceChart, LinesEndWhereNoNoiseIsNeeded) {
  const Scenario scenario =
      scenario_from_json(parse_json(R"({"epsilon": 1, "priors": [{"name": "p", "given": {
      "a": {"values": [1, 2], "mass": [1, 3]}, "b": {"values": [1, 2], "mass": [3, 1]}}}]})",
                                    "test"),
                         "test");
  std::vector<Epsilon> epsilons;
  for (const char* text : {"0.5", "1", "2", "3"})
    epsilons.push_back(Epsilon::parse(text, "test", ErrorKind::kBug));
  const LineChart chart = variance_chart(scenario, epsilons);
  ASSERT_EQ(chart.series.size(), 7U);
  EXPECT_EQ(chart.series[0].points.size(), 4U);
  EXPECT_DOUBLE_EQ(chart.series[0].points[0].second, 8);  // 2 (1 / 0.5)^2
  const auto& exact = chart.series[4].points;
  ASSERT_EQ(exact.size(), 3U);
  EXPECT_NEAR(exact.back().first, 1.0986, 1e-4);  // log 3, the loss of the bare column
  EXPECT_EQ(exact.back().second, 0);
  for (size_t line : {5U, 6U}) {
    ASSERT_EQ(chart.series[line].points.size(), 3U);
    EXPECT_LE(chart.series[line].points[0].second, exact[0].second);
    EXPECT_EQ(chart.series[line].points.back().second, 0);
  }
  ASSERT_EQ(chart.notes.size(), 1U);
  EXPECT_EQ(chart.notes[0].text, "exact: no noise needed from 1.1 on");
}

TEST(VarianceChart, WhatIsUnfinishedIsNotDrawn) {
  const Scenario scenario =
      scenario_from_json(parse_json(R"({"epsilon": 1, "priors": [{"name": "p", "given": {
      "a": {"values": [1, 2], "mass": [1, 3]}, "b": {"values": [1, 2], "mass": [3, 1]}}}]})",
                                    "test"),
                         "test");
  std::vector<Epsilon> epsilons;
  for (const char* text : {"0.5", "1"}) epsilons.push_back(Epsilon::parse(text, "test", ErrorKind::kBug));
  const LineChart chart = variance_chart(scenario, epsilons, "laplace", {.seconds = 1e-9});
  ASSERT_EQ(chart.series.size(), 5U);
  EXPECT_EQ(chart.series.back().name, "exact: least noise of the family");
}

}  // namespace
}  // namespace fugu
