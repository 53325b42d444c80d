#include "fugu/scenario/sampling.h"

#include <gtest/gtest.h>

#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

Scenario read_counts(const std::string& more) {
  return scenario_from_json(
      parse_json(
          R"({"epsilon": 0.5, "priors": [{"name": "p", "given": {"A": {"values": [1, 2], "mass": [5, 6]},
                     "B": {"values": [1, 2], "mass": [7, 8]}}}])" +
              more + "}",
          "s.json"),
      "s.json");
}

std::string counts_error(const std::string& more) {
  try {
    read_counts(more);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.message();
  }
  return "no error";
}

TEST(SamplingJson, ReadsBackEqual) {
  EXPECT_EQ(read_counts("").sampling.kind, Sampling::Kind::kIndependent);
  EXPECT_EQ(read_counts(R"(, "confidence": 0.9)").bounded_by, BoundKind::kBoxes);
  EXPECT_EQ(read_counts(R"(, "confidence": 0.9, "bounds": "both")").bounded_by, BoundKind::kBoth);
  const Scenario part = read_counts(R"(, "confidence": 0.9, "sampling": {"population": {"B": 30, "A": 20}})");
  EXPECT_EQ(part.sampling, (Sampling{Sampling::Kind::kPart, {20, 30}, 0}));
  for (const char* more : {R"(, "sampling": "census")", R"(, "confidence": 0.9, "bounds": "band")",
                           R"(, "confidence": 0.9, "bounds": "both", "sampling": {"population": 100})",
                           R"(, "confidence": 0.9, "sampling": {"population": {"A": 20, "B": 30}})"}) {
    const Scenario scenario = read_counts(more);
    EXPECT_EQ(scenario_from_json(scenario_to_json(scenario), "x"), scenario) << more;
  }
}

TEST(SamplingJson, Errors) {
  EXPECT_EQ(counts_error(R"(, "bounds": "all")"), "s.json.bounds: the word is unknown");
  EXPECT_EQ(counts_error(R"(, "sampling": "survey")"), "s.json.sampling: the word is unknown");
  EXPECT_EQ(counts_error(R"(, "sampling": {"people": 3})"),
            R"(s.json.sampling: the key "people" is unknown)");
  const std::string sure = R"(, "confidence": 0.9, "sampling": )";
  EXPECT_EQ(counts_error(sure + R"({"population": 0})"),
            "s.json.sampling.population: this must be a number of people");
  EXPECT_EQ(counts_error(sure + R"({"population": 10.5})"),
            "s.json.sampling.population: this must be a number of people");
  EXPECT_EQ(counts_error(sure + R"({"population": {"A": 20}})"),
            "s.json.sampling.population: these are not the secrets");
  EXPECT_NE(counts_error(sure + R"({"population": {"A": 20, "C": 20}})"), "no error");
  EXPECT_NE(counts_error(sure + R"("census")").find("whole population"), std::string::npos);
  EXPECT_NE(counts_error(R"(, "sampling": {"population": 100})").find("taken as the truth"),
            std::string::npos);
}

}  // namespace
}  // namespace fugu
