#include "fugu/show/line_chart.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "fugu/show/svg.h"
#include "tests/support/text_count.h"

namespace fugu {
namespace {

using testing::count;

const PlotName kName{"Error < noise & more", "Less > more"};

LineChart small_chart() {
  LineChart chart;
  chart.x_title = "epsilon";
  chart.y_title = "variance";
  chart.series = {{"one", {{0.1, 200}, {1, 20}, {5, 0.3}}, look_of(0)},
                  {"two", {{0.1, 100}, {0.7, 2}, {0.8, 0}, {5, 0}}, look_of(1)}};
  return chart;
}

TEST(LineChart, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(0.1, 5.8, 8), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(round_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(log_ticks(0.4, 6), (std::vector<double>{0.5, 1, 2, 5}));
  EXPECT_EQ(log_ticks(0.1, 1000), (std::vector<double>{0.1, 1, 10, 100, 1000}));
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
  const std::string svg = to_svg(chart, kName);
  EXPECT_EQ(svg, to_svg(chart, kName));
  EXPECT_EQ(svg.find("href"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf\""), std::string::npos);
  EXPECT_NE(svg.find("Error &lt; noise &amp; more"), std::string::npos);
  EXPECT_NE(svg.find("<desc>Less &gt; more</desc>"), std::string::npos);
  EXPECT_NE(svg.find("fill=\"#ffffff\""), std::string::npos);
  EXPECT_EQ(count(svg, "<polyline"), 2U);
}

TEST(LineChart, OnALogScaleZeroEndsTheLineAtTheFoot) {
  LineChart chart = small_chart();
  EXPECT_EQ(count(to_svg(chart, kName), "<circle"), 0U);
  chart.log_y = true;
  EXPECT_EQ(count(to_svg(chart, kName), "<circle"), 1U);
}

TEST(LineChart, SeriesDifferByColourAndDash) {
  LineChart chart = small_chart();
  const std::string svg = to_svg(chart, kName);
  EXPECT_EQ(count(svg, "#0072b2"), 2U);  // the line and the legend
  EXPECT_EQ(count(svg, "#d55e00"), 2U);
  EXPECT_EQ(count(svg, "stroke-dasharray=\"9 4\""), 2U);
}

TEST(Svg, SixteenLooksDifferAndEightInTheirColour) {
  std::set<std::string> colours, looks, dashes;
  for (size_t k = 0; k < 16; ++k) {
    const Look look = look_of(k);
    looks.insert(std::string(look.paint.name) + look.symbol + look.dash);
    if (k < 8) colours.insert(look.paint.colour);
    if (k < 8) dashes.insert(look.dash);
  }
  EXPECT_EQ(looks.size(), 16U);
  EXPECT_EQ(colours.size(), 8U);
  EXPECT_EQ(dashes.size(), 8U);
}

TEST(Svg, TextIsWhatXmlCanHold) {
  EXPECT_EQ(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(escaped("a\xEF\xBF\xBF"
                    "b\xEF\xBF\xBE"),
            "a?b?");
  EXPECT_EQ(escaped("\x01\xE2\x80\xAE"), "?&lt;U+202E&gt;");
}

// Beyond the ends of its axis a line is cut, and has no dot there.
TEST(LineChart, NothingIsDrawnBesideThePlot) {
  LineChart chart = small_chart();
  chart.log_y = true;
  chart.x_range = {{1, 5}};
  EXPECT_EQ(count(to_svg(chart, kName), "<circle"), 0U);
}

}  // namespace
}  // namespace fugu
