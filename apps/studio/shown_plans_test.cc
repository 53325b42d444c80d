#include "apps/studio/shown_plans.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "apps/studio/work.h"

namespace fugu::studio {
namespace {

namespace fs = std::filesystem;

Asking asking_for(const std::string& page, const std::string& epsilon) {
  Asking asking;
  asking.table = {"t1", "none.csv", "/nowhere/none.csv"};
  asking.page = page;
  asking.question.epsilon = epsilon;
  asking.digest = page + epsilon;
  return asking;
}

void show(ShownPlans& plans, const Asking& asking, size_t size = 1) {
  plans.add(asking, {nullptr, std::nullopt, asking.digest, size});
}

bool is_kept(ShownPlans& plans, const Asking& asking) {
  try {
    plans.find(asking);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return false;
  }
}

TEST(ShownPlans, OnlyOfTheFieldsAndTheDigestThatWereShown) {
  ShownPlans plans;
  const Asking shown = asking_for("a", "1");
  show(plans, shown);
  EXPECT_TRUE(is_kept(plans, shown));
  Asking other = shown;
  other.digest = "another";
  EXPECT_FALSE(is_kept(plans, other));
  other = shown;
  other.digest.clear();
  EXPECT_FALSE(is_kept(plans, other));
  other = shown;
  other.question.clip = "1:2";
  EXPECT_FALSE(is_kept(plans, other));
  other = shown;
  other.question.no_header = true;
  EXPECT_FALSE(is_kept(plans, other));
  other = shown;
  other.plan.method = "relaxed";
  EXPECT_FALSE(is_kept(plans, other));
  other = shown;
  other.plan.asymmetric = true;
  EXPECT_FALSE(is_kept(plans, other));
  other = shown;
  other.table.id = "t2";
  EXPECT_FALSE(is_kept(plans, other));
  other = shown;
  other.output = "name.csv";  // is none of the plan's
  EXPECT_TRUE(is_kept(plans, other));
}

TEST(ShownPlans, OfAPageTheLastFewAndOfAllPagesSoMany) {
  ShownPlans plans;
  for (int k = 0; k < 10; ++k) show(plans, asking_for("a", fmt::format("{}", k)));
  EXPECT_FALSE(is_kept(plans, asking_for("a", "5")));
  EXPECT_TRUE(is_kept(plans, asking_for("a", "6")));
  EXPECT_TRUE(is_kept(plans, asking_for("a", "9")));
  for (int page = 0; page < 63; ++page) show(plans, asking_for(fmt::format("page {}", page), "1"));
  EXPECT_TRUE(is_kept(plans, asking_for("a", "9")));
  EXPECT_FALSE(is_kept(plans, asking_for("a", "8")));
  show(plans, asking_for("one more", "1"));
  EXPECT_FALSE(is_kept(plans, asking_for("a", "9")));
  EXPECT_TRUE(is_kept(plans, asking_for("page 0", "1")));
}

TEST(ShownPlans, NoMoreBytesThanAllowedButAlwaysTheNewest) {
  ShownPlans plans(100);
  show(plans, asking_for("a", "1"), 60);
  show(plans, asking_for("b", "1"), 40);
  EXPECT_TRUE(is_kept(plans, asking_for("a", "1")));
  show(plans, asking_for("c", "1"), 10);
  EXPECT_FALSE(is_kept(plans, asking_for("a", "1")));
  EXPECT_TRUE(is_kept(plans, asking_for("b", "1")));
  show(plans, asking_for("d", "1"), 1000);
  EXPECT_TRUE(is_kept(plans, asking_for("d", "1")));
  EXPECT_FALSE(is_kept(plans, asking_for("c", "1")));
}

TEST(ShownPlans, WhatSomebodyRestedAtIsKeptLonger) {
  ShownPlans plans;
  const Asking rested = asking_for("a", "0.5");
  show(plans, rested);
  plans.rest(rested);
  for (int k = 1; k < 30; ++k) show(plans, asking_for("a", fmt::format("{}", k)));
  EXPECT_TRUE(is_kept(plans, rested));
  EXPECT_FALSE(is_kept(plans, asking_for("a", "20")));
  EXPECT_EQ(plans.again(rested)->digest, rested.digest);
  EXPECT_EQ(plans.again(asking_for("b", "0.5"))->digest, rested.digest) << "of another page, the same fields";
  EXPECT_FALSE(plans.again(asking_for("a", "20")));
  for (int k = 1; k <= 20; ++k) {
    const Asking more = asking_for("a", fmt::format("1.{}", k));
    show(plans, more);
    plans.rest(more);
  }
  show(plans, asking_for("a", "2"));
  EXPECT_FALSE(is_kept(plans, rested)) << "twenty are kept";
}

// What is released is what was shown: nothing is searched, or solved, again.
TEST(ShownPlans, AReleaseCalibratesNothing) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "in";  // the folder itself is locked
  fs::create_directory(folder);
  const std::string table = (folder / "grades.csv").string();
  std::ofstream(table) << "union,grade\nyes,3\nyes,4\nyes,5\nno,4\nno,5\nno,7\n";
  const Settings settings{.tables = {table}, .folder = folder.string()};
  Tables tables(settings.tables, "", 1 << 20);
  Downloads downloads;
  Work work(settings, tables, downloads);
  Asking asking;
  asking.table = tables.open(table);
  asking.question.table = table;
  asking.question.secret = "union";
  asking.question.published = "grade";
  asking.question.epsilon = "0.5";
  asking.plan.method = "exact";
  asking.output = "out.csv";
  bool searched = false;
  const Progress watching = [&](double, std::string_view what) { searched |= what == "searching the scale"; };
  asking.digest = *work.calibrate(asking, watching).find("digest")->if_string();
  EXPECT_TRUE(searched);
  searched = false;
  EXPECT_EQ(*work.calibrate(asking, watching).find("digest")->if_string(), asking.digest);
  EXPECT_FALSE(searched) << "the same fields have the same plan";
  EXPECT_EQ(work.history().if_array()->size(), 0U);
  work.rest(asking);
  work.release(asking, watching);
  EXPECT_FALSE(searched);
  EXPECT_TRUE(fs::exists(folder / "out.csv"));
  const Json history = work.history();
  ASSERT_EQ(history.if_array()->size(), 2U);
  EXPECT_EQ(*history.if_array()->at(0).find("kind")->if_string(), "release");
  EXPECT_EQ(*history.if_array()->at(1).find("kind")->if_string(), "plan");
  for (const Json& one : *history.if_array()) {
    EXPECT_EQ(*one.find("digest")->if_string(), asking.digest);
    for (const auto& [name, file] : *one.find("files")->if_object())
      EXPECT_TRUE(downloads.find(*file.find("id")->if_string())) << name;
  }
  std::ofstream(table, std::ios::app) << "no,7\n";
  asking.output = "again.csv";
  EXPECT_THROW(work.release(asking, watching), Error) << "the table changed";
}

}  // namespace
}  // namespace fugu::studio
