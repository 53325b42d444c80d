#include "fugu/report/laws_chart.h"

#include <gtest/gtest.h>

#include "fugu/report/svg.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/support/text_count.h"

namespace fugu {
namespace {

using testing::count;

Scenario coins() {
  return scenario_from_json(parse_json(R"({"epsilon": 1, "priors": [
      {"name": "p", "given": {"a": {"values": [0, 1, 4], "mass": [1, 2, 1]}, "b": {"values": [1, 4], "mass": [1, 2]}}},
      {"name": "q", "given": {"a": {"values": [0], "mass": [1]}, "b": {"values": [1], "mass": [1]}}}]})",
                                       "test"),
                            "test");
}

TEST(LawsChart, ABarForEachAtom) {
  const std::string svg = laws_svg(coins(), 0);
  EXPECT_EQ(count(svg, stroke_of(0).colour), 3U + 1);  // and the legend
  EXPECT_EQ(count(svg, stroke_of(1).colour), 2U + 1);
  EXPECT_EQ(count(svg, "<polyline"), 0U);
  EXPECT_NE(svg.find(">given a<"), std::string::npos);
  EXPECT_NE(svg.find("(prior p)"), std::string::npos);
  EXPECT_EQ(svg.find("href"), std::string::npos);
}

// The bar of mass 2/3 is the tallest, and that of 1/2 has three quarters of its height.
TEST(LawsChart, HeightsAreTheMasses) {
  const std::string svg = laws_svg(coins(), 0);
  auto height_of = [&](const char* colour, int skip) {
    size_t at = svg.find("<defs>");
    for (int k = 0; k <= skip; ++k) at = svg.find(std::string("fill=\"") + colour, at + 1);
    const size_t height = svg.rfind("height=\"", at) + 8;
    return std::stod(svg.substr(height));
  };
  const double unit = height_of(stroke_of(1).colour, 1) / 2;
  EXPECT_NEAR(height_of(stroke_of(1).colour, 0), unit, 0.02);
  EXPECT_NEAR(height_of(stroke_of(0).colour, 1), 1.5 * unit, 0.02);
}

TEST(LawsChart, ManyValuesAreLines) {
  Scenario scenario = coins();
  std::vector<int64_t> values;
  for (int64_t k = 0; k < 1000; ++k) values.push_back(k);
  scenario.priors[0].given[0] = Distribution::from_counts(values, std::vector<uint64_t>(1000, 1));
  EXPECT_EQ(count(laws_svg(scenario, 0), "<polyline"), 2U);
  for (int64_t k = 1000; k < 6000; ++k) values.push_back(k);
  scenario.priors[0].given[0] = Distribution::from_counts(values, std::vector<uint64_t>(6000, 1));
  EXPECT_THROW(laws_svg(scenario, 0), Error);
}

TEST(LawsChart, OnlySecretsOfPairsAndNotTooMany) {
  Scenario scenario = coins();
  for (int k = 0; k < 7; ++k) {
    scenario.secrets.push_back("more " + std::to_string(k));
    for (Prior& prior : scenario.priors) prior.given.push_back(prior.given[0]);
  }
  EXPECT_THROW(laws_svg(scenario, 0), Error);
  scenario.pairs = PairSet::parse("a:more 3", scenario.secrets);
  const std::string svg = laws_svg(scenario, 0);
  EXPECT_EQ(svg.find("given b"), std::string::npos);
  EXPECT_NE(svg.find("given more 3"), std::string::npos);
}

TEST(LawsChart, LongNamesOfCategoriesAreSlanted) {
  Scenario scenario = coins();
  scenario.source = Source{
      {"s"}, {"x"}, {"first & last", "second", "third", "a name that is longer than there is room for"}, {}};
  const std::string svg = laws_svg(scenario, 0);
  EXPECT_NE(svg.find("first &amp; last</text>"), std::string::npos);
  EXPECT_NE(svg.find("a name that is longer t…</text>"), std::string::npos);
  EXPECT_NE(svg.find("rotate(-40"), std::string::npos);
  EXPECT_NE(svg.find(">s = a<"), std::string::npos);
}

TEST(LawsChart, Numbers) {
  EXPECT_EQ(
      laws_to_json(coins(), 0).canonical(),
      R"({"figure":"laws","laws":[{"mass":[0.25,0.5,0.25],"secret":"a","values":[0,1,4]},)"
      R"({"mass":[0.33333333333333333,0.66666666666666667],"secret":"b","values":[1,4]}],"prior":"p"})");
}

}  // namespace
}  // namespace fugu
