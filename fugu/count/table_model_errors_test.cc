// What scenario_from_table says of bad questions and bad tables. No message may hold a field of the table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/count/table_model.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using Change = std::function<void(TableQuestion&)>;

// Expects the error of asking for secret s and public x of a table, the question changed by `change`. FILE in
// the message stands for the table's path.
void expect_error(const std::string& table, const Change& change, ErrorKind kind, std::string message,
                  const std::string& hint) {
  SCOPED_TRACE(message);
  TempFile file(table);
  for (size_t at; (at = message.find("FILE")) != std::string::npos;) message.replace(at, 4, file.path());
  TableQuestion question{.table = {.path = file.path(), .secret = {"s"}, .published = {"x"}},
                         .epsilon = Epsilon::parse("1", "--epsilon", ErrorKind::kUsage)};
  if (change) change(question);
  try {
    scenario_from_table(question, {});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_EQ(error.message(), message);
    EXPECT_EQ(error.hint(), hint);
  }
}

Change missing(Missing how, const std::vector<std::string>& na = {}) {
  return [=](TableQuestion& question) {
    question.table.missing = how;
    question.table.na = na;
  };
}

constexpr auto kData = ErrorKind::kData;
constexpr auto kUsage = ErrorKind::kUsage;

TEST(TableModelErrors, Columns) {
  expect_error(
      "s,x\na,1\n", [](TableQuestion& question) { question.table.secret = {"race"}; }, kUsage,
      "--secret: FILE has no column 'race'", "the columns are: s, x");
  expect_error(
      "s,x\na,1\n", [](TableQuestion& question) { question.table.published = {"30"}; }, kUsage,
      "--public: FILE has no column '30'", "the columns have the numbers 1 to 2");
  expect_error(
      "s,x\na,1\n", [](TableQuestion& question) { question.table.secret.clear(); }, kUsage,
      "--secret: no column is named", "name the column to hide");
  expect_error(
      "s,x\na,1\n",
      [](TableQuestion& question) {
        question.table.secret = {"s", "1"};
      },
      kUsage, "--secret: column 's' is named twice", "name each column once");
  expect_error(
      "a\xE9,x\na,1\n", [](TableQuestion& question) { question.table.secret = {"1"}; }, kData,
      "FILE: the name of column 1 is not UTF-8", "save the file as UTF-8");
}

TEST(TableModelErrors, TooFewRowsOrSecrets) {
  expect_error("s,x\n", {}, kData, "FILE: the table has no rows", "if there is no header, give --no-header");
  expect_error("s,x\na,1\na,2\n", {}, kData, "FILE: column 's' has only one secret value",
               "there must be at least two secrets; choose another column for --secret");
  expect_error(
      "s,t,x\na,b,1\n",
      [](TableQuestion& question) {
        question.table.secret = {"s", "t"};
      },
      kData, "FILE: column 's' with column 't' has only one secret value",
      "there must be at least two secrets; choose another column for --secret");
  expect_error("s,x\na,\n,2\n", missing(Missing::kDrop), kData,
               "FILE: no row is left: each has a missing field in column 's' or column 'x'",
               "check --na and the columns, or use --missing keep");
}

TEST(TableModelErrors, BrokenTables) {
  expect_error(
      "s,x\na,1\nb\n", {}, kData, "FILE: line 3 has 1 field, not 2",
      "every line must have as many fields as the first; the separator is ',', and a field that holds "
      "one must be quoted");
  expect_error("s,x\na,1\nb,\"2\n", {}, kData, "FILE: line 3 opens a quote that is never closed",
               "close it, or write a quote inside a quoted field twice (\"\")");
}

TEST(TableModelErrors, TextThatIsNotUtf8) {
  expect_error("z,s,x\n\xE9,a,1\n1,b\xE9,2\n", {}, kData, "FILE: line 3, column 's': the text is not UTF-8",
               "save the file as UTF-8");
  expect_error("s,x\na,b\nb,\xFF\n", {}, kData, "FILE: line 3, column 'x': the text is not UTF-8",
               "save the file as UTF-8");
  expect_error("s,x\na,b\n", missing(Missing::kDrop, {"\xE9"}), kUsage, "--na: the text is not UTF-8",
               "use a terminal with a UTF-8 locale");
}

// A first line that is data would be released as the header.
TEST(TableModelErrors, HeadersThatLookLikeData) {
  auto numbered = [](const std::vector<std::string>& secret, const std::vector<std::string>& given,
                     const std::string& published) {
    return [=](TableQuestion& question) {
      question.table.secret = secret;
      question.table.given = given;
      question.table.published = {published};
      question.min_group = 0;
    };
  };
  const std::string hint =
      "give --no-header, and columns by their numbers; or, if it is a header, rename the column there, or "
      "that value below it";
  auto message = [](int column) {
    return fmt::format(
        "FILE: the first line looks like data: in column {} it has what the lines below it have", column);
  };
  auto number = [](int column) {
    return fmt::format(
        "FILE: the first line looks like data: in column {} it has a number or a date, as all lines below it "
        "have",
        column);
  };
  const std::string rename =
      "give --no-header, and columns by their numbers; or, if it is a header, rename the column there";
  const std::string rows = "A,m,guard,n0\nB,f,cook,n1\nA,m,guard,n2\nB,m,cook,n3\n";
  expect_error(rows, numbered({"1"}, {}, "3"), kData, message(1), hint);
  expect_error(rows, numbered({"4"}, {}, "3"), kData, message(3), hint);
  expect_error(rows, numbered({"4"}, {"2"}, "cook"), kUsage, "--public: FILE has no column 'cook'",
               "the table has 4 columns; if its first line is data, give --no-header and a number");
  expect_error("A,m,17\nB,f,18\nC,g,19.5\n", numbered({"1"}, {}, "3"), kData, number(3), rename);
  expect_error("A,m,17\nB,f,18\nC,g,17\n", numbered({"1"}, {}, "3"), kData, message(3), hint);
  expect_error("17,3\n18,4\n19,5\n18,4\n", numbered({"1"}, {}, "2"), kData, number(1), rename);
  // By its name it is data no less.
  expect_error(rows, numbered({"A"}, {}, "guard"), kData, message(1), hint);
  expect_error(rows, numbered({"n0"}, {"m"}, "3"), kData, message(2), hint);
  // Nor do columns that are not used hide it.
  expect_error("A,t,x\nA,m,1\nB,f,2\n", numbered({"t"}, {}, "3"), kData, message(1), hint);
  // Neither is known to be a name: any two people's texts differ.
  expect_error("s,t,2019\nA,m,1\nB,f,2\n", numbered({"1"}, {}, "2019"), kData, number(3), rename);
  // A header, but the number is among the values.
  expect_error("s,t,2\nA,m,1\nB,f,2\nA,m,2\nB,f,1\n", numbered({"1"}, {}, "2"), kData, message(3), hint);
  for (const auto& [text, change] : {std::pair("s,t,x\nA,m,1\nB,f,2\n", numbered({"1"}, {"2"}, "3")),
                                     std::pair("s,t,2019\nA,m,u\nB,f,v\n", numbered({"1"}, {}, "3")),
                                     // Years: other columns show that the line is a header.
                                     std::pair("s,2020\nA,1\nB,2\nA,2\nB,1\n", numbered({"s"}, {}, "2020")),
                                     std::pair("x,2020\n1,7\n2,8\n", numbered({"x"}, {}, "2020"))}) {
    const TempFile file(text);
    TableQuestion question{.table = {.path = file.path()},
                           .epsilon = Epsilon::parse("1", "--epsilon", ErrorKind::kUsage)};
    change(question);
    EXPECT_NO_THROW(scenario_from_table(question, {})) << text;
  }
}

TEST(TableModelErrors, UnusedColumnsMayHoldAnything) {
  TempFile file("z,s,x\n\xE9,a,1\n,b,2\n");
  EXPECT_NO_THROW(scenario_from_table({.table = {.path = file.path(), .secret = {"s"}, .published = {"x"}},
                                       .epsilon = Epsilon::parse("1", "--epsilon", ErrorKind::kUsage)},
                                      {}));
}

TEST(TableModelErrors, MissingFields) {
  const std::string hint =
      "--missing drop leaves such rows out, --missing keep makes them a category; --na names other texts "
      "that mean "
      "missing";
  expect_error("s,x\na,1\nb,\n", {}, kData, "FILE: line 3, column 'x': the field is missing", hint);
  expect_error("s,x\n\"\",1\nb,\n", {}, kData, "FILE: line 2, column 's': the field is missing", hint);
  expect_error("s,x\na,1\nb, ? \n", missing(Missing::kError, {"?"}), kData,
               "FILE: line 3, column 'x': the field is missing", hint);
  expect_error("s,x\na,1\nb,\nc,\n", missing(Missing::kKeep), kUsage,
               "--missing keep: FILE: line 3, column 'x': a missing value has no place among numbers",
               "use --missing drop, or --order to treat the column as categories");
  expect_error("s,x\na,u\nb,\n(missing),v\n", missing(Missing::kKeep), kData,
               "FILE: line 4, column 's': the text is the label that --missing keep gives to missing fields",
               "change the text in the file");
  expect_error("s,x\na,u\nb,\na,(missing)\n", missing(Missing::kKeep), kData,
               "FILE: line 4, column 'x': the text is the label that --missing keep gives to missing fields",
               "--na \"(missing)\" makes the two one, or change the text in the file");
}

// Kept as one secret, or one group, people whose fields tell them apart would not be hidden from each other.
TEST(TableModelErrors, MissingFieldsThatAreWrittenInTwoWays) {
  const std::string hint = "give them one text first, or use --missing drop";
  auto message = [](int line, const std::string& column) {
    return fmt::format(
        "FILE: line {}, column '{}': missing fields are written in more than one way, and --missing keep "
        "would hide the difference",
        line, column);
  };
  const std::string two = "s,g,x\na,u,k\n,u,l\n\"\",v,k\n?,v,k\n";
  expect_error(two, missing(Missing::kKeep, {"?"}), kData, message(5, "s"), hint);
  expect_error("s,x\nA,k\na,k\nb,l\nB,l\n", missing(Missing::kKeep, {"A", "B"}), kData, message(5, "s"),
               hint);
  auto given = [](TableQuestion& question) {
    question.table.missing = Missing::kKeep;
    question.table.na = {"?"};
    question.table.given = {"g"};
    question.min_group = 1;
  };
  expect_error("s,g,x\na,?,k\nb,?,k\na,,l\nb,,l\n", given, kData, message(4, "g"), hint);
  // In one way each column, in any number of ways where rows are left out, and among what is released.
  for (const auto& [text, how] : {std::pair("s,g,x\na,,k\nb,,k\n?,,k\n", Missing::kKeep),
                                  std::pair("s,g,x\na,u,k\nb,u,k\n?,u,k\n,u,k\n", Missing::kDrop),
                                  std::pair("s,g,x\na,u,\nb,u,?\n", Missing::kKeep)}) {
    const TempFile file(text);
    TableQuestion question{
        .table = {.path = file.path(), .secret = {"s"}, .published = {"x"}, .given = {"g"}},
        .epsilon = Epsilon::parse("1", "--epsilon", ErrorKind::kUsage)};
    question.table.na = {"?"};
    question.table.missing = how;
    question.min_group = 0;
    EXPECT_NO_THROW(scenario_from_table(question, {})) << text;
  }
}

TEST(TableModelErrors, Numbers) {
  const std::string mixed =
      "name what means missing with --na, or say that the column holds codes or categories: --kind x=code; "
      "--order sets their order";
  expect_error("s,x\na,1\nb,2\nb,none\nc,none\nc,4\n", {}, kData,
               "FILE: column 'x' mixes numbers and text; line 4 is the first with text", mixed);
  expect_error("s,x\na,u\nb,v\nb,7\n", {}, kData,
               "FILE: column 'x' mixes numbers and text; line 4 is the first with a number", mixed);
  expect_error("s,x\na,1\nb,inf\n", {}, kData,
               "FILE: column 'x' mixes numbers and text; line 3 is the first with text", mixed);
  for (const char* number : {"1e400", "-1e400", "1e-400", "1e99999999999999999999"}) {
    expect_error(std::string("s,x\na,1\nb,2\nb,").append(number).append("\n"), {}, kData,
                 "FILE: line 4, column 'x': the number is too large or too fine",
                 "correct it, or name it as missing with --na");
  }
  expect_error("s,x\na,1e300\nb,1e300\n", {}, kData,
               "FILE: line 2, column 'x': the number is too large or too fine",
               "correct it, or name it as missing with --na");
}

// What core says of values that have no sensible lattice; it names none.
Error lattice_error(const std::vector<Rational>& values) {
  try {
    coarsest_lattice(values);
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::kBug, "no error", "");
}

TEST(TableModelErrors, LatticesThatAreAbsurdlyFine) {
  const std::string far =
      "limit the range with --clip LO:HI, or give a coarser --step, for example --step 1000";
  const std::pair<const char*, std::string> numbers[] = {
      {"0.30000000000000004",
       "give the resolution you need with --step, for example --step 0.01, or use bins, for example --bin "
       "10"},
      {"1e300", far}};
  for (const auto& [number, hint] : numbers) {
    Error core = lattice_error({Rational(1), Rational(2), *parse_decimal(number)});
    expect_error(std::string("s,x\na,1\nb,2\na,").append(number).append("\n"), {}, kData,
                 "FILE: column 'x': " + core.message(), hint);
  }
  expect_error(
      "s,x\na,1\nb,1e300\n", [](TableQuestion& question) { question.shaping = {{.step = Rational(1)}}; },
      kData,
      "FILE: column 'x': " + lattice_error({Rational(1), Rational(2), *parse_decimal("1e300")}).message(),
      far);
}

TEST(TableModelErrors, Steps) {
  expect_error(
      "s,x\na,1\nb,2\n", [](TableQuestion& question) { question.shaping = {{.step = Rational(0)}}; }, kUsage,
      "--step: the step must be greater than 0", "for example --step 0.01");
  expect_error(
      "s,x\na,u\nb,v\n", [](TableQuestion& question) { question.shaping = {{.step = Rational(1)}}; }, kUsage,
      "--step: column 'x' holds categories, not numbers", "leave --step out");
}

TEST(TableModelErrors, Orders) {
  const std::string table = "s,x\na,u\nb,v\nb,w\n";
  expect_error(
      table,
      [](TableQuestion& question) {
        question.shaping = {{.order = {"u", "w"}}};
      },
      kUsage, "--order: the order does not hold every category; FILE: line 3 has another",
      "name every category of the column, also (missing) where missing fields are kept");
  expect_error(
      table,
      [](TableQuestion& question) {
        question.shaping = {{.order = {"u", "v", "w", "u"}}};
      },
      kUsage, "--order: 'u' is named twice", "name each once");
  expect_error(
      table, [](TableQuestion& question) { question.secret_order = {"b"}; }, kUsage,
      "--secret-order: the order does not hold every secret; FILE: line 2 has another",
      "name every secret of the column, also (missing) where missing fields are kept");
  expect_error(
      table,
      [](TableQuestion& question) {
        question.secret_order = {"b", "a", "z"};
      },
      kUsage, "--secret-order: no row has the secret 'z'", "name only secrets that the table has");
  expect_error(
      table,
      [](TableQuestion& question) {
        question.secret_order = {"b", "a", "b"};
      },
      kUsage, "--secret-order: 'b' is named twice", "name each once");
}

TEST(TableModelErrors, SecretsThatJoinToOne) {
  expect_error(
      "s,t,x\na & b,c,1\nd,d,1\na,b & c,2\n",
      [](TableQuestion& question) {
        question.table.secret = {"s", "t"};
      },
      kData,
      "FILE: line 4, column 's' with column 't': two different secrets have the same text when joined "
      "with ' & '",
      "replace ' & ' inside the values of these columns");
}

TEST(TableModelErrors, Pairs) {
  TempFile file("s,x\na,1\nb,2\n");
  TableQuestion question{.table = {.path = file.path(), .secret = {"s"}, .published = {"x"}},
                         .epsilon = Epsilon::parse("1", "--epsilon", ErrorKind::kUsage),
                         .pairs = "a:c"};
  try {
    scenario_from_table(question, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kUsage);
    EXPECT_EQ(error.message(), "--pairs: there is no secret 'c'");
  }
}

}  // namespace
}  // namespace fugu
