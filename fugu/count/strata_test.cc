// Columns that are known: their groups are the priors, and nothing else is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fugu/count/table_model.h"
#include "fugu/scenario/further_priors.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using Words = std::vector<std::string>;

TableQuestion known_question(const std::string& path, Words known, uint64_t min_group,
                             Words published = {"x"}) {
  return {
      .table = {.path = path, .secret = {"s"}, .published = std::move(published), .known = std::move(known)},
      .epsilon = Epsilon::parse("0.5", "--epsilon", ErrorKind::kUsage),
      .min_group = min_group};
}

std::vector<std::pair<std::string, Words>> strata_of(const Scenario& scenario) {
  std::vector<std::pair<std::string, Words>> result;
  for (const Prior& prior : scenario.priors) result.emplace_back(prior.name, prior.known);
  return result;
}
using StrataNamed = std::vector<std::pair<std::string, Words>>;

TEST(Strata, AreThePriorsInTheOrderOfTheirNames) {
  TempFile file("s,g,h,x\na,q,1,1\nb,q,1,2\na,p,1,1\nb,p,1,3\na,p,,1\nb,p,,1\n");
  TableQuestion question = known_question(file.path(), {"g", "h"}, 1);
  question.table.missing = Missing::kKeep;
  const Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(strata_of(scenario), (StrataNamed{{"g = p & h = (missing)", {"p", kMissingLabel}},
                                              {"g = p & h = 1", {"p", "1"}},
                                              {"g = q & h = 1", {"q", "1"}}}));
  EXPECT_EQ(scenario.source->known, (Words{"g", "h"}));
  EXPECT_TRUE(scenario.source->given.empty());
  EXPECT_EQ(scenario.source->min_group, 1U);
  EXPECT_EQ(scenario.population({1, 2, 3}), (std::vector<Integer>{4, 1, 1}));
}

TEST(Strata, SmallOnesAreOneTogether) {
  TempFile file("s,g,x\na,p,1\nb,p,2\na,q,1\nb,r,1\na,p,3\nb,p,1\n");
  const Scenario scenario = scenario_from_table(known_question(file.path(), {"g"}, 1), {});
  EXPECT_EQ(strata_of(scenario), (StrataNamed{{"g = p", {"p"}}, {kOtherGroups, {kOtherGroups}}}));
  EXPECT_EQ(scenario.source->merged, (Words{"g = q", "g = r"}));
}

// What only people have for whom nothing is promised is no value of the plan.
TEST(Strata, ThatAreLeftOutTakeTheirValuesAlong) {
  TempFile file("s,g,x,y\na,p,1,u\nb,p,2,v\na,q,1,w\na,r,9,u\na,p,2,u\nb,p,1,u\n");
  TableCounts counts;
  const Scenario one = scenario_from_table(known_question(file.path(), {"g"}, 2), {}, &counts);
  EXPECT_EQ(strata_of(one), (StrataNamed{{"g = p", {"p"}}}));
  EXPECT_EQ(one.source->left_out, (Words{"g = q", "g = r"}));
  EXPECT_EQ(one.bounds(), (std::pair<int64_t, int64_t>{1, 2}));
  EXPECT_EQ(counts.rows, 6U);
  EXPECT_EQ(counts.outside, 2U);
  const Scenario both = scenario_from_table(known_question(file.path(), {"g"}, 2, {"x", "y"}), {});
  EXPECT_EQ(both.points.size(), 3U);
  EXPECT_EQ(both.source->columns[1].labels, (Words{"u", "v"}));
}

TEST(Strata, WithAConfidenceSmallOnesAreLeftOut) {
  TempFile file("s,g,x\na,p,u\nb,p,v\na,q,u\nb,r,u\na,p,v\nb,p,u\n");
  TableQuestion question = known_question(file.path(), {"g"}, 1);
  question.confidence = Rational(9, 10);
  const Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(strata_of(scenario), (StrataNamed{{"g = p", {"p"}}}));
  EXPECT_EQ(scenario.source->left_out, (Words{"g = q", "g = r"}));
}

TEST(Strata, RolesThatDoNotGoTogether) {
  TempFile file("s,g,x\na,p,1\nb,p,2\na,(other),2\n");
  auto said = [&](auto change) {
    TableQuestion question = known_question(file.path(), {"g"}, 1);
    change(question);
    try {
      scenario_from_table(question, {});
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("no error");
  };
  EXPECT_EQ(said([](TableQuestion& q) { q.table.known = {"s"}; }), "--known: column 's' is the secret");
  EXPECT_EQ(said([](TableQuestion& q) { q.table.known = {"x"}; }),
            "--known: column 'x' is the released column");
  EXPECT_EQ(said([](TableQuestion& q) { q.table.known = {"g", "2"}; }), "--known: column 'g' is named twice");
  EXPECT_EQ(said([](TableQuestion& q) { q.table.given = {"g"}; }),
            "--given: this cannot be used with --known");
  EXPECT_EQ(said([](TableQuestion& q) { q.table.missing = Missing::kDrop; }),
            "--missing: known columns are written, and would show which rows are dropped");
  EXPECT_NE(said([](TableQuestion&) {}).find("line 4, column 'g': plans use this text for all small groups"),
            std::string::npos);
}

TEST(FurtherBeliefs, AreOfTheRowsThatOccurInTheStratum) {
  TempFile file(
      "s,g,x,y\n"
      "a,p,1,1\na,p,1,1\na,p,2,2\nb,p,1,2\nb,p,2,2\nb,p,2,2\n"
      "a,q,1,1\nb,q,2,1\n");
  TableQuestion question = known_question(file.path(), {"g"}, 1, {"x", "y"});
  question.also = {"independent", "smoothed:0.50"};
  const Scenario scenario = scenario_from_table(question, {});
  ASSERT_EQ(scenario.priors.size(), 6U);
  EXPECT_EQ(scenario.source->also, (Words{"independent", "smoothed:0.5"}));
  EXPECT_EQ(strata_of(scenario)[2], (std::pair<std::string, Words>{"g = p, independent", {"p"}}));
  EXPECT_EQ(strata_of(scenario)[5], (std::pair<std::string, Words>{"g = q, smoothed by 0.5", {"q"}}));
  // Of a in p: x is 1 twice and 2 once, and so is y; (2, 1) does not occur in p. Of b: x is 1 once and 2
  // twice, y is 2 three times.
  ASSERT_EQ(scenario.points, (std::vector<Point>{{1, 1}, {1, 2}, {2, 1}, {2, 2}}));
  const Prior& apart = scenario.priors[2];
  EXPECT_EQ(apart.by_secret[0], Distribution::from_counts({0, 1, 3}, {4, 2, 1}));
  EXPECT_EQ(apart.by_secret[1], Distribution::from_counts({1, 3}, {1, 2}));
  const Prior& smooth = scenario.priors[3];
  EXPECT_EQ(smooth.by_secret[0], Distribution::from_counts({0, 1, 3}, {5, 1, 3}));
  EXPECT_EQ(smooth.by_secret[1], Distribution::from_counts({0, 1, 3}, {1, 3, 5}));
  EXPECT_EQ(scenario.population({0, 1, 2, 3}), (std::vector<Integer>{3, 1, 1, 3}));  // the table's own alone
}

TEST(FurtherBeliefs, AreNamedByTheirTexts) {
  EXPECT_EQ(belief_named("smoothed:2.50")->name(), "smoothed by 2.5");
  for (const char* text :
       {"", "smoothed", "smoothed:", "smoothed:0", "smoothed:-1", "smoothed:x", "Independent"})
    EXPECT_FALSE(belief_named(text)) << text;
}

}  // namespace
}  // namespace fugu
