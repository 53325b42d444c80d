#include "fugu/release/released_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Scenario numbers(const Rational& step, const Rational& origin, std::vector<int64_t> atoms) {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.lattice = {step, origin};
  scenario.secrets = {"a", "b"};
  std::vector<uint64_t> counts(atoms.size(), 1);
  scenario.priors.push_back(
      {"p", {Distribution::from_counts(atoms, counts), Distribution::from_counts(atoms, counts)}});
  scenario.source.emplace();
  return scenario;
}

std::string written(const ReleasedValues& values, int64_t index) {
  std::string text(values.longest() + 2, '\0');
  text.resize(static_cast<size_t>(values.write(text.data(), index) - text.data()));
  return text;
}

// Every value is written with the lattice's digits and reads back as itself.
RC_GTEST_PROP(ReleasedValuesProperty, WhatIsWrittenIsTheValue, ()) {
  const Rational step(*rc::gen::inRange(1, 500), *rc::gen::element(1, 10, 100, 8));
  const Rational origin = step * Rational(*rc::gen::inRange(0, 10), 10);
  const ReleasedValues values(column_map(numbers(step, origin, {-5, 0, 7})), ',');
  const auto index = *rc::gen::oneOf(rc::gen::inRange<int64_t>(-20, 20),
                                     rc::gen::inRange<int64_t>(-1000000000000, 1000000000000));
  const std::string text = written(values, index);
  const Rational value = origin + step * index;
  RC_ASSERT(parse_decimal(text) == value);
  const int places = std::max(*decimal_places(step), *decimal_places(origin));
  const size_t point = text.find('.');
  RC_ASSERT((point == std::string::npos ? 0 : text.size() - point - 1) == static_cast<size_t>(places));
  // The priors range from -5 to 7.
  RC_ASSERT((values.fields().place(text).kind == Placed::kValue) == (index >= -5 && index <= 7));
  if (index >= -5 && index <= 7) RC_ASSERT(values.fields().place(text).index == index);
}

TEST(ReleasedValues, CategoriesComeBackAsLabelsHeldWithinTheList) {
  Scenario scenario = numbers(Rational(1), Rational(0), {1, 2, 3});
  scenario.source->columns[0].labels = {"low", "mid, or so", "high"};
  const ReleasedValues values(column_map(scenario), ',');
  EXPECT_EQ(written(values, 2), "\"mid, or so\"");
  EXPECT_EQ(written(values, -7), "low");
  EXPECT_EQ(written(values, 99), "high");
  EXPECT_EQ(values.fields().place("high").index, 3);
  EXPECT_EQ(values.fields().place("other").kind, Placed::kUnknown);
  EXPECT_EQ(values.fields().place("").kind, Placed::kMissing);
  scenario.source->clamp = false;  // there is nothing beyond the last category
  EXPECT_EQ(written(ReleasedValues(column_map(scenario), ','), 5), "high");
}

TEST(ReleasedValues, NumbersMayBeHeldWithinTheDataToo) {
  Scenario scenario = numbers(Rational(1, 10), Rational(0), {10, 20});
  EXPECT_EQ(written(ReleasedValues(column_map(scenario), ','), 25), "2.5");
  scenario.source->clamp = true;
  EXPECT_EQ(written(ReleasedValues(column_map(scenario), ','), 25), "2.0");
  EXPECT_EQ(written(ReleasedValues(column_map(scenario), ','), -3), "1.0");
}

// Near the data, far from it, held within it, and where no texts are made beforehand.
TEST(ReleasedValues, LinesAreWhatEachIsWrittenAs) {
  Scenario held = numbers(Rational(1, 10), Rational(0), {10, 20});
  held.source->clamp = true;
  for (const Scenario& scenario : {numbers(Rational(1, 10), Rational(0), {10, 20}), held,
                                   numbers(Rational(1), Rational(0), {0, 1'000'000})}) {
    const ReleasedValues values(column_map(scenario), ',');
    const std::vector<int64_t> indices = {12, -3, 25, 100'000, -4'000'000, 0, 19};
    std::string wanted;
    for (const int64_t index : indices) wanted += written(values, index) + "\n";
    std::string lines(indices.size() * (values.longest() + 1) + ReleasedValues::kRoom, '\0');
    lines.resize(static_cast<size_t>(values.write_lines(lines.data(), indices) - lines.data()));
    EXPECT_EQ(lines, wanted);
  }
}

TEST(ReleasedValues, StepsThatAreNoDecimalsAreRefused) {
  EXPECT_THROW(ReleasedValues(column_map(numbers(Rational(1, 3), Rational(0), {1, 2})), ','), Error);
}

}  // namespace
}  // namespace fugu
