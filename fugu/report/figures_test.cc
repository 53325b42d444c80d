#include "fugu/report/figures.h"

#include <gtest/gtest.h>

#include "fugu/scenario/scenario_json.h"
#include "fugu/show/svg.h"
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

TEST(LawsFigure, ABarForEachAtom) {
  const std::string svg = laws_svg(coins(), 0);
  EXPECT_EQ(count(svg, look_of(0).paint.colour), 3U + 1);  // and the legend
  EXPECT_EQ(count(svg, look_of(1).paint.colour), 2U + 1);
  EXPECT_EQ(count(svg, "<polyline"), 0U);
  EXPECT_NE(svg.find(">secret = a<"), std::string::npos);
  EXPECT_NE(svg.find("(prior p)"), std::string::npos);
  EXPECT_EQ(svg.find("href"), std::string::npos);
}

// The bar of mass 2/3 is the tallest, and that of 1/2 has three quarters of its height.
TEST(LawsFigure, HeightsAreTheMasses) {
  const std::string svg = laws_svg(coins(), 0);
  auto height_of = [&](const char* colour, int skip) {
    size_t at = 0;
    for (int k = 0; k <= skip; ++k) at = svg.find(std::string("fill=\"") + colour, at + 1);
    const size_t height = svg.rfind("height=\"", at) + 8;
    return std::stod(svg.substr(height));
  };
  const double unit = height_of(look_of(1).paint.colour, 1) / 2;
  EXPECT_NEAR(height_of(look_of(1).paint.colour, 0), unit, 0.02);
  EXPECT_NEAR(height_of(look_of(0).paint.colour, 1), 1.5 * unit, 0.02);
}

TEST(LawsFigure, ManyValuesAreLines) {
  Scenario scenario = coins();
  std::vector<int64_t> values;
  for (int64_t k = 0; k < 1000; ++k) values.push_back(k);
  scenario.priors[0].by_secret[0] = Distribution::from_counts(values, std::vector<uint64_t>(1000, 1));
  EXPECT_EQ(count(laws_svg(scenario, 0), "<polyline"), 2U);
  for (int64_t k = 1000; k < 6000; ++k) values.push_back(k);
  scenario.priors[0].by_secret[0] = Distribution::from_counts(values, std::vector<uint64_t>(6000, 1));
  EXPECT_THROW(laws_svg(scenario, 0), Error);
}

TEST(LawsFigure, OnlySecretsOfPairsAndNotTooMany) {
  Scenario scenario = coins();
  for (int k = 0; k < 7; ++k) {
    scenario.secrets.push_back("more " + std::to_string(k));
    for (Prior& prior : scenario.priors) prior.by_secret.push_back(prior.by_secret[0]);
  }
  EXPECT_THROW(laws_svg(scenario, 0), Error);
  scenario.pairs = PairSet::parse("a:more 3", scenario.secrets);
  const std::string svg = laws_svg(scenario, 0);
  EXPECT_EQ(svg.find("secret = b"), std::string::npos);
  EXPECT_NE(svg.find("secret = more 3"), std::string::npos);
}

TEST(LawsFigure, LongNamesOfCategoriesAreSlanted) {
  Scenario scenario = coins();
  scenario.source = Source{.secret = {"s"}, .published = {"x"}};
  scenario.source->columns[0].labels = {"first & last", "second", "third",
                                        "a name that is longer than there is room for"};
  const std::string svg = laws_svg(scenario, 0);
  EXPECT_NE(svg.find("first &amp; last</text>"), std::string::npos);
  EXPECT_NE(svg.find("a name that is longer t…</text>"), std::string::npos);
  EXPECT_NE(svg.find("rotate(-40"), std::string::npos);
  EXPECT_NE(svg.find(">s = a<"), std::string::npos);
}

TEST(LawsFigure, Numbers) {
  EXPECT_EQ(
      laws_to_json(coins(), 0).canonical(),
      R"({"figure":"laws","laws":[{"mass":[0.25,0.5,0.25],"secret":"a","values":[0,1,4]},)"
      R"({"mass":[0.33333333333333333,0.66666666666666667],"secret":"b","values":[1,4]}],"prior":"p"})");
}

// The paper's first example of Song et al.
Scenario song() {
  return scenario_from_json(parse_json(R"({"epsilon": 1, "priors": [{"name": "p", "given": {
      "i": {"values": [1, 2, 3, 4], "mass": ["1/3", "1/6", "1/3", "1/6"]},
      "j": {"values": [1, 2, 3, 4], "mass": ["1/4", "1/4", "1/6", "1/3"]}}}]})",
                                       "test"),
                            "test");
}

TEST(TransportFigure, NumbersOfThePaper) {
  EXPECT_EQ(
      transport_to_json(song(), 0).canonical(),
      R"({"cells":[[1,1,0.25],[1,2,0.083333333333333333],[2,2,0.16666666666666667],[3,3,0.16666666666666667],)"
      R"([3,4,0.16666666666666667],[4,4,0.16666666666666667]],"figure":"plan","pair":["i","j"],"prior":"p","w_inf":1})");
}

TEST(TransportFigure, ACellForEachMoveDarkestWhereMostMoves) {
  const std::string svg = transport_svg(song(), 0);
  EXPECT_EQ(count(svg, ">0.17</text>"), 4U);
  EXPECT_EQ(count(svg, ">0.083</text>"), 1U);
  EXPECT_EQ(count(svg, "fill-opacity=\"1.000\""), 1U + 1);  // the cell of 1/4, and the top of the legend
  EXPECT_NE(svg.find("value, secret = i<"), std::string::npos);
  EXPECT_NE(svg.find("value, secret = j<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(TransportFigure, NeedsOnePair) {
  Scenario scenario = song();
  scenario.secrets.emplace_back("k");
  scenario.priors[0].by_secret.push_back(scenario.priors[0].by_secret[0]);
  EXPECT_THROW(transport_svg(scenario, 0), Error);
  EXPECT_THROW(transport_to_json(scenario, 0), Error);
  scenario.pairs = PairSet::parse("j:k", scenario.secrets);
  EXPECT_NE(transport_svg(scenario, 0).find("secret = k<"), std::string::npos);
}

TEST(TransportFigure, TooFineToBeSeen) {
  Scenario scenario = song();
  std::vector<int64_t> values;
  for (int64_t k = 0; k < 20000; ++k) values.push_back(k);
  scenario.priors[0].by_secret[0] = Distribution::from_counts(values, std::vector<uint64_t>(20000, 1));
  EXPECT_THROW(transport_svg(scenario, 0), Error);
  EXPECT_NO_THROW(transport_to_json(scenario, 0));
}

TEST(TransportFigure, OneValueEach) {
  Scenario scenario = song();
  for (Distribution& law : scenario.priors[0].by_secret) law = Distribution::from_counts({5}, {1});
  const std::string svg = transport_svg(scenario, 0);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace fugu
