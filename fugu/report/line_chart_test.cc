#include "fugu/report/line_chart.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/report/svg.h"
#include "tests/support/text_count.h"

namespace fugu {
namespace {

using testing::count;

LineChart small_chart() {
  LineChart chart;
  chart.title = "Error < noise & more";
  chart.x_title = "epsilon";
  chart.y_title = "variance";
  chart.series = {{"one", {{0.1, 200}, {1, 20}, {5, 0.3}}},
                  {"two", {{0.1, 100}, {0.7, 2}, {0.8, 0}, {5, 0}}}};
  return chart;
}

TEST(LineChart, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(0.1, 5.8, 8), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(round_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
}

RC_GTEST_PROP(LineChartProperty, TicksLieWithinAndAreFew, ()) {
  const double low = *rc::gen::inRange(-100000, 100000) / 1000.0;
  const double high = low + *rc::gen::inRange(1, 100000) / 1000.0;
  const auto ticks = round_ticks(low, high, 8);
  RC_ASSERT(ticks.size() >= 2U);
  RC_ASSERT(ticks.size() <= 10U);
  for (double tick : ticks) RC_ASSERT(tick >= low - 1e-6 && tick <= high + 1e-6);
}

TEST(LineChart, IsSelfContainedAndReproducible) {
  LineChart chart = small_chart();
  chart.log_y = true;
  const std::string svg = to_svg(chart);
  EXPECT_EQ(svg, to_svg(chart));
  EXPECT_EQ(svg.find("href"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf\""), std::string::npos);
  EXPECT_NE(svg.find("Error &lt; noise &amp; more"), std::string::npos);
  EXPECT_NE(svg.find("fill=\"#ffffff\""), std::string::npos);
  EXPECT_EQ(count(svg, "<polyline"), 2U);
}

TEST(LineChart, OnALogScaleZeroEndsTheLineAtTheFoot) {
  LineChart chart = small_chart();
  EXPECT_EQ(count(to_svg(chart), "<circle"), 0U);
  chart.log_y = true;
  EXPECT_EQ(count(to_svg(chart), "<circle"), 1U);
}

TEST(LineChart, SeriesDifferByColourAndDash) {
  LineChart chart = small_chart();
  const std::string svg = to_svg(chart);
  EXPECT_EQ(count(svg, "#0072b2"), 2U);  // the line and the legend
  EXPECT_EQ(count(svg, "#d55e00"), 2U);
  EXPECT_EQ(count(svg, "stroke-dasharray=\"9 4\""), 2U);
}

}  // namespace
}  // namespace fugu
