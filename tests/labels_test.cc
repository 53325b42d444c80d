// What a label stands for when a table is released: in a file and in memory, the same rows are released, left
// out or refused.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <optional>

#include "fugu/calibrate/calibrate.h"
#include "fugu/core/error.h"
#include "fugu/count/table_model.h"
#include "fugu/csv/csv_field.h"
#include "fugu/release/arrow_table.h"
#include "fugu/release/release.h"
#include "tests/support/arrow_stream.h"
#include "tests/support/random_scenario.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct TextSink : ByteSink {
  void write(std::string_view bytes) override { text += bytes; }
  void finish() override {}
  std::string text;
};

std::string csv_of(const Rows& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (size_t k = 0; k < row.size(); ++k)
      text += (k > 0 ? "," : "") + (row[k].empty() ? "" : csv_field(row[k], ','));
    text += '\n';
  }
  return text;
}

// Columns s and t are the secret where there are both, g and h are given, x is released. Every secret and
// group has the same law here, so that no noise is needed and the table comes back.
Plan plan_of(const Rows& rows, const std::string& missing = "error", std::vector<std::string> na = {}) {
  const TempFile file(csv_of(rows));
  TableQuestion question{.table = {.path = file.path(), .published = {"x"}},
                         .epsilon = testing::epsilon_of("0.1")};
  for (const std::string& name : rows.front()) {
    if (name == "s" || name == "t") question.table.secret.push_back(name);
    if (name == "g" || name == "h") question.table.given.push_back(name);
  }
  question.table.na = std::move(na);
  question.table.missing = missing == "keep"   ? Missing::kKeep
                           : missing == "drop" ? Missing::kDrop
                                               : Missing::kError;
  question.min_group = 1;
  return calibrate(scenario_from_table(question, {}), "exact", "laplace");
}

struct How {
  bool new_data = false, drop = false;
  std::vector<std::string> keep = {};
  size_t chunk_size = size_t{1} << 20;
};

// How many rows were released, or the message less the table's name.
std::string in_file(const Rows& rows, const Plan& plan, const How& how) {
  const TempFile file(csv_of(rows));
  TextSink sink;
  try {
    auto open = [&](const std::vector<NewColumn>&) -> ByteSink& { return sink; };
    const ReleaseSummary summary = release_table({.input = file.path(),
                                                  .keep = how.keep,
                                                  .new_data = how.new_data,
                                                  .drop = how.drop,
                                                  .publish_min = 1,
                                                  .chunk_size = how.chunk_size},
                                                 plan, open, {});
    return fmt::format("{} rows", summary.released);
  } catch (const Error& error) {
    return error.message().substr(file.path().size() + 2);
  }
}

std::string in_memory(const Rows& rows, const Plan& plan, const How& how) {
  ArrowType text;
  text.kind = ArrowType::kText;
  std::vector<TestColumn> columns;
  for (size_t k = 0; k < rows.front().size(); ++k) {
    columns.push_back({rows.front()[k], text, {}});
    std::vector<std::optional<std::string>> cells;
    for (size_t row = 1; row < rows.size(); ++row)
      cells.push_back(rows[row][k].empty() ? std::nullopt : std::optional(rows[row][k]));
    columns.back().chunks.push_back(text_array(cells, text));
  }
  TestStream stream(std::move(columns));
  const ArrowTable table(stream.get());
  try {
    const ArrowReleased released =
        ArrowRelease(plan, 1).release(table, {.new_data = how.new_data, .drop = how.drop}, {});
    return fmt::format("{} rows", released.columns[0].chunks[0]->length);
  } catch (const Error& error) {
    const std::string before = "the table: ";
    return error.message().starts_with(before) ? error.message().substr(before.size()) : error.message();
  }
}

const Rows kPairs{
    {"s", "t", "x"}, {"p", "q & r", "1"}, {"p", "q & r", "2"}, {"u", "v", "1"}, {"u", "v", "2"}},
    kBoth{{"s", "t", "x"}, {"p", "q & r", "1"}, {"p & q", "r", "2"}, {"u", "v", "1"}, {"u", "v", "2"}},
    kOther{{"s", "t", "x"}, {"p & q", "r", "1"}, {"u", "v", "1"}};

TEST(Labels, OfTwoDifferentSecretsInOneTableAreRefused) {
  const Plan plan = plan_of(kPairs);
  EXPECT_EQ(in_file(kPairs, plan, {}), "4 rows") << "a table that was counted is released";
  EXPECT_EQ(in_memory(kPairs, plan, {}), "4 rows");
  for (size_t threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    for (size_t chunk : {size_t{8}, size_t{1} << 20}) {
      EXPECT_EQ(
          in_file(kBoth, plan, {.chunk_size = chunk}),
          "column 's' with column 't': two different secrets have the same text when joined with ' & '");
    }
  }
  EXPECT_EQ(in_memory(kBoth, plan, {}),
            "column 's' with column 't': two different secrets have the same text when joined with ' & '");
}

TEST(Labels, ThatOtherTextsMakeAreUnknownInNewData) {
  const Plan plan = plan_of(kPairs);
  EXPECT_EQ(in_file(kOther, plan, {.new_data = true}),
            "line 2, column 's': joined with ' & ', this secret has the same text as another");
  EXPECT_EQ(in_memory(kOther, plan, {.new_data = true}),
            "row 1, column 's': joined with ' & ', this secret has the same text as another");
  EXPECT_EQ(in_file(kOther, plan, {.new_data = true, .drop = true}), "1 rows");
  EXPECT_EQ(in_memory(kOther, plan, {.new_data = true, .drop = true}), "1 rows");
  const Rows plain{{"s", "t", "x"}, {"u", "v", "1"}, {"u", "v", "1"}};
  EXPECT_EQ(in_file(plain, plan, {.new_data = true}), "2 rows");
  EXPECT_EQ(in_memory(plain, plan, {.new_data = true}), "2 rows");
}

TEST(Labels, OfTwoDifferentGroupsAreRefused) {
  Rows one{{"s", "g", "h", "x"}}, both = one, other = one;
  for (const char* secret : {"a", "b"}) {
    for (const char* value : {"1", "2"}) {
      one.push_back({secret, "x", "y & h = z", value});
      both.push_back(
          {secret, value[0] == '1' ? "x" : "x & h = y", value[0] == '1' ? "y & h = z" : "z", value});
      other.push_back({secret, "x & h = y", "z", value});
    }
  }
  const Plan plan = plan_of(one);
  const How kept{.keep = {"g", "h"}}, kept_of_new{.new_data = true, .keep = {"g", "h"}};
  EXPECT_EQ(in_file(one, plan, kept), "4 rows");
  for (const How& how : {How{}, kept}) {
    EXPECT_EQ(in_file(both, plan, how),
              "column 'g' with column 'h': two different groups have the same text when joined with ' & '");
  }
  EXPECT_EQ(in_file(other, plan, kept_of_new),
            "line 2, column 'g': the plan does not cover this group of the given columns");
  EXPECT_EQ(in_file(other, plan, {.new_data = true}),
            "line 2, column 'g': the plan does not cover this group of the given columns");
}

TEST(Labels, OfMissingFieldsAreNoTexts) {
  const Rows missing{{"s", "x"}, {"a", "1"}, {"a", "2"}, {"", "1"}, {"", "2"}},
      both{{"s", "x"}, {"a", "1"}, {"a", "2"}, {"", "1"}, {"(missing)", "2"}};
  const Plan plan = plan_of(missing, "keep");
  const std::string refused = "column 's': the text is the label that --missing keep gives to missing fields";
  EXPECT_EQ(in_file(missing, plan, {}), "4 rows");
  EXPECT_EQ(in_memory(missing, plan, {}), "4 rows");
  EXPECT_EQ(in_file(both, plan, {}), "line 5, " + refused);
  EXPECT_EQ(in_memory(both, plan, {}), "row 4, " + refused);
  EXPECT_EQ(in_file(both, plan, {.new_data = true}), "line 5, " + refused);
  EXPECT_EQ(in_memory(both, plan, {.new_data = true}), "row 4, " + refused);
  EXPECT_EQ(in_file(both, plan, {.new_data = true, .drop = true}), "2 rows");
  EXPECT_EQ(in_memory(both, plan, {.new_data = true, .drop = true}), "2 rows");
  // Where missing fields are an error, the text is a secret like any other, and a missing field is not.
  const Rows named{{"s", "x"}, {"a", "1"}, {"(missing)", "1"}}, gone{{"s", "x"}, {"a", "1"}, {"", "1"}};
  const Plan strict = plan_of(named);
  EXPECT_EQ(in_file(named, strict, {.new_data = true}), "2 rows");
  EXPECT_EQ(in_memory(named, strict, {.new_data = true}), "2 rows");
  EXPECT_EQ(in_file(gone, strict, {.new_data = true}), "line 3, column 's': the field is missing");
  EXPECT_EQ(in_memory(gone, strict, {.new_data = true}), "row 2, column 's': the field is missing");
}

TEST(Labels, OfFieldsThatAreMissingInTwoWaysAreRefused) {
  const Rows one{{"s", "x"}, {"a", "1"}, {"a", "2"}, {"A", "1"}, {"A", "2"}},
      two{{"s", "x"}, {"a", "1"}, {"a", "2"}, {"A", "1"}, {"B", "2"}};
  const Plan plan = plan_of(one, "keep", {"A", "B"});
  const std::string refused =
      "column 's': missing fields are written in more than one way, and --missing keep would hide the "
      "difference";
  EXPECT_EQ(in_file(one, plan, {}), "4 rows");
  EXPECT_EQ(in_memory(one, plan, {}), "4 rows");
  for (size_t chunk : {size_t{4}, size_t{1} << 20}) {
    EXPECT_EQ(in_file(two, plan, {.chunk_size = chunk}), refused);
    EXPECT_EQ(in_file(two, plan, {.new_data = true, .chunk_size = chunk}), refused);
  }
  EXPECT_EQ(in_memory(two, plan, {}), refused);
  EXPECT_EQ(in_memory(two, plan, {.new_data = true}), refused);
  EXPECT_EQ(in_file(two, plan, {.new_data = true, .drop = true}), "2 rows");
  EXPECT_EQ(in_memory(two, plan, {.new_data = true, .drop = true}), "2 rows");
  const Rows groups{{"s", "g", "x"}, {"a", "A", "1"}, {"b", "A", "1"}},
      blurred{{"s", "g", "x"}, {"a", "A", "1"}, {"b", "", "1"}};
  EXPECT_EQ(in_file(blurred, plan_of(groups, "keep", {"A"}), {}),
            "column 'g': missing fields are written in more than one way, and --missing keep would hide the "
            "difference");
}

// The plan counted no row with a missing given field: of new data such rows are left out as well, and a table
// need not have the given columns.
TEST(Labels, RowsWithoutAGroupAreLeftOutOfNewDataToo) {
  const Rows rows{{"s", "g", "h", "x"}, {"a", "u", "v", "1"}, {"b", "u", "v", "1"}},
      holes{{"s", "g", "h", "x"}, {"a", "", "v", "1"}, {"b", "u", "?", "1"}, {"b", "u", "v", "1"}},
      fewer{{"h", "x"}, {"", "1"}, {"v", "1"}, {"?", "1"}}, none{{"x"}, {"1"}};
  for (const char* missing : {"drop", "error", "keep"}) {
    const Plan plan = plan_of(rows, missing, {"?"});
    for (const bool drop : {false, true}) {
      const bool leaves_out = drop || missing == std::string("drop");
      const How how{.new_data = true, .drop = drop};
      // Whose group is missing where nothing may be, has no prior that could give the value mass.
      const std::string stopped =
          missing == std::string("error")
              ? ", column 'g': the field is missing"
              : ", column 'g': the plan does not cover this group of the given columns";
      EXPECT_EQ(in_file(holes, plan, how), leaves_out ? "1 rows" : "line 2" + stopped) << missing << drop;
      EXPECT_EQ(in_memory(holes, plan, how), leaves_out ? "1 rows" : "row 1" + stopped) << missing << drop;
      EXPECT_EQ(in_file(fewer, plan, how), leaves_out ? "1 rows" : "3 rows") << missing << drop;
      EXPECT_EQ(in_memory(fewer, plan, how), leaves_out ? "1 rows" : "3 rows") << missing << drop;
      const Plan pairs = plan_of({{"s", "t", "x"}, {"a", "u", "1"}, {"b", "u", "1"}}, missing);
      const Rows half{{"t", "x"}, {"", "1"}, {"z", "1"}};  // one of two columns tells no secret
      EXPECT_EQ(in_file(half, pairs, how), leaves_out ? "1 rows" : "2 rows") << missing << drop;
      EXPECT_EQ(in_memory(half, pairs, how), leaves_out ? "1 rows" : "2 rows") << missing << drop;
      EXPECT_EQ(in_file(none, plan, how), "1 rows");
      EXPECT_EQ(in_memory(none, plan, how), "1 rows");
    }
  }
}

}  // namespace
}  // namespace fugu
