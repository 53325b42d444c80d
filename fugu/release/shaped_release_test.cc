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

enum Holds { kCategories, kNumbers, kCommas, kDates, kMapped };

std::string random_text(Holds holds) {
  const int number = *rc::gen::inRange(-60, 60);
  if (holds == kDates) {
    const std::string date = date_text(19000 + 11 * number, DateForm::kDotted);
    return *rc::gen::arbitrary<bool>() ? date : date + " 12:30";
  }
  if (holds == kCategories || holds == kMapped)
    return std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 12)));
  if (holds == kCommas) return std::to_string(number) + *rc::gen::element<std::string>("", ",0", ",5");
  return std::to_string(number) + *rc::gen::element<std::string>("", ".0", ".5", "e0");
}

Bound bound_of(Holds holds, const Rational& number) {
  if (holds != kDates) return number;
  return Day{19000 + static_cast<int64_t>(floor(number))};
}

Shaping random_shaping(Holds holds) {
  Shaping shaping;
  if (holds == kMapped) {
    for (char c = 'a'; c < 'i'; ++c)
      shaping.map.texts[std::string(1, c)] = *rc::gen::element<std::string>("u", "v", "w");
    shaping.map.rest = "rest";
  }
  if (holds == kCategories || holds == kMapped) {
    shaping.merge_rare = *rc::gen::inRange(1U, 4U);
    return shaping;
  }
  if (holds == kDates) shaping.unit = kDateUnits[*rc::gen::inRange(0, 4)];
  if (*rc::gen::inRange(0, 4) == 0) {
    const Rational apart = holds == kDates ? Rational(400) : Rational(1);
    shaping.edges = {bound_of(holds, Rational(-7 * apart)), bound_of(holds, Rational(1, 2)),
                     bound_of(holds, Rational(30 * apart))};
    return shaping;
  }
  if (*rc::gen::arbitrary<bool>())
    shaping.clip = {bound_of(holds, Rational(-20)), bound_of(holds, Rational(41, 2))};
  if (*rc::gen::arbitrary<bool>()) shaping.bin = Rational(*rc::gen::inRange(1, 20), holds == kDates ? 1 : 2);
  return shaping;
}

RC_GTEST_PROP(ShapedReleaseProperty, EveryTextIsReleasedWhereItWasCounted, ()) {
  const auto holds = *rc::gen::element(kCategories, kNumbers, kCommas, kDates, kMapped);
  std::vector<std::pair<std::string, std::string>> rows{{"p", random_text(holds)}, {"q", random_text(holds)}};
  for (int k = *rc::gen::inRange(0, 40); k > 0; --k)
    rows.emplace_back(*rc::gen::element<std::string>("p", "q"), random_text(holds));
  std::string text = "s,x\n";
  for (const auto& [secret, value] : rows) text += secret + ",\"" + value + "\"\n";
  TempFile file(text);
  TableQuestion question{.table = {.path = file.path(), .secret = {"s"}, .published = {"x"}},
                         .epsilon = testing::epsilon_of("0.5")};
  if (holds == kCommas) question.table.kinds = {{"x", *kind_named("number:comma")}};
  question.shaping = {random_shaping(holds)};
  Shaping& shaping = question.shaping.front();
  if (shaping.bin && holds != kDates && *rc::gen::arbitrary<bool>())
    shaping.step = Rational(*shaping.bin / 2);
  std::optional<Scenario> scenario;
  try {
    scenario = scenario_from_table(question, {});
  } catch (const Error&) {
    RC_PRE(holds != kCategories && holds != kMapped);  // every category is rare
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
  question.shaping = {{.merge_rare = 2}};
  const Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.source->columns[0].labels, (std::vector<std::string>{"a", "(rare)"}));
  const ReleasedValues values(column_map(scenario), ',');
  EXPECT_EQ(values.fields().place("").index, 2);
  EXPECT_EQ(values.fields().place("b").index, 2);
  EXPECT_EQ(values.fields().place("(missing)").kind, Placed::kUnknown);
  EXPECT_EQ(values.fields().place("(rare)").kind, Placed::kUnknown);
}

}  // namespace
}  // namespace fugu
