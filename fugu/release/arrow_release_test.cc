// Columns in memory: the type that goes in comes out, and what comes out is the noise of the plan.
#include "fugu/release/arrow_release.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fugu/arrow/arrow_reader.h"
#include "fugu/core/error.h"
#include "fugu/release/arrow_writer.h"
#include "fugu/release/released_values.h"
#include "tests/support/arrow_stream.h"

namespace fugu {
namespace {

ArrowType type_of(ArrowType::Kind kind, int bytes) {
  ArrowType type;
  type.kind = kind;
  type.bytes = bytes;
  return type;
}

// Numbers low … high on the lattice, with geometric noise of that ratio.
ColumnRelease numbers(int64_t low, int64_t high, const Dyadic& tail,
                      const Lattice& lattice = {Rational(1), Rational(0)}) {
  ColumnRelease column{};
  column.map.lattice = lattice;
  column.map.low = low;
  column.map.high = high;
  column.map.range = {low, high};
  Noise noise = no_noise("laplace");
  noise.tail = tail;
  column.mechanism = noise;
  return column;
}

const Dyadic kHalf{Integer(1), 1}, kNone{};

TEST(ReleasedType, DoesNotTellHowFarTheValuesReach) {
  const ArrowType byte = type_of(ArrowType::kInt, 1), whole = type_of(ArrowType::kInt, 8);
  for (int64_t greatest : {5, 50, 64, 127})
    EXPECT_EQ(released_type(byte, numbers(-5, greatest, kHalf)), whole);
  EXPECT_EQ(released_type(type_of(ArrowType::kUint, 2), numbers(100, 900, kHalf)), whole);
  ArrowType decimal = type_of(ArrowType::kDecimal, 16), widest = decimal;
  decimal.precision = 4;
  widest.precision = 38;
  for (int64_t greatest : {5, 9999}) EXPECT_EQ(released_type(decimal, numbers(0, greatest, kHalf)), widest);
}

TEST(ReleasedType, IsKeptWhereTheValuesAreHeld) {
  const ArrowType byte = type_of(ArrowType::kInt, 1), whole = type_of(ArrowType::kInt, 8);
  EXPECT_EQ(released_type(byte, numbers(-128, 127, kNone)), byte);
  ColumnRelease clamped = numbers(0, 255, kHalf);
  clamped.map.clamps = true;
  EXPECT_EQ(released_type(type_of(ArrowType::kUint, 1), clamped), type_of(ArrowType::kUint, 1));
  const ColumnRelease halves = numbers(0, 9, kHalf, {Rational(1, 2), Rational(0)});
  EXPECT_EQ(released_type(whole, halves), type_of(ArrowType::kFloat, 8)) << "halves are no whole numbers";
  EXPECT_EQ(released_type(type_of(ArrowType::kFloat, 4), halves), type_of(ArrowType::kFloat, 4));
}

TEST(ReleasedType, OfCategoriesFollowsTheLabels) {
  ColumnRelease column = numbers(1, 2, kHalf);
  column.map.clamps = true;
  column.map.source.columns[0].labels = {"true", "false"};
  ArrowType text = type_of(ArrowType::kText, 0), codes = text, narrow = text;
  codes.index_bytes = 4;
  narrow.index_bytes = 1;  // which told how few texts the column had
  narrow.index_unsigned = true;
  EXPECT_EQ(released_type(type_of(ArrowType::kBool, 0), column), type_of(ArrowType::kBool, 0));
  EXPECT_EQ(released_type(text, column), text);
  EXPECT_EQ(released_type(codes, column), codes);
  EXPECT_EQ(released_type(narrow, column), codes);
  EXPECT_EQ(released_type(type_of(ArrowType::kInt, 4), column), text);
  column.map.source.columns[0].labels = {"7", "-3"};
  EXPECT_EQ(released_type(type_of(ArrowType::kInt, 4), column), type_of(ArrowType::kInt, 4));
  EXPECT_EQ(released_type(type_of(ArrowType::kUint, 4), column), text);
  column.map.source.columns[0].labels.resize(300, "x");
  EXPECT_EQ(released_type(narrow, column), codes);
}

// Labels that a double has and a float has not: what was written for them was whatever lay in memory.
TEST(ReleasedType, OfCategoriesIsNoFloatThatLabelsHaveNoPlaceIn) {
  ColumnRelease column = numbers(1, 3, kNone);
  column.map.clamps = true;
  const ArrowType text = type_of(ArrowType::kText, 0), narrow = type_of(ArrowType::kFloat, 4),
                  wide = type_of(ArrowType::kFloat, 8);
  for (const char* label : {"1e39", "-1e39", "1e-50"}) {
    column.map.source.columns[0].labels = {"0.5", label, "2"};
    EXPECT_EQ(released_type(narrow, column), text) << label;
    EXPECT_EQ(released_type(wide, column), wide) << label;
    const ReleasedValues values(column.map, ',');
    EXPECT_THROW(write_released({1, 2, 3}, narrow, column, values), Error) << label;
  }
  column.map.source.columns[0].labels = {"0.5", "1e38", "2"};
  EXPECT_EQ(released_type(narrow, column), narrow);
  const auto array = write_released({1, 2, 3}, narrow, column, ReleasedValues(column.map, ','));
  const auto* found = static_cast<const float*>(array->buffers[1]);
  EXPECT_EQ(std::vector<float>(found, found + 3), (std::vector<float>{0.5F, 1e38F, 2.0F}));
}

ArrowTable table_of(std::vector<TestColumn> columns) {
  TestStream stream(std::move(columns));
  return ArrowTable(stream.get());
}

template <class T>
ArrowTable whole_column(const std::vector<T>& values, const ArrowType& type) {
  std::vector<TestColumn> columns;
  columns.push_back({"v", type, {}});
  columns.back().chunks.push_back(hold(static_cast<int64_t>(values.size()), 0, {{}, bytes_of(values)}));
  return table_of(std::move(columns));
}

std::vector<std::string> texts_of(const ArrowColumn& column, const ArrowType& type) {
  ArrowReader reader(type, {}, "");
  std::vector<std::string> texts;
  for (const auto& chunk : column.chunks) {
    std::vector<uint32_t> found(static_cast<size_t>(chunk->length));
    reader.forget_dictionary();
    reader.read(*chunk, 0, chunk->length, 1, found.data());
    for (uint32_t number : found) texts.emplace_back(reader.text(number));
  }
  return texts;
}

// Without noise every type gives back the value that the map makes of it, as the command line would write it.
RC_GTEST_PROP(ArrowReleaseProperty, WithoutNoiseTheValuesComeBack, ()) {
  const int64_t step = *rc::gen::inRange<int64_t>(1, 4);
  const ColumnRelease column = numbers(-30, 30, kNone, {Rational(step), Rational(0)});
  const auto indices =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(-30, 31)));
  const ArrowType type = *rc::gen::element(type_of(ArrowType::kInt, 2), type_of(ArrowType::kFloat, 8));
  std::vector<std::string> expected;
  std::vector<int16_t> whole;
  std::vector<double> real;
  for (int64_t index : indices) {
    expected.push_back(std::to_string(index * step));
    whole.push_back(static_cast<int16_t>(index * step));
    real.push_back(static_cast<double>(index * step));
  }
  const ArrowTable table =
      type.kind == ArrowType::kInt ? whole_column(whole, type) : whole_column(real, type);
  const ArrowReleased released = release_column(table, column, {}, {});
  RC_ASSERT(released_type(type, column) == type);
  RC_ASSERT(texts_of(released.columns[0], type) == expected);
  uint64_t counted = 0;
  for (const auto& [cell, count] : released.counts) counted += count;
  RC_ASSERT(counted == indices.size());
}

TEST(ArrowRelease, DrawsWithTheProbabilitiesOfTheNoise) {
  const ColumnRelease column = numbers(5, 5, kHalf);
  const ArrowType type = type_of(ArrowType::kInt, 8);
  const size_t rows = 300'000;
  const ArrowReleased released =
      release_column(whole_column(std::vector<int64_t>(rows, 5), type), column, {}, {});
  std::map<int, double> seen;
  for (const std::string& text : texts_of(released.columns[0], type)) ++seen[std::stoi(text) - 5];
  // P(z) = 2^-|z| / 3; of 11 cells a right sampler exceeds 46 once in a million runs.
  double chi = 0;
  for (int z = -5; z <= 5; ++z) {
    const double expected = static_cast<double>(rows) / 3 / (1 << std::abs(z));
    chi += (seen[z] - expected) * (seen[z] - expected) / expected;
  }
  EXPECT_LT(chi, 46);
}

TEST(ArrowRelease, UnknownAndMissingValuesStopOrAreLeftOut) {
  const ArrowType type = type_of(ArrowType::kInt, 8);
  ColumnRelease column = numbers(0, 9, kNone);
  const ArrowTable table = whole_column<int64_t>({1, 99, 2, -7}, type);
  try {
    release_column(table, column, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the table: row 2, column 'v': the plan does not know this value");
  }
  const ArrowReleased released = release_column(table, column, {.drop = true}, {});
  EXPECT_EQ(released.left_out, (std::vector<uint8_t>{0, 1, 0, 1}));
  EXPECT_EQ(texts_of(released.columns[0], type), (std::vector<std::string>{"1", "2"}));
  column.map.values = {{0, 1}, {3, 9}};
  const ArrowReleased fewer = release_column(table, column, {.drop = true, .only_plan_values = true}, {});
  EXPECT_EQ(texts_of(fewer.columns[0], type), (std::vector<std::string>{"1"}));
}

// Rows of many slices, of which each seventh is left out: the others come one after the other, in the type
// and as texts.
TEST(ArrowRelease, RowsThatAreLeftOutLeaveNoGaps) {
  ColumnRelease column = numbers(0, 9, kNone);
  std::vector<int64_t> whole;
  std::vector<std::optional<std::string>> texts;
  std::vector<std::string> expected;
  for (int64_t row = 0; row < 100'000; ++row) {
    whole.push_back(row % 7 == 0 ? 99 : row % 10);
    texts.emplace_back(std::to_string(whole.back()));
    if (row % 7 != 0) expected.push_back(*texts.back());
  }
  const ArrowType number = type_of(ArrowType::kInt, 8), text = type_of(ArrowType::kText, 0);
  std::vector<TestColumn> columns;
  columns.push_back({"v", text, {}});
  columns.back().chunks.push_back(text_array(texts, text));
  columns.back().chunks.push_back(text_array({"99", "3"}, text));
  const ArrowReleased of_numbers = release_column(whole_column(whole, number), column, {.drop = true}, {});
  EXPECT_EQ(texts_of(of_numbers.columns[0], number), expected);
  const ArrowReleased of_texts = release_column(table_of(std::move(columns)), column, {.drop = true}, {});
  expected.emplace_back("3");
  EXPECT_EQ(texts_of(of_texts.columns[0], text), expected);
  ASSERT_EQ(of_texts.left_out.size(), 100'002u);
  for (size_t row = 0; row < 100'000; ++row) ASSERT_EQ(of_texts.left_out[row], row % 7 == 0 ? 1 : 0) << row;
}

TEST(ArrowParts, AreCountedTogetherAndHaveTheSameColumns) {
  const std::vector<ColumnRelease> columns{numbers(0, 9, kNone)};
  const ArrowType type = type_of(ArrowType::kInt, 8);
  const ArrowTable first = whole_column<int64_t>({1, 2}, type),
                   second = whole_column<int64_t>({2, 3, 77}, type);
  const RowDraw draw(columns);
  ArrowParts parts(first, layout_of_column(first, columns[0], {}), columns, draw);
  LabelsSeen seen;
  EXPECT_EQ(texts_of(parts.release(first, seen, {}).columns[0], type), (std::vector<std::string>{"1", "2"}));
  try {
    parts.release(second, seen, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the table: row 5, column 'v': the plan does not know this value");
  }
  EXPECT_EQ(texts_of(parts.release(first, seen, {}).columns[0], type), (std::vector<std::string>{"1", "2"}));
  EXPECT_THROW(parts.release(whole_column<int32_t>({1}, type_of(ArrowType::kInt, 4)), seen, {}), Error);
  ArrowReleased all;
  parts.collect({}, all);
  EXPECT_EQ((all.counts[{"", "", 1}]), 2u);
}

std::shared_ptr<RememberedRows> remembered_of(const ArrowTable& table, size_t most_order) {
  const auto remembered = std::make_shared<RememberedRows>(most_order);
  ArrowRows rows(table);
  rows.remember_in(remembered);
  rows.count({0}, [](const Field*, uint64_t) {}, {});
  return remembered;
}

// As the same rows of a table do, whose other part may follow.
TEST(ArrowParts, MayBeginWithRowsThatAreRemembered) {
  const std::vector<ColumnRelease> columns{numbers(0, 9, kNone)};
  const ArrowType type = type_of(ArrowType::kInt, 8);
  std::vector<int64_t> values;
  std::vector<std::string> expected;
  std::vector<uint8_t> left_out;
  for (int64_t row = 0; row < 100'000; ++row) {
    values.push_back(row * row % 13);
    left_out.push_back(values.back() > 9 ? 1 : 0);
    if (values.back() <= 9) expected.push_back(std::to_string(values.back()));
  }
  const ArrowTable table = whole_column(values, type), next = whole_column<int64_t>({7, 8}, type);
  const auto remembered = remembered_of(table, 1 << 20);
  ASSERT_TRUE(remembered->order().whole);
  const RowDraw draw(columns);
  ArrowParts parts(next, layout_of_column(next, columns[0], {.drop = true}), columns, draw);
  LabelsSeen seen;
  EXPECT_FALSE(parts.begin_with(*remembered, {"w"}, seen));
  EXPECT_FALSE(parts.begin_with(RememberedRows(), {"v"}, seen));
  ASSERT_TRUE(parts.begin_with(*remembered, {"v"}, seen));
  std::vector<std::string> found;
  std::vector<uint8_t> found_left_out;
  for (ArrowReleased part = parts.release_remembered(30'000, {}); part.rows > 0;
       part = parts.release_remembered(30'000, {})) {
    for (const std::string& text : texts_of(part.columns[0], type)) found.push_back(text);
    found_left_out.insert(found_left_out.end(), part.left_out.begin(), part.left_out.end());
    EXPECT_GE(part.rows, 1696u);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found_left_out, left_out);
  EXPECT_EQ(texts_of(parts.release(next, seen, {}).columns[0], type), (std::vector<std::string>{"7", "8"}));
}

TEST(ArrowParts, RememberedRowsAreRefusedAsThoseOfATable) {
  const std::vector<ColumnRelease> columns{numbers(0, 9, kNone)};
  const ArrowType type = type_of(ArrowType::kInt, 8);
  const ArrowTable table = whole_column<int64_t>({1, 2, 77, 78}, type);
  const auto remembered = remembered_of(table, 1 << 20);
  const RowDraw draw(columns);
  ArrowParts parts(table, layout_of_column(table, columns[0], {}), columns, draw);
  LabelsSeen seen;
  try {
    parts.begin_with(*remembered, {"v"}, seen);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the table: row 3, column 'v': the plan does not know this value");
  }
}

// Where the quick arithmetic ends, and where a range holds what is drawn far from it.
TEST(WriteReleased, FarLatticePointsAreWrittenExactly) {
  const ArrowType whole = type_of(ArrowType::kInt, 8);
  auto written = [&](const ColumnRelease& column, int64_t index) {
    const auto array = write_released({index}, whole, column, ReleasedValues(column.map, ','));
    return static_cast<const int64_t*>(array->buffers[1])[0];
  };
  const ColumnRelease wide = numbers(0, 9, kNone, {Rational(1000), Rational(7)});
  for (const int64_t index :
       {int64_t{0}, int64_t{-5}, int64_t{1} << 31, (int64_t{1} << 31) - 1, -(int64_t{1} << 40)})
    EXPECT_EQ(written(wide, index), 7 + 1000 * index);
  ColumnRelease held = numbers(int64_t{1} << 40, int64_t{1} << 41, kNone, {Rational(1 << 20), Rational(0)});
  held.map.clamps = true;
  EXPECT_EQ(written(held, 5), int64_t{1} << 60);
  EXPECT_THROW(write_released({200}, type_of(ArrowType::kInt, 1), wide, ReleasedValues(wide.map, ',')),
               Error);
  EXPECT_THROW(write_released({-1}, type_of(ArrowType::kUint, 8), numbers(0, 9, kNone),
                              ReleasedValues(numbers(0, 9, kNone).map, ',')),
               Error);
}

TEST(ColumnRelease, GoesThroughItsFile) {
  ColumnRelease column = numbers(-3, 8, kHalf, {Rational(1, 4), Rational(1, 8)});
  column.map.name = "pay";
  column.map.source.na = {"?"};
  column.map.source.missing = Missing::kDrop;
  column.map.source.columns[0].step = Rational(1, 4);
  column.map.clamps = true;
  const std::string text = column_release_to_json(column).canonical();
  const ColumnRelease back = column_release_from_json(parse_json(text, "x"), "x");
  EXPECT_EQ(column_release_to_json(back).canonical(), text);
  EXPECT_EQ(back.map.low, -3);
  EXPECT_EQ(back.map.source, column.map.source);
  EXPECT_EQ(back.mechanism, column.mechanism);
  EXPECT_THROW(column_release_from_json(parse_json("{}", "x"), "x"), Error);
}

TEST(ColumnRelease, HasTheValuesThatThePlanSpeaksOf) {
  auto on = [](const std::vector<int64_t>& atoms) {
    return Distribution::from_counts(atoms, std::vector<uint64_t>(atoms.size(), 30));
  };
  Scenario scenario{Epsilon::parse("1", "epsilon", ErrorKind::kUsage)};
  scenario.secrets = {"a", "b"};
  scenario.priors = {{"empirical", {on({0, 1}), on({0, 10})}}};
  const ColumnRelease column{column_map(scenario), no_noise("laplace")};
  EXPECT_EQ(column.map.values, (Runs{{0, 1}, {10, 10}}));
  const Json json = column_release_to_json(column);
  EXPECT_EQ(column_release_from_json(json, "releaser").map.values, column.map.values);
}

}  // namespace
}  // namespace fugu
