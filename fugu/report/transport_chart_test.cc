#include "fugu/report/transport_chart.h"

#include <gtest/gtest.h>

#include "fugu/scenario/scenario_json.h"
#include "tests/support/text_count.h"

namespace fugu {
namespace {

using testing::count;

// The paper's first example of Song et al.
Scenario song() {
  return scenario_from_json(parse_json(R"({"epsilon": 1, "priors": [{"name": "p", "given": {
      "i": {"values": [1, 2, 3, 4], "mass": ["1/3", "1/6", "1/3", "1/6"]},
      "j": {"values": [1, 2, 3, 4], "mass": ["1/4", "1/4", "1/6", "1/3"]}}}]})",
                                       "test"),
                            "test");
}

TEST(TransportChart, NumbersOfThePaper) {
  EXPECT_EQ(
      transport_to_json(song(), 0).canonical(),
      R"({"cells":[[1,1,0.25],[1,2,0.083333333333333333],[2,2,0.16666666666666667],[3,3,0.16666666666666667],)"
      R"([3,4,0.16666666666666667],[4,4,0.16666666666666667]],"figure":"plan","pair":["i","j"],"prior":"p","w_inf":1})");
}

TEST(TransportChart, ACellForEachMoveDarkestWhereMostMoves) {
  const std::string svg = transport_svg(song(), 0);
  EXPECT_EQ(count(svg, ">0.17</text>"), 4U);
  EXPECT_EQ(count(svg, ">0.083</text>"), 1U);
  EXPECT_EQ(count(svg, "fill=\"#08306b\""), 1U + 1);  // the cell of 1/4, and the top of the legend
  EXPECT_NE(svg.find("value, given i<"), std::string::npos);
  EXPECT_NE(svg.find("value, given j<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(TransportChart, NeedsOnePair) {
  Scenario scenario = song();
  scenario.secrets.emplace_back("k");
  scenario.priors[0].given.push_back(scenario.priors[0].given[0]);
  EXPECT_THROW(transport_svg(scenario, 0), Error);
  EXPECT_THROW(transport_to_json(scenario, 0), Error);
  scenario.pairs = PairSet::parse("j:k", scenario.secrets);
  EXPECT_NE(transport_svg(scenario, 0).find("given k<"), std::string::npos);
}

TEST(TransportChart, TooFineToBeSeen) {
  Scenario scenario = song();
  std::vector<int64_t> values;
  for (int64_t k = 0; k < 20000; ++k) values.push_back(k);
  scenario.priors[0].given[0] = Distribution::from_counts(values, std::vector<uint64_t>(20000, 1));
  EXPECT_THROW(transport_svg(scenario, 0), Error);
  EXPECT_NO_THROW(transport_to_json(scenario, 0));
}

TEST(TransportChart, OneValueEach) {
  Scenario scenario = song();
  for (Distribution& law : scenario.priors[0].given) law = Distribution::from_counts({5}, {1});
  const std::string svg = transport_svg(scenario, 0);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace fugu
