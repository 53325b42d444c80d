// Counting and releasing put every text in the same place.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fugu/core/error.h"
#include "fugu/count/table_model.h"
#include "fugu/release/released_values.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

std::string random_text(bool numbers) {
  if (!numbers) return std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 12)));
  const std::string digits = std::to_string(*rc::gen::inRange(-60, 60));
  return digits + *rc::gen::element<std::string>("", ".0", ".5", "e0");
}

Shaping random_shaping(bool numbers) {
  Shaping shaping;
  if (!numbers) {
    shaping.merge_rare = *rc::gen::inRange(1U, 4U);
    return shaping;
  }
  if (*rc::gen::inRange(0, 4) == 0) {
    shaping.edges = {Rational(-7), Rational(1, 2), Rational(30)};
    return shaping;
  }
  if (*rc::gen::arbitrary<bool>()) shaping.clip = {Rational(-20), Rational(41, 2)};
  if (*rc::gen::arbitrary<bool>()) shaping.bin = Rational(*rc::gen::inRange(1, 20), 2);
  return shaping;
}

RC_GTEST_PROP(ShapedReleaseProperty, EveryTextIsReleasedWhereItWasCounted, ()) {
  const bool numbers = *rc::gen::arbitrary<bool>();
  std::vector<std::pair<std::string, std::string>> rows{{"p", random_text(numbers)},
                                                        {"q", random_text(numbers)}};
  for (int k = *rc::gen::inRange(0, 40); k > 0; --k)
    rows.emplace_back(*rc::gen::element<std::string>("p", "q"), random_text(numbers));
  std::string text = "s,x\n";
  for (const auto& [secret, value] : rows) text += secret + "," + value + "\n";
  TempFile file(text);
  TableQuestion question{.table = {.path = file.path(), .secret = {"s"}, .published = {"x"}},
                         .epsilon = testing::epsilon_of("0.5")};
  question.shaping = random_shaping(numbers);
  if (question.shaping.bin && *rc::gen::arbitrary<bool>())
    question.steps = {Rational(*question.shaping.bin / 2)};
  std::optional<Scenario> scenario;
  try {
    scenario = scenario_from_table(question, {});
  } catch (const Error&) {
    RC_PRE(numbers);  // every category is rare
    throw;
  }
  RC_ASSERT(scenario_from_json(scenario_to_json(*scenario), "again") == *scenario);
  const ReleasedValues values(column_map(*scenario), ',');
  std::map<std::pair<std::string, int64_t>, uint64_t> counts;
  for (const auto& [secret, value] : rows) {
    const Placed placed = values.fields().place(value);
    RC_ASSERT(placed.kind == Placed::kValue);
    ++counts[{secret, placed.index}];
  }
  size_t cells = 0;
  for (size_t s = 0; s < 2; ++s) {
    const Distribution& given = scenario->priors[0].by_secret[s];
    cells += given.size();
    for (size_t k = 0; k < given.size(); ++k)
      RC_ASSERT(given.weights().at(k) == counts[std::pair(scenario->secrets[s], given.atoms()[k])]);
  }
  RC_ASSERT(cells == counts.size());
}

TEST(ShapedRelease, AMissingFieldMayBeRareToo) {
  TempFile file("s,x\np,a\nq,a\np,\nq,b\n");
  TableQuestion question{
      .table = {.path = file.path(), .secret = {"s"}, .published = {"x"}, .missing = Missing::kKeep},
      .epsilon = testing::epsilon_of("0.5")};
  question.shaping.merge_rare = 2;
  const Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.source->labels, (std::vector<std::string>{"a", "(rare)"}));
  const ReleasedValues values(column_map(scenario), ',');
  EXPECT_EQ(values.fields().place("").index, 2);
  EXPECT_EQ(values.fields().place("b").index, 2);
  EXPECT_EQ(values.fields().place("(missing)").kind, Placed::kUnknown);
  EXPECT_EQ(values.fields().place("(rare)").kind, Placed::kUnknown);
}

}  // namespace
}  // namespace fugu
