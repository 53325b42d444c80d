#include "fugu/estimate/cross_table.h"

#include <gtest/gtest.h>

#include "fugu/core/error.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

Json statement_of(const std::string& more = "", const std::string& assumptions = "") {
  return parse_json(R"({"fugu": 1, "statement": "…", "guarantee": {}, "columns": {"secret": ["s"],
    "public": ["job", "age"], "given": [], "kept": ["region"], "kept_unprotected": ["note"]},
    "mechanism": {"noise": "swap", "scale": null, "changed": 0.3, "columns": [
      {"changed": 0.2, "lattice": {"step": 1, "origin": 0}, "labels": ["smith", "clerk"]},
      {"changed": 0.15, "lattice": {"step": 1, "origin": 0}}])" +
                        more + R"(}, "assumptions": [)" + assumptions + R"(], "estimate": []})",
                    "test");
}

PublishedSwap swap_of(const std::string& more = "", const std::string& assumptions = "") {
  return *published_swap_from_json(statement_of(more, assumptions), "test");
}

constexpr const char* kTable =
    "region,job,age,note,mine\n"
    "north,clerk,9,a,x\nnorth,clerk,10,a,x\nsouth,smith,10,b,x\nnorth,smith,10,b,x\nnorth,clerk,9.0,b,x\n";

CrossTable counted_by(const std::vector<std::string>& columns, const PublishedSwap& swap = swap_of()) {
  const TempFile file(kTable);
  return cross_tables({.path = file.path()}, swap, {{.columns = columns}}, {}).front();
}

std::string words(const std::vector<CrossCell>& cells) {
  std::string out;
  for (const CrossCell& cell : cells) {
    for (const auto& value : cell.values) out += value.value_or("*") + " ";
    out += std::to_string(cell.count) + "; ";
  }
  return out;
}

TEST(CrossTable, ComesInTheStatementsOrderWithTotalsThatAreSums) {
  const CrossTable found = counted_by({"region", "job"});
  EXPECT_EQ(words(found.cells), "north smith 1; north clerk 3; south smith 1; south clerk 0; ");
  EXPECT_EQ(words(found.totals), "north * 4; south * 1; * smith 2; * clerk 3; * * 5; ");
  EXPECT_EQ(found.rows, 5u);
  EXPECT_TRUE(found.notes.empty());
  EXPECT_EQ(words(counted_by({"age"}).cells), "9 2; 10 3; ") << "9.0 is 9, and 10 comes after it";
  EXPECT_EQ(words(counted_by({"age"}).totals), "* 5; ");
}

TEST(CrossTable, SeveralQuestionsAreOneReading) {
  const TempFile file(kTable);
  const std::vector<CrossQuestion> questions{
      {.columns = {"age", "job"}}, {.by = {"region"}, .released = 0}, {.released = 1}};
  const auto found = cross_tables({.path = file.path()}, swap_of(), questions, {});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(words(found[0].cells), "9 smith 0; 9 clerk 2; 10 smith 2; 10 clerk 1; ");
  EXPECT_EQ(words(found[1].cells), words(counted_by({"region", "job"}).cells));
  EXPECT_EQ(words(found[2].cells), words(counted_by({"age"}).cells));
}

TEST(CrossTable, WhatIsWrittenAsItWasIsExact) {
  for (const char* column : {"region", "note"}) {
    for (const CrossCell& cell : counted_by({column}, swap_of()).cells) {
      EXPECT_EQ(cell.bounds.low, cell.count);
      EXPECT_EQ(cell.bounds.high, cell.count);
      EXPECT_EQ(cell.bounds.standard_error, 0);
    }
  }
  const auto cells = counted_by({"region", "job"});
  EXPECT_EQ(cells.totals[0].bounds.high, cells.totals[0].count);
  EXPECT_LE(cells.cells[3].bounds.high, 1u) << "there is one row of the south";
}

TEST(CrossTable, CountsTheSharesOfItsOwnColumns) {
  std::vector<CountedRow> rows;
  for (const char* job : {"smith", "clerk"}) {
    for (const char* age : {"1", "2"}) rows.push_back({{job, age}, 2500});
  }
  const PublishedSwap swap = swap_of();
  auto expect_moved = [&](const CrossTable& found, double share) {
    const CrossCell& cell = found.cells.front();
    EXPECT_EQ(cell.bounds.high, bounds_of_count(cell.count, 10000, 10000 * share, 0.025).high) << share;
  };
  expect_moved(cross_table(rows, swap, {"job", "age"}, {0, 1}, 0.95), 0.3);  // not 0.2 + 0.15
  PublishedSwap more = swap;
  more.changed = Rational(1, 2);
  expect_moved(cross_table(rows, more, {"job", "age"}, {0, 1}, 0.95), 0.35);
  for (CountedRow& row : rows) row.texts.pop_back();
  expect_moved(cross_table(rows, swap, {"job"}, {0}, 0.95), 0.2);
}

TEST(CrossTable, ManyCombinationsAreNotListed) {
  std::vector<CountedRow> rows;
  for (int k = 0; k < 101; ++k) rows.push_back({{std::to_string(k), std::to_string(k)}, 1});
  const CrossTable found = cross_table(rows, swap_of(), {"region", "age"}, {std::nullopt, 1}, 0.95);
  EXPECT_EQ(found.cells.size(), 101u);
  EXPECT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(*found.cells[2].values[0], "2") << "numbers increase";
  rows.pop_back();
  EXPECT_EQ(cross_table(rows, swap_of(), {"region", "age"}, {std::nullopt, 1}, 0.95).cells.size(), 10000u);
}

std::string refused(const std::vector<std::string>& columns, const PublishedSwap& swap = swap_of()) {
  try {
    counted_by(columns, swap);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(CrossTable, RefusesCountsThatAreNotKept) {
  EXPECT_NE(refused({"note", "job"}).find("beside the released columns"), std::string::npos);
  const std::string others =
      R"("The rows are others than those that the noise was made from: it is assumed that …")";
  EXPECT_NE(refused({"job"}, swap_of("", others)).find("new data"), std::string::npos);
  EXPECT_NE(refused({"mine"}).find("does not say how"), std::string::npos);
  EXPECT_NE(refused({"job", "job"}).find("named twice"), std::string::npos);
  EXPECT_NE(refused({"nosuch"}).find("--table"), std::string::npos);
}

TEST(CrossTable, AGivenColumnThatIsKeptIsNoStratum) {
  Json statement = statement_of();
  for (auto& [key, value] : *statement.if_object()) {
    if (key != "columns") continue;
    for (auto& [name, list] : *value.if_object()) {
      if (name == "given") list = Json::strings({"region"});
    }
  }
  const auto swap = published_swap_from_json(statement, "test");
  EXPECT_NE(refused({"region", "job"}, *swap).find("beside the released columns"), std::string::npos);
}

TEST(CrossTable, AForeignValueIsNamedByItsLine) {
  const TempFile file("job,age\nsmith,1\nbaker,2\n");
  try {
    cross_tables({.path = file.path()}, swap_of(), {{.columns = {"job"}}}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("line 3"), std::string::npos);
    EXPECT_EQ(error.message().find("baker"), std::string::npos);
  }
}

TEST(CrossTable, AStatementOfNoiseIsNone) {
  Json statement = statement_of();
  EXPECT_THROW(published_from_json(statement, "test"), Error);
  for (auto& [key, value] : *statement.if_object()) {
    if (key == "mechanism") value = Json::object();
  }
  EXPECT_FALSE(published_swap_from_json(statement, "test"));
}

}  // namespace
}  // namespace fugu
