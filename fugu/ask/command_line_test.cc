#include "fugu/ask/command_line.h"

#include <gtest/gtest.h>

#include <set>

#include "fugu/ask/flags.h"

namespace fugu {
namespace {

TEST(CommandLine, NamesEveryTextOnceAndInOrder) {
  const QuestionOptions question{.table = "a.csv", .secret = "race", .published = "job", .epsilon = "0.5"};
  EXPECT_EQ(
      command_line("calibrate", question, {.method = "optimal", .asymmetric = true}, {{"-o", "p.json"}}),
      "fugu calibrate a.csv --secret race --public job --epsilon 0.5 --method optimal --asymmetric -o "
      "p.json");
}

TEST(CommandLine, EveryFieldComesBackAsAFlag) {
  QuestionOptions question{.table = "t.csv"};
  PlanOptions plan;
  std::set<std::string> names;
  auto fill = [&names](auto& options) {
    for (const auto* row : flags_of_page<std::decay_t<decltype(options)>>()) {
      set_text(options, *row, row->flag.name);
      EXPECT_TRUE(names.insert(row->flag.name).second) << row->flag.name;
    }
  };
  fill(question);
  fill(plan);
  EXPECT_EQ(names.size(), 46u);
  const std::string line = command_line("calibrate", question, plan) + " ";
  for (const std::string& name : names) {
    const bool is_switch = name == "no-header" || name == "rows-independent" || name == "census" ||
                           name == "asymmetric" || name == "unbiased";
    EXPECT_NE(line.find(" --" + name + (is_switch ? " " : " " + name + " ")), std::string::npos) << name;
  }
}

TEST(CommandLine, WordsAreQuotedForTheShell) {
  const QuestionOptions question{.table = "it's a table.csv", .secret = "a,\"b c\"", .clip = "-5:5"};
  EXPECT_EQ(command_line("compare", question, {}),
            "fugu compare 'it'\\''s a table.csv' --secret 'a,\"b c\"' --clip=-5:5");
}

TEST(CommandLine, AnOrderIsAListAndNoFile) {
  EXPECT_EQ(command_line("compare", {.table = "t.csv", .order = "@home,@work"}, {}),
            "fugu compare t.csv --order ' @home,@work'");
}

TEST(CommandLine, ADashBeforeAFileIsNoFlag) {
  EXPECT_EQ(command_line("release", {.table = "-t.csv"}, {}, {{"-o", "-out.csv"}}),
            "fugu release ./-t.csv -o ./-out.csv");
}

TEST(Fields, TheFieldOfAMessageIsItsFirstKnownFlag) {
  EXPECT_EQ(field_of_message("--epsilon: no epsilon is given"), "epsilon");
  EXPECT_EQ(field_of_message("--merge-rare: a confidence does not hold"), "merge-rare");
  EXPECT_EQ(field_of_message("people.csv, line 3: use --unknown or --missing drop"), "missing");
  EXPECT_EQ(field_of_message("--no-header, yes"), "no-header");
  EXPECT_EQ(field_of_message("the table has no rows -- at all"), "");
  EXPECT_EQ(field_of_message("--"), "");
}

TEST(Flags, TheFirstRowOfANameThatAppliesCounts) {
  auto epsilon = [](const char* command) {
    for (const auto* row : flags_for<QuestionOptions>(command))
      if (std::string_view(row->flag.name) == "epsilon") return std::string(row->flag.value);
    return std::string();
  };
  EXPECT_EQ(epsilon("calibrate"), "E");
  EXPECT_EQ(epsilon("compare"), "E[,E]");
  EXPECT_EQ(flags_for<PlanOptions>("compare").size(), 2u) << "the time limit, and what swap makes small";
}

TEST(Flags, WhatIsSaidAlreadyIsFound) {
  EXPECT_EQ(said_already(QuestionOptions{.step = "1", .missing = "keep", .no_header = true}, "plan"),
            "--step");
  EXPECT_EQ(said_already(QuestionOptions{.step = "1", .separator = ";"}, "scenario"), "--separator");
  EXPECT_EQ(said_already(QuestionOptions{.step = "1", .no_header = true}, "database"), "--no-header");
  EXPECT_EQ(said_already(QuestionOptions{.separator = ";"}, "plan"), "");
  EXPECT_EQ(said_already(PlanOptions{.unbiased = true}, "plan"), "--unbiased");
}

TEST(Flags, EveryRowSaysWhatItIs) {
  for (const auto& [texts, flag] : all_flags()) {
    EXPECT_FALSE(std::string_view(flag.help).empty()) << flag.name;
    EXPECT_EQ(flag.is_switch(), std::string_view(flag.value).empty()) << flag.name;
    if (flag.field.section && *flag.field.section) {
      EXPECT_FALSE(std::string_view(flag.field.label).empty()) << flag.name;
    }
  }
}

TEST(Flags, ThePageHasWordsWithoutDashes) {
  const std::string fields = page_fields_to_json().pretty();
  EXPECT_EQ(fields.find("--"), std::string::npos);
  EXPECT_NE(fields.find("Numbers need clip, better with step or bin, or bin edges."), std::string::npos);
}

}  // namespace
}  // namespace fugu
