#include "fugu/report/plot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "fugu/calibrate/calibrate.h"
#include "fugu/report/picture.h"
#include "tests/support/pictures.h"
#include "tests/support/text_count.h"

namespace fugu {
namespace {

using testing::count;
using testing::jobs;

Plot only(const std::string& picture, const Emphasis& emphasis = {}) {
  return draw(parse_json(picture, "test"), emphasis).figures.at(0).at(0);
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kLaws = R"({"picture": "laws", "secret": "race", "notes": ["A note."], "columns": [
  {"column": "job", "categorical": true, "step": 1, "bin": null,
   "values": [{"value": 1, "label": "clerk"}, {"value": 2, "label": "cook"}, {"value": 3, "label": "smith"}],
   "priors": [{"name": "all", "secrets": [{"secret": "a", "probabilities": [0.5, 0.3, 0.2]},
                                          {"secret": "b", "probabilities": [0.1, 0.5, 0.4]}]},
              {"name": "few", "secrets": [{"secret": "a", "probabilities": [1, 0, 0]},
                                          {"secret": "b", "probabilities": [1, 0, 0]}]}]}]})";

TEST(LawsPlot, SaysWhereTheLawsDifferMost) {
  const Plot plot = only(kLaws);
  EXPECT_EQ(plot.name.title, "What job says about race (prior all)");
  EXPECT_EQ(
      plot.name.text,
      "How often each of 3 values occurs, given each of 2 secrets. They differ most at clerk: 50\u00a0% "
      "given a, 10\u00a0% given b.");
  EXPECT_EQ(plot.head, (std::vector<std::string>{"job", "a", "b"}));
  EXPECT_EQ(plot.rows.at(1), (std::vector<std::string>{"cook", "30\u00a0%", "50\u00a0%"}));
  EXPECT_EQ(plot.notes, (std::vector<std::string>{"A note."}));
}

TEST(LawsPlot, APlotForEachPriorToChooseFrom) {
  const DrawnPicture drawn = draw(parse_json(kLaws, "test"));
  ASSERT_EQ(drawn.figures.size(), 1U);
  ASSERT_EQ(drawn.figures[0].size(), 2U);
  EXPECT_EQ(drawn.figures[0][1].choice, "few");
  EXPECT_TRUE(says(drawn.figures[0][1].name.text, "They are the same."));
  EXPECT_NE(to_svg(drawn.figures[0][0]), to_svg(drawn.figures[0][1]));
}

std::string many_secrets(size_t secrets, size_t odd) {
  std::string list;
  for (size_t k = 0; k < secrets; ++k) {
    list += fmt::format(R"({}{{"secret": "s{}", "probabilities": [{}]}})", k ? "," : "", k,
                        k == odd ? "0, 1" : "0.5, 0.5");
  }
  return R"({"picture": "laws", "secret": "s", "notes": [], "columns": [{"column": "x", "categorical": false,
    "step": 1, "bin": null, "values": [{"value": 1, "label": "1"}, {"value": 2, "label": "2"}],
    "priors": [{"name": "all", "secrets": [)" +
         list + "]}]}]}";
}

TEST(LawsPlot, OfManySecretsThoseThatAreNamedAreDrawn) {
  const Plot plot = only(many_secrets(5000, 4321), {.secrets = {"s17", "s4000"}});
  EXPECT_EQ(plot.head.size(), 1 + 32U);
  for (const char* name : {"s0", "s1", "s17", "s4000", "s4321"})
    EXPECT_EQ(std::count(plot.head.begin(), plot.head.end(), name), 1) << name;
  EXPECT_EQ(plot.notes, (std::vector<std::string>{"32 of the 5,000 secrets are drawn and listed: those named "
                                                  "here, and the first. 4,968 are not shown."}));
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(says(svg, "s = s17<") && says(svg, "30 others<"));
  EXPECT_EQ(count(svg, "<polyline"), 32U);
  EXPECT_TRUE(only(many_secrets(32, 3)).notes.empty());
}

TEST(TransportPlot, SaysHowFarAndHowMuchStays) {
  const Plot plot = only(R"({"picture": "transport", "prior": "all", "pair": ["a", "b"], "secret": "race",
    "column": "job", "categorical": true, "step": 1, "bin": null, "distance": 1, "mean_distance": 0.3,
    "values": [{"value": 1, "label": "clerk"}, {"value": 2, "label": "cook"}], "notes": [],
    "cells": [{"from": 0, "to": 0, "mass": 0.2}, {"from": 0, "to": 1, "mass": 0.3, "farthest": true},
              {"from": 1, "to": 1, "mass": 0.5}]})");
  EXPECT_EQ(plot.name.text,
            "No mass has to move farther than 1, on average 0.3; 70\u00a0% of it stays where it is. Of all "
            "pairs, this one is the farthest apart.");
  EXPECT_EQ(plot.rows.at(1), (std::vector<std::string>{"clerk", "cook", "30\u00a0%", "yes"}));
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(says(svg, "clerk → cook: 30\u00a0% of the mass, the farthest"));
  EXPECT_EQ(count(svg, "class=\"limit stroke\""), 1U);  // what moves farthest is framed
}

TEST(TransportPlot, SeveralColumnsHaveANoteInItsPlace) {
  const DrawnPicture drawn =
      draw(parse_json(R"({"picture": "transport", "cells": null, "notes": ["Why."]})", "test"));
  EXPECT_TRUE(drawn.figures.empty());
  EXPECT_EQ(drawn.notes, (std::vector<std::string>{"Why."}));
}

std::string losses(const std::string& kind, const std::string& witness) {
  const char* key = kind == "loss" ? "loss" : "excess";
  return fmt::format(
      R"({{"picture": "loss", "kind": "{}", "epsilon": 0.5, "delta": 1e-5, "witness": {{"prior": "all",
    "pair": ["a", "b"], "output": 2, "label": "cook", {}}}, "columns": [{{"column": "job", "categorical": true,
    "step": 1, "constant_beyond": false, "outputs": [
      {{"output": 1, "label": "clerk", "{}": 0.1, "pair": ["b", "a"], "prior": "all"}},
      {{"output": 2, "label": "cook", "{}": 0.49996, "pair": ["a", "b"], "prior": "all"}}]}}], "notes": []}})",
      kind, witness, key, key);
}

TEST(LossPlot, LossesAreBoundsAndRoundedUp) {
  const Plot plot = only(losses("loss", R"("loss": 0.49996, "delta": null)"));
  EXPECT_TRUE(says(plot.name.text, "At most 0.5, of the 0.5 that is allowed: at cook, between a and b."));
  EXPECT_EQ(plot.rows.at(1), (std::vector<std::string>{"cook", "0.5", "a", "b", "all"}));
  const std::string svg = to_svg(plot);
  EXPECT_TRUE(says(svg, ">budget: 0.5<") && says(svg, ">worst, at cook<"));
  EXPECT_EQ(count(svg, "class=\"bar fill\""), 2U);
}

TEST(LossPlot, WithADeltaWhatIsAdded) {
  const Plot plot = only(losses("excess", R"("loss": null, "delta": 9.87654e-6)"));
  EXPECT_TRUE(says(plot.name.text, "In all at most 9.877e-06, of the 1e-05 that delta allows"))
      << plot.name.text;
  EXPECT_FALSE(says(to_svg(plot), "budget"));
}

// The line of the budget stands at its height, and no bar passes it.
TEST(LossPlot, BarsAreAsHighAsTheirLoss) {
  const std::string svg = to_svg(only(losses("loss", R"("loss": 0.49996, "delta": null)")));
  auto number_after = [&](size_t at, const char* key) {
    return std::stod(svg.substr(svg.find(key, at) + std::strlen(key)));
  };
  const size_t first = svg.rfind("<rect", svg.find("class=\"bar fill\"")),
               second = svg.find("<rect", first + 1);
  EXPECT_NEAR(number_after(second, "height=\"") / number_after(first, "height=\""), 4.9996, 0.01);
  const size_t limit = svg.rfind("<line", svg.find("class=\"limit stroke\""));
  EXPECT_LE(number_after(limit, "y1=\""), number_after(second, "y=\""));
}

TEST(NoisePlot, NoiseAndChannels) {
  const Plot noise = only(R"({"picture": "noise", "kind": "noise", "notes": [], "columns": [{"column": "job",
    "family": "laplace", "scale": 1, "step": 1, "stride": 1, "rms": 1.2, "points": [[-1, 0.2], [0, 0.6], [1, 0.2]],
    "beyond": 0}]})");
  EXPECT_EQ(noise.name.text,
            "Laplace noise in steps of 1, of root mean square 1.2. A value stays unchanged with probability "
            "60\u00a0%.");
  const Plot channel = only(R"({"picture": "noise", "kind": "channel", "column": "job", "notes": [],
    "inputs": [{"value": 1, "label": "clerk"}, {"value": 2, "label": "cook"}],
    "outputs": [{"value": 1, "label": "clerk"}, {"value": 2, "label": "cook"}], "rows": [[0.9, 0.1], [0.3, 0.7]]})");
  EXPECT_TRUE(says(channel.name.text, "it stays unchanged with probability 70\u00a0% to 90\u00a0%"));
  EXPECT_EQ(channel.rows.at(0), (std::vector<std::string>{"clerk", "90\u00a0%", "10\u00a0%"}));
  EXPECT_TRUE(says(to_svg(channel), "clerk → cook: 10\u00a0%"));
}

std::string errors(const std::string& more, const char* epsilon = "0.5", bool programmes = true) {
  return fmt::format(
      R"({{"picture": "error", "epsilons": [0.25, 0.5, 1], "epsilon": {}, "delta": 0, "programmes": {},
    {} "methods": [
    {{"method": "kantorovich", "noise": "laplace", "baseline": false, "points": [{{"epsilon": 0.25, "rms": 8}}, {{"epsilon": 0.5, "rms": 4}}]}},
    {{"method": "exact", "noise": "laplace", "baseline": false, "points": [{{"epsilon": 0.5, "rms": 2}}, {{"epsilon": 1, "rms": 0, "no_noise": true}}]}}],
    "notes": ["Points are missing."]}})",
      epsilon, programmes, more);
}

TEST(ErrorPlot, NamesTheLeastAndTheLargest) {
  const Plot plot = only(errors(""), {.method = "kantorovich"});
  EXPECT_EQ(plot.name.text,
            "At epsilon 0.5 the least error of those drawn is 2 (exact) and the largest 4 (kantorovich). The "
            "chosen method, kantorovich, costs 4.");
  EXPECT_EQ(plot.rows, (std::vector<std::vector<std::string>>{
                           {"0.25", "8", "–"}, {"0.5", "4", "2"}, {"1", "–", "0 (no noise)"}}));
  EXPECT_EQ(plot.notes.at(0), "No noise is needed at epsilon 1 by exact.");
  EXPECT_TRUE(says(to_svg(plot), "kantorovich (chosen method)"));
}

TEST(ErrorPlot, WhileOptimaAreToComeNoErrorIsCalledTheLeast) {
  const Plot plot = only(errors("", "0.5", false));
  EXPECT_FALSE(says(plot.name.text, "least"));
  EXPECT_TRUE(says(plot.name.text, "so far are between 2 (exact) and 4 (kantorovich)"));
}

TEST(ErrorPlot, APlansPointIsItsOwnErrorNotItsMethodsLine) {
  const Plot other = only(errors(R"("plan": {"epsilon": 0.5, "rms": 7},)"), {.method = "exact"});
  EXPECT_TRUE(says(other.name.text, " This plan, by exact, costs 7."));
  EXPECT_FALSE(says(to_svg(other), "exact (this plan)"));
  const Plot same = only(errors(R"("plan": {"epsilon": 0.5, "rms": 2},)"), {.method = "exact"});
  EXPECT_TRUE(says(to_svg(same), "exact (this plan)"));
}

TEST(ErrorPlot, AnEpsilonWithoutAnyPointSaysSo) {
  EXPECT_EQ(only(errors("", "3")).name.text, "At epsilon 3 no other method can be compared here.");
}

TEST(Plot, OfAPageHasNoTitleOfItsOwnAndOneForAPhone) {
  const Json drawn = plots_to_json(parse_json(kLaws, "test"), {}, PlotsFor::kPage);
  const Json& plot = testing::items(drawn, "figures")[0].if_array()->at(0);
  for (const char* key : {"svg", "narrow"}) {
    const std::string svg = testing::text(plot, key);
    EXPECT_FALSE(says(svg, "font-weight"));
    EXPECT_TRUE(
        says(svg, "aria-label=\"" + testing::text(plot, "title") + ". " + testing::text(plot, "text")));
    EXPECT_EQ(count(svg, "style"), 0U);  // a page's policy would refuse it
    EXPECT_EQ(count(svg, "id="), 0U);    // several stand in one page
  }
  EXPECT_TRUE(says(testing::text(plot, "narrow"), "width=\"340\""));
}

TEST(Plot, OfEveryPictureOfAPlan) {
  const Plan plan = calibrate(jobs(), "kantorovich", "laplace");
  const Json page = page_of_plan(plan_picture(plan, 5));
  for (const char* key : {"laws", "transport", "loss", "noise", "error"}) {
    const auto& figures = testing::items(testing::member(page, key), "figures");
    ASSERT_EQ(figures.size(), 1U) << key;
    const std::string svg = testing::text(figures[0].if_array()->at(0), "svg");
    EXPECT_FALSE(says(svg, "nan") || says(svg, "inf\"")) << key;
  }
}

TEST(Plot, NamesAreTextAndNothingElse) {
  Scenario scenario = jobs();
  scenario.source->columns[0].labels[0] = "</text><script>x</script>";
  scenario.secrets[0] = "\"><b onload='x'>";
  const Json drawn = plots_to_json(laws_picture(scenario), {}, PlotsFor::kPage);
  const std::string svg = testing::text(testing::items(drawn, "figures")[0].if_array()->at(0), "svg");
  EXPECT_FALSE(says(svg, "<script") || says(svg, "<b ") || says(svg, "\">b"));
  EXPECT_TRUE(says(svg, "&lt;/text&gt;&lt;script"));
}

TEST(Plot, OfNothingElse) {
  EXPECT_THROW(draw(parse_json(R"({"picture": "pie"})", "test")), Error);
  EXPECT_THROW(draw(parse_json(R"({"picture": "laws"})", "test")), Error);
}

}  // namespace
}  // namespace fugu
