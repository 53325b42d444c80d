#include "fugu/plan/publishable.h"

#include <gtest/gtest.h>

#include "fugu/core/error.h"

namespace fugu {
namespace {

using Counts = std::vector<std::pair<int64_t, uint64_t>>;

Distribution counted(const Counts& counts) {
  std::vector<int64_t> atoms;
  std::vector<uint64_t> people;
  for (const auto& [atom, count] : counts) {
    atoms.push_back(atom);
    people.push_back(count);
  }
  return Distribution::from_counts(atoms, people);
}

// A table's column x, as counted with each of two secrets.
Plan plan_of(const Counts& a, const Counts& b, std::vector<std::string> labels = {}) {
  Scenario scenario{Epsilon::parse("1", "epsilon", ErrorKind::kBug)};
  scenario.secrets = {"a", "b"};
  scenario.priors = {{kWholeTable, {counted(a), counted(b)}}};
  scenario.source = Source{.secret = {"s"}, .published = {"x"}, .columns = {{.labels = std::move(labels)}}};
  return {std::move(scenario), "exact", no_noise("laplace"), 0, {}, {}, {}, {}, {}};
}

// What is said when it is refused, with what to do; empty when it may be published.
std::string refusal(const Plan& plan, uint64_t least = kPublishMin) {
  try {
    check_publishable(plan, least);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.message() + "\n" + error.hint();
  }
}

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

TEST(Publishable, CategoriesThatFewPeopleShareAreNot) {
  // Both secrets together: 2 + 3 people say "v", 4 say "w".
  const Plan plan = plan_of({{1, 50}, {2, 2}, {3, 4}}, {{1, 60}, {2, 3}}, {"u", "v", "w"});
  const std::string said = refusal(plan);
  EXPECT_TRUE(says(said, "column 'x': fewer than 5 people share some of its categories")) << said;
  EXPECT_TRUE(says(said, "--merge-rare 5")) << said;
  EXPECT_FALSE(says(said, "'w'")) << said;
  EXPECT_EQ(refusal(plan, 4), "");
  EXPECT_EQ(refusal(plan, 1), "");
  EXPECT_TRUE(says(refusal(plan, 6), "fewer than 6 people share some of its categories"));
}

TEST(Publishable, ColumnsOfWhichNothingIsSharedAreLeftOut) {
  const std::string said = refusal(plan_of({{1, 1}, {3, 1}}, {{2, 1}, {4, 1}}, {"p", "q", "r", "t"}));
  EXPECT_TRUE(says(said, "some of its categories")) << said;
  EXPECT_TRUE(says(said, "leave the column out")) << said;
  EXPECT_FALSE(says(said, "--merge-rare")) << said;
}

TEST(Publishable, CategoriesThatNobodyHasSayNothing) {
  EXPECT_EQ(refusal(plan_of({{1, 50}}, {{3, 50}}, {"u", "nobody", "w"})), "");
}

TEST(Publishable, TheLabelOfMergedCategoriesIsNobodysText) {
  Plan plan = plan_of({{1, 50}, {2, 1}}, {{1, 50}, {2, 1}}, {"u", kRareLabel});
  EXPECT_NE(refusal(plan), "") << "it is a category like any other where nothing was merged";
  plan.scenario.source->columns[0].rare = {"v", "w"};
  EXPECT_EQ(refusal(plan), "");
}

TEST(Publishable, EdgesAreTheOwners) {
  Plan plan = plan_of({{1, 50}, {2, 1}}, {{1, 50}}, {"< 20", ">= 20"});
  plan.scenario.source->columns[0].edges = {Rational(20)};
  EXPECT_EQ(refusal(plan), "");
}

TEST(Publishable, EndsOfAClampedRangeAreSharedByMany) {
  const Counts many{{10, 50}, {20, 50}, {99, 5}}, one{{10, 50}, {98, 50}, {99, 1}}, low{{1, 1}, {99, 50}};
  for (const Counts& counts : {many, one, low}) {
    Plan plan = plan_of(counts, {{10, 50}});
    EXPECT_EQ(refusal(plan), "") << "free noise lists no value";
    plan.scenario.source->clamp = true;
    const std::string said = refusal(plan);
    EXPECT_EQ(said.empty(), counts == many);
    EXPECT_TRUE(counts == many || says(said, "--clip x=LO:HI")) << said;
    EXPECT_FALSE(says(said, "99")) << said;
    plan.scenario.source->columns[0].clip = {Rational(0), Rational(200)};
    EXPECT_EQ(refusal(plan), "") << "bounds of the owner's own";
    EXPECT_EQ(plan.scenario.range(), (std::pair<int64_t, int64_t>(0, 200)));
  }
}

TEST(Publishable, ChannelsListOnlyValuesOfMany) {
  Plan plan = plan_of({{1, 50}, {2, 50}, {7, 4}}, {{1, 50}, {2, 50}});
  plan.mechanism = identity_channel({1, 2, 7});
  const std::string said = refusal(plan);
  EXPECT_TRUE(says(said, "some of its values")) << said;
  EXPECT_TRUE(says(said, "--bin x=W")) << said;
  EXPECT_NO_THROW(check_publishable(plan.scenario, kPublishMin)) << "only the mechanism decides it";
  EXPECT_NO_THROW(check_publishable(plan.scenario, "channel", kPublishMin)) << "it may need no noise";
  EXPECT_THROW(check_publishable(plan.scenario, "swap", kPublishMin), Error) << "the method decides it";
  // An output of the owner's own, which nobody has.
  plan.mechanism = Channel{{1, 2}, {1, 2, 9}, {{1, 1, 1}, {1, 1, 1}}};
  EXPECT_EQ(refusal(plan), "");
  // A value that is an end of the clip.
  plan.mechanism = identity_channel({1, 2, 7});
  plan.scenario.source->columns[0].clip = {Rational(1), Rational(7)};
  EXPECT_EQ(refusal(plan), "");
}

// Values cannot be held between ends that are so far apart: those of the data take their place.
TEST(Publishable, EndsOfAClipThatIsTooWideAreTheDatas) {
  Plan plan = plan_of({{10, 50}, {98, 50}, {99, 1}}, {{10, 50}});
  plan.scenario.source->clamp = true;
  plan.scenario.source->columns[0].clip = {Rational(0), Rational(int64_t{1} << 50)};
  ASSERT_EQ(plan.scenario.range(), (std::pair<int64_t, int64_t>(10, 99)));
  const std::string said = refusal(plan);
  EXPECT_TRUE(says(said, "its least or its greatest value")) << said;
  EXPECT_TRUE(says(said, "a narrower range")) << said;
  plan.scenario.source->clamp = false;
  plan.mechanism = identity_channel({10, 98, 99});
  EXPECT_TRUE(says(refusal(plan), "some of its values")) << refusal(plan);
}

TEST(Publishable, AScaleThatTellsTheRangeIsWarnedOf) {
  const Counts few{{10, 50}, {98, 50}, {99, 1}}, many{{10, 50}, {99, 5}};
  for (const char* method : {"sensitivity", "dp-laplace", "exact"}) {
    Plan plan = plan_of(few, {{10, 50}, {11, 50}});
    plan.method = method;
    plan.mechanism = Noise{"laplace", std::nullopt, {1, 2, 1}, {}};
    const std::string said = range_warning(plan, kPublishMin);
    EXPECT_EQ(said.empty(), plan.method == "exact") << said;
    if (said.empty()) continue;
    EXPECT_TRUE(says(said, "column 'x': the scale of ") && says(said, "--clip LO:HI")) << said;
    EXPECT_FALSE(says(said, "99")) << said;
    EXPECT_EQ(range_warning(plan, 1), "");
    // Within a wider clip the data's own ends decide; ends that values reach are the owner's.
    plan.scenario.source->columns[0].clip = {Rational(0), Rational(200)};
    EXPECT_EQ(range_warning(plan, kPublishMin), said);
    plan.scenario.source->columns[0].clip = {Rational(10), Rational(99)};
    EXPECT_EQ(range_warning(plan, kPublishMin), "");
    Plan shared = plan_of(many, {{10, 50}});
    shared.method = method;
    shared.mechanism = plan.mechanism;
    EXPECT_EQ(range_warning(shared, kPublishMin), "");
    Plan categories = plan_of({{1, 50}}, {{2, 1}}, {"u", "v"});
    categories.method = method;
    categories.mechanism = plan.mechanism;
    EXPECT_EQ(range_warning(categories, kPublishMin), "");
  }
}

TEST(Publishable, OfSeveralColumnsEachIsCounted) {
  Plan plan = plan_of({{0, 50}, {1, 3}}, {{0, 50}, {1, 1}});
  plan.scenario.axes = {Axis{}, Axis{}};
  plan.scenario.source->columns = {{}, {.labels = {"u", "v"}}};
  plan.scenario.points = {{4, 1}, {9, 2}};
  plan.scenario.source->published = {"x", "y"};
  const std::string said = refusal(plan);
  EXPECT_TRUE(says(said, "column 'y'")) << said;
  EXPECT_TRUE(says(said, "--merge-rare 5")) << said;
  plan.scenario.source->columns[1] = {};
  EXPECT_EQ(refusal(plan), "");
  plan.scenario.source->clamp = true;
  EXPECT_TRUE(says(refusal(plan), "column 'x'")) << refusal(plan);
  const Noise half{"laplace", Scale{1}, {1}, {Integer(1), 1}};
  plan.mechanism = JointNoise{Scale{1}, {half, half}};
  plan.method = "sensitivity";
  EXPECT_TRUE(says(range_warning(plan, kPublishMin), "column 'x': the scale of sensitivity"));
  plan.method = "exact";
  EXPECT_FALSE(says(range_warning(plan, kPublishMin), "the scale of"));
}

TEST(Publishable, WhatWasWrittenByHandIsNotCounted) {
  Plan plan = plan_of({{1, 50}, {2, 1}}, {{1, 50}}, {"u", "v"});
  plan.scenario.source->secret.clear();
  EXPECT_EQ(refusal(plan), "");
  plan.scenario.source.reset();
  EXPECT_EQ(refusal(plan), "");
}

}  // namespace
}  // namespace fugu
