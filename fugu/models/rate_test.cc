// The file of a rate's model, and what it says of its laws (docs/math.md, section 12).
#include "fugu/models/rate.h"

#include <gtest/gtest.h>

#include "fugu/core/error.h"

namespace fugu {
namespace {

const char* const kSum =
    R"({"kind": "rate", "secrets": ["no", "yes"], "rows": 10, "within": 2, "query": "sum",
  "column": "days", "labels": [], "lattice": {"step": 0.5, "origin": 0}, "values": [-1, 0.5, 2],
  "laws": [[1, 2, 1], ["1/3", 0, "2/3"]], "estimated": false})";

RateModel rate_of(const std::string& text) { return rate_from_json(parse_json(text, "m"), "m"); }

std::string rate_with(const std::string& from, const std::string& to) {
  std::string text = kSum;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string rate_failure(const std::string& from, const std::string& to) {
  try {
    rate_of(rate_with(from, to));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.message();
  }
  return "none";
}

TEST(RateJson, ComesBackAsItWas) {
  const RateModel model = rate_of(kSum);
  EXPECT_EQ(model.values, (std::vector<int64_t>{-2, 1, 4}));
  EXPECT_EQ(model.laws[1][0], Rational(1, 3));
  EXPECT_EQ(model.steps_in_all(), 12);
  EXPECT_EQ(rate_from_json(rate_to_json(model), "m"), model);
}

TEST(RateJson, AMeanHasFinerStepsThanItsRows) {
  EXPECT_EQ(rate_of(rate_with("\"sum\"", "\"mean\"")).released_lattice().step, Rational(1, 20));
  EXPECT_EQ(rate_of(kSum).released_lattice().step, Rational(1, 2));
}

TEST(RateJson, SaysWhatIsWrong) {
  EXPECT_EQ(rate_failure(R"(["no", "yes"])", R"(["no", "no"])"),
            "m.secrets: there must be 2 to 1000 values of the secret, all different");
  EXPECT_EQ(rate_failure("\"within\": 2", "\"within\": 11"),
            "m.within: this must be a number of rows, from 1 to all of them");
  EXPECT_EQ(rate_failure("\"rows\": 10", "\"rows\": 0"), "m.rows: there must be 1 to 1,000,000,000 rows");
  EXPECT_EQ(rate_failure("\"sum\"", "\"median\""), "m.query: the word is unknown");
  EXPECT_EQ(rate_failure("\"sum\"", "\"count\""), "m.values: a row is counted or not: its value is 0 or 1");
  EXPECT_EQ(rate_failure("\"sum\"", "\"histogram\""), "m.values: a histogram's values are 0, 1, 2, …");
  EXPECT_EQ(rate_failure("[1, 2, 1]", "[1, -2, 1]"), "m.laws: a mass is negative");
  EXPECT_EQ(rate_failure("[1, 2, 1]", "[0, 0, 0]"), "m.laws: all masses are zero");
  EXPECT_EQ(rate_failure("[1, 2, 1]", "[1, 0, 1]"), "m.values: a value has no mass under any secret");
  EXPECT_EQ(rate_failure("[1, 2, 1]", "[1, 2]"), "m.laws: there must be as many masses as values");
  EXPECT_EQ(rate_failure("[1, 2, 1], ", ""), "m.laws: there must be a law for each secret");
  EXPECT_EQ(rate_failure("\"rows\": 10", "\"rows\": 1000000000") +
                rate_failure("[-1, 0.5, 2]", "[-1, 0.5, 200000000000]"),
            "nonem: the sum over the rows spans too many steps");
  EXPECT_EQ(rate_failure("false", "0"), "m.estimated: this is neither true nor false");
}

RateModel with_laws(std::vector<int64_t> values, std::vector<std::vector<Rational>> laws) {
  RateModel model;
  model.secrets = {"no", "yes"};
  model.query = RateQuery::kSum;
  model.values = std::move(values);
  model.laws = std::move(laws);
  check_rate(model, "m");
  return model;
}

TEST(Rate, KnowsWhereTheOddsAreMonotone) {
  EXPECT_TRUE(has_monotone_odds(with_laws({0, 1}, {{1, 2}, {2, 1}})));
  EXPECT_TRUE(has_monotone_odds(with_laws({0, 1, 5}, {{4, 2, 1}, {1, 2, 4}})));
  EXPECT_FALSE(has_monotone_odds(with_laws({0, 1, 5}, {{1, 2, 1}, {1, 1, 1}})));
  EXPECT_FALSE(has_monotone_odds(with_laws({0, 1, 2}, {{1, 0, 1}, {0, 1, 0}})));
}

TEST(Rate, IsOrderedWhereTheLawsAreLogConcaveBesides) {
  EXPECT_TRUE(is_ordered(with_laws({0, 1}, {{1, 2}, {2, 1}})));
  EXPECT_TRUE(is_ordered(with_laws({0, 1, 2}, {{4, 2, 1}, {1, 2, 4}})));
  EXPECT_TRUE(is_ordered(with_laws({0, 1, 2}, {{1, 0, 0}, {0, 1, 1}})));
  EXPECT_FALSE(is_ordered(with_laws({0, 1, 3}, {{4, 2, 1}, {1, 2, 4}})));  // a gap
  EXPECT_FALSE(is_ordered(with_laws({0, 1, 2}, {{4, 1, 1}, {1, 1, 4}})));  // not log-concave
}

}  // namespace
}  // namespace fugu
