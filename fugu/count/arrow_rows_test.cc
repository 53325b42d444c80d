// Columns in memory make the scenario that the same rows in a file make.
#include "fugu/count/arrow_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "fugu/core/error.h"
#include "fugu/count/column_counts.h"
#include "fugu/count/table_model.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/support/arrow_stream.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using Cells = std::vector<std::optional<std::string>>;

std::vector<ArrowType> text_types() {
  std::vector<ArrowType> types(4);
  for (ArrowType& type : types) type.kind = ArrowType::kText;
  types[1].texts = ArrowType::kLarge;
  types[2].texts = ArrowType::kViews;
  types[3].index_bytes = 1;
  return types;
}

// The cells in chunks of `size`, each after some hidden ones.
TestColumn column_of(const std::string& name, const Cells& cells, const ArrowType& type, size_t size) {
  TestColumn column{name, type, {}};
  for (size_t from = 0; from < cells.size(); from += size) {
    const Cells part(cells.begin() + static_cast<ptrdiff_t>(from),
                     cells.begin() + static_cast<ptrdiff_t>(std::min(from + size, cells.size())));
    column.chunks.push_back(text_array(part, type, from % 5));
  }
  return column;
}

std::string csv_cell(const std::optional<std::string>& cell) {
  std::string quoted = "\"";
  for (char c : cell.value_or("")) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

TableQuestion question_of(Missing missing) {
  return TableQuestion{.table = {.secret = {"s"}, .published = {"v"}, .missing = missing},
                       .epsilon = Epsilon::parse("1", "--epsilon", ErrorKind::kUsage)};
}

// The scenario's file, or the message with the lines of a file called rows.
std::string outcome(const TableQuestion& question) {
  try {
    return scenario_to_json(scenario_from_table(question, {})).pretty();
  } catch (const Error& error) {
    return error.message().substr(error.message().find(": ") + 1);
  }
}

RC_GTEST_PROP(ArrowRowsProperty, CountAsTheSameRowsInAFile, ()) {
  const auto height = *rc::gen::inRange<size_t>(1, 40);
  const bool numbers = *rc::gen::arbitrary<bool>();
  const std::vector<std::string> secrets{"A", "B", "a, \"long\" secret's name", "ü"},
      values = numbers ? std::vector<std::string>{"1", "2.50", "-3", "1e1", "1.0"}
                       : std::vector<std::string>{"x", "y z", "\"", "a text that no view holds"};
  Cells secret, value;
  const bool nulls = *rc::gen::weightedElement<bool>({{1, true}, {2, false}});
  std::string csv = "s,v\n";
  for (size_t row = 0; row < height; ++row) {
    auto cell = [&](const std::vector<std::string>& among) -> std::optional<std::string> {
      if (nulls && *rc::gen::weightedElement<bool>({{1, true}, {9, false}})) return std::nullopt;
      return *rc::gen::elementOf(among);
    };
    secret.push_back(cell(secrets));
    value.push_back(cell(values));
    csv += csv_cell(secret.back()) + "," + csv_cell(value.back()) + "\n";
  }
  const auto size = *rc::gen::inRange<size_t>(1, height + 1);
  const ArrowType first = *rc::gen::elementOf(text_types()), second = *rc::gen::elementOf(text_types());
  std::vector<TestColumn> columns;
  columns.push_back(column_of("other", Cells(height, "q"), first, size));
  columns.push_back(column_of("s", secret, first, size));
  columns.push_back(column_of("v", value, second, size));
  TestStream stream(std::move(columns));

  const Missing missing = *rc::gen::element(Missing::kError, Missing::kDrop);
  const TempFile file(csv);
  TableQuestion of_file = question_of(missing), of_rows = question_of(missing);
  of_file.table.path = file.path();
  of_rows.rows = std::make_shared<ArrowRows>(stream.get());
  std::string expected = outcome(of_file), found = outcome(of_rows);
  // A file's rows begin on line 2, and are called lines.
  auto plain = [](std::string text, const std::string& word, int first_row) {
    const size_t at = text.find(word + " ");
    if (text.front() == '{' || at == std::string::npos || std::isdigit(text[at + word.size() + 1]) == 0)
      return text;
    const size_t end = text.find_first_not_of("0123456789", at + word.size() + 1);
    const int row = std::stoi(text.substr(at + word.size() + 1, end)) - first_row;
    return text.substr(0, at) + std::to_string(row) + text.substr(end);
  };
  RC_ASSERT(plain(found, "row", 1) == plain(expected, "line", 2));
}

// The rows that are remembered of a table, and whether they are all.
std::pair<std::vector<std::string>, bool> remembered_of(TestStream stream, size_t most_order) {
  const auto remembered = std::make_shared<RememberedRows>(most_order);
  ArrowRows rows(stream.get());
  rows.remember_in(remembered);
  rows.count({2, 1}, [](const Field*, uint64_t) {}, {});
  std::vector<std::string> found;
  for (const RowOrder::Part& part : remembered->order().parts) {
    auto add = [&](size_t number) {
      found.emplace_back(remembered->rows()[remembered->order().known[part.counter][number]].key);
    };
    for (const uint8_t number : part.narrow) add(number);
    for (const uint16_t number : part.wide) add(number);
  }
  return {found, remembered->order().whole};
}

// As many of the first ones as there is room for, each once and in their order.
RC_GTEST_PROP(ArrowRowsProperty, AreRememberedInTheirOrder, ()) {
  const auto height = *rc::gen::element<size_t>(1, 40, 700, 40'000);
  const auto values = *rc::gen::element<size_t>(1, 30, 400);
  const auto size = *rc::gen::inRange<size_t>(height / 9 + 1, height + 1);
  const ArrowType type = *rc::gen::elementOf(text_types());
  Cells secret, value;
  std::vector<std::string> expected;
  for (size_t row = 0; row < height; ++row) {
    secret.emplace_back(row % 3 == 0 ? "a" : "b");
    value.push_back(row % 11 == 0 ? std::nullopt : std::optional(std::to_string(row * row % values)));
    expected.push_back(value.back().value_or("") + std::string(1, '\0') + *secret.back());
  }
  auto stream = [&] {
    std::vector<TestColumn> columns;
    columns.push_back(column_of("other", Cells(height, "q"), type, size));
    columns.push_back(column_of("s", secret, type, size));
    columns.push_back(column_of("v", value, ArrowType{.kind = ArrowType::kText}, size));
    return TestStream(std::move(columns));
  };
  RC_ASSERT(remembered_of(stream(), 2 * height) == std::pair(expected, true));
  const auto [first, whole] = remembered_of(stream(), *rc::gen::inRange<size_t>(0, height));
  RC_ASSERT(first.size() <= height);
  RC_ASSERT(std::equal(first.begin(), first.end(), expected.begin()));
  RC_ASSERT(whole == (first.size() == height));
}

TEST(ArrowRows, CountsMaySayHowOftenARowComes) {
  ArrowType text, whole;
  text.kind = ArrowType::kText;
  whole.kind = ArrowType::kInt;
  whole.bytes = 8;
  auto stream_of = [&](const std::vector<int64_t>& times) {
    std::vector<TestColumn> columns;
    columns.push_back(column_of("s", {"A", "B", "A", "B"}, text, 4));
    columns.push_back(column_of("v", {"1", "1", "2", "2"}, text, 4));
    columns.push_back({"n", whole, {}});
    columns.back().chunks.push_back(hold(4, 0, {{}, bytes_of(times)}));
    return TestStream(std::move(columns));
  };
  TestStream counted = stream_of({3, 0, 1, 5});
  ArrowRows rows(counted.get(), "n");
  const auto remembered = std::make_shared<RememberedRows>(1000);
  rows.remember_in(remembered);
  const CountedTable table = count_table(question_of(Missing::kError).table, {}, {}, &rows);
  EXPECT_EQ(table.rows, 9u);
  EXPECT_EQ(table.cells.size(), 3u);
  EXPECT_TRUE(remembered->order().parts.empty());
  TestStream negative = stream_of({3, 0, -1, 5});
  ArrowRows bad(negative.get(), "n");
  EXPECT_THROW(count_table(question_of(Missing::kError).table, {}, {}, &bad), Error);
}

TEST(ArrowRows, EveryColumnIsCountedAsInAFile) {
  ArrowType text;
  text.kind = ArrowType::kText;
  std::vector<TestColumn> columns;
  columns.push_back(column_of("s", {"A", "B", "A", "B"}, text, 3));
  columns.push_back(column_of("v", {"1", "1", std::nullopt, "2"}, text, 3));
  TestStream stream(std::move(columns));
  const ArrowTable table(stream.get());
  ArrowRows rows(table);
  const TempFile file("s,v\nA,1\nB,1\nA,\nB,2\n");
  for (const std::vector<size_t>& secret : {std::vector<size_t>{}, std::vector<size_t>{0}}) {
    ChunkReader reader(file.path(), {});
    const ColumnCounts expected = count_columns(reader, secret, 3, {}),
                       found = count_columns(rows, secret, 3, {});
    EXPECT_EQ(found.rows, 4u);
    EXPECT_EQ(found.too_many, expected.too_many);
    for (size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(found.columns[k].size(), expected.columns[k].size());
      for (const Tally::Entry& entry : expected.columns[k].entries()) {
        const auto at = found.columns[k].find(entry.key);
        ASSERT_TRUE(at.has_value());
        EXPECT_EQ(found.columns[k][*at].count, entry.count);
      }
    }
  }
}

// A stream of two columns whose schema and chunk can be broken before they are read.
template <class Break>
std::string refusal(Break breaks) {
  ArrowType text;
  text.kind = ArrowType::kText;
  Owned<ArrowSchema> schemas[] = {make_schema(text, "s"), make_schema(text, "v")};
  ArrowSchema* schema_children[] = {schemas[0].get(), schemas[1].get()};
  Owned<ArrowArray> arrays[] = {text_array({"A", "B"}, text), text_array({"1", "2"}, text)};
  ArrowArray* array_children[] = {arrays[0].get(), arrays[1].get()};
  struct Table {
    ArrowSchema schema{};
    ArrowArray chunk{};
    bool read = false;
  } table;
  table.schema.format = "+s";
  table.schema.n_children = 2;
  table.schema.children = schema_children;
  table.schema.release = [](ArrowSchema* self) { self->release = nullptr; };
  table.chunk.length = table.chunk.n_children = 2;
  table.chunk.children = array_children;
  table.chunk.release = [](ArrowArray* self) { self->release = nullptr; };
  breaks(table.schema, table.chunk);
  ArrowArrayStream stream{};
  stream.private_data = &table;
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    *out = static_cast<Table*>(self->private_data)->schema;
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    Table& made = *static_cast<Table*>(self->private_data);
    *out = std::exchange(made.read, true) ? ArrowArray{} : made.chunk;
    return 0;
  };
  stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
  try {
    ArrowRows rows(stream);
    count_table(question_of(Missing::kError).table, {}, {}, &rows);
    return "none";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.message();
  }
}

TEST(ArrowRows, WhatIsNoTableIsRefused) {
  EXPECT_EQ(refusal([](ArrowSchema&, ArrowArray&) {}), "none");
  EXPECT_EQ(refusal([](ArrowSchema& schema, ArrowArray&) { schema.format = nullptr; }),
            "a column has no type");
  EXPECT_EQ(refusal([](ArrowSchema& schema, ArrowArray&) { schema.children = nullptr; }),
            "the columns are missing");
  EXPECT_EQ(refusal([](ArrowSchema& schema, ArrowArray&) { schema.children[1] = nullptr; }),
            "a column has no type");
  EXPECT_EQ(refusal([](ArrowSchema&, ArrowArray& chunk) { chunk.length = -1; }),
            "the table: a chunk's length is below 0");
  EXPECT_EQ(refusal([](ArrowSchema&, ArrowArray& chunk) { chunk.n_children = 1; }),
            "the table: a chunk has other columns than the table");
  EXPECT_EQ(refusal([](ArrowSchema&, ArrowArray& chunk) { chunk.children[0] = nullptr; }),
            "the table: a column is shorter than its chunk");
  EXPECT_EQ(refusal([](ArrowSchema&, ArrowArray& chunk) { chunk.offset = 1; }),
            "the table: a column is shorter than its chunk");
}

// Two columns of many slices in several chunks; a value that is no number at each of these rows, from 1.
TestStream many_rows(const std::vector<int64_t>& chunks, const std::vector<int64_t>& bad) {
  ArrowType number, whole;
  number.kind = ArrowType::kFloat;
  number.bytes = whole.bytes = 8;
  whole.kind = ArrowType::kInt;
  std::vector<TestColumn> columns;
  columns.push_back({"s", whole, {}});
  columns.push_back({"v", number, {}});
  int64_t row = 0;
  for (const int64_t rows : chunks) {
    std::vector<int64_t> secrets;
    std::vector<double> values;
    for (int64_t k = 0; k < rows; ++k) {
      secrets.push_back(++row % 3);
      const bool is_bad = std::find(bad.begin(), bad.end(), row) != bad.end();
      values.push_back(is_bad ? std::nan("") : static_cast<double>(row / 50'000));
    }
    columns[0].chunks.push_back(hold(rows, 0, {{}, bytes_of(secrets)}));
    columns[1].chunks.push_back(hold(rows, 0, {{}, bytes_of(values)}));
  }
  return TestStream(std::move(columns));
}

TEST(ArrowRows, SlicesOnSeveralThreadsAreCountedAsOneTable) {
  for (const std::vector<int64_t>& chunks : {std::vector<int64_t>{200'000}, {1, 70'000, 0, 129'999}}) {
    TestStream stream = many_rows(chunks, {});
    ArrowRows rows(stream.get());
    std::vector<uint64_t> checked;
    const RowCounts counts =
        rows.count({0, 1}, [&](const Field*, uint64_t row) { checked.push_back(row); }, {});
    EXPECT_EQ(counts.total, 200'000u);
    ASSERT_EQ(counts.rows.size(), 13u);  // the last value is in one row
    std::vector<uint64_t> first;
    uint64_t sum = 0;
    for (const Tally::Entry& entry : counts.rows.entries()) {
      first.push_back(entry.line);
      sum += entry.count;
    }
    EXPECT_EQ(sum, 200'000u);
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
    EXPECT_EQ(first.front(), 1u);
    EXPECT_EQ(first[3], 50'000u);
    for (const uint64_t row : first) EXPECT_NE(std::find(checked.begin(), checked.end(), row), checked.end());
  }
}

TEST(ArrowRows, TheFirstBadRowIsTold) {
  for (int again = 0; again < 20; ++again) {
    TestStream stream = many_rows({90'000, 110'000}, {33'000, 33'100, 70'000, 90'001, 150'000});
    ArrowRows rows(stream.get());
    try {
      rows.count({0, 1}, [](const Field*, uint64_t) {}, {});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "the table: row 33000, column 'v': the value is not a finite number");
    }
  }
}

TEST(ArrowRows, WhatProgressThrowsStopsAllThreads) {
  struct Enough {};
  TestStream stream = many_rows({200'000}, {});
  ArrowRows rows(stream.get());
  EXPECT_THROW(rows.count(
                   {0, 1}, [](const Field*, uint64_t) {}, [](double, std::string_view) { throw Enough{}; }),
               Enough);
}

TEST(ArrowRows, AStreamIsReadOnce) {
  ArrowType text;
  text.kind = ArrowType::kText;
  std::vector<TestColumn> columns;
  columns.push_back(column_of("s", {"A", "B"}, text, 2));
  TestStream stream(std::move(columns));
  const ArrowRows rows(stream.get());
  EXPECT_THROW(ArrowRows(stream.get()), Error);
}

}  // namespace
}  // namespace fugu
