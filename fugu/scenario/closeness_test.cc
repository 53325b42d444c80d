// The smaller budget that closeness takes, and how scenarios hold it (docs/math.md, section 9).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/interval.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Budget budget(const std::string& epsilon, const std::string& delta) {
  return {testing::epsilon_of(epsilon), Delta::parse(delta, "test", ErrorKind::kData)};
}

TEST(Closeness, TakesTwiceItselfFromEpsilonAndAFactorFromDelta) {
  const Budget left = tightened(budget("0.5", "1e-6"), Rational(1, 10), "test", ErrorKind::kUsage);
  EXPECT_EQ(left.epsilon.value(), Rational(3, 10));
  EXPECT_EQ(left.delta.text(), "0.000000904837418035959");
  EXPECT_TRUE(tightened(budget("0.5", "0"), Rational(1, 10), "test", ErrorKind::kUsage).delta.is_zero());
}

TEST(Closeness, HalfOfEpsilonLeavesNothing) {
  try {
    tightened(budget("0.5", "0"), Rational(1, 4), "--closeness", ErrorKind::kUsage);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.message(),
              "--closeness: 0.25 leaves nothing of epsilon 0.5: twice the closeness is taken from it");
    EXPECT_TRUE(error.hint().starts_with("give a closeness below 0.25, a larger epsilon, or "));
  }
}

// delta e^-lambda is rounded down, and by little; 1/3 leaves an exact fraction of epsilon.
RC_GTEST_PROP(Closeness, DeltaIsRoundedDown, ()) {
  const Rational lambda(*rc::gen::inRange(1, 3000), *rc::gen::element(1000, 3000, 7777));
  const std::string delta = *rc::gen::element<std::string>("1e-50", "1e-12", "1e-6", "0.013", "1/3", "0.999");
  const Budget stated = budget("10", delta);
  const Budget left = tightened(stated, lambda, "test", ErrorKind::kUsage);
  RC_ASSERT(left.epsilon.value() + 2 * lambda == stated.epsilon.value());
  const Interval bound = Interval(stated.delta.value(), 512) * exp(Interval(Rational(-lambda), 512));
  RC_ASSERT(certainly_at_most(Interval(left.delta.value(), 512), bound));
  RC_ASSERT(certainly_at_most(bound, Interval(Rational(left.delta.value() * (1 + exact(1e-13))), 512)));
}

RC_GTEST_PROP(Closeness, ScenariosWithItReadBackEqual, ()) {
  Scenario scenario = testing::random_scenario(5, 3);
  const Rational lambda(scenario.epsilon.value() / *rc::gen::inRange(3, 9));
  scenario.promise({scenario.epsilon, Delta::parse("1e-5", "test", ErrorKind::kData)}, lambda);
  Source& source = scenario.source.emplace();
  source.given = {"g", "h"};
  source.min_group = 7;
  source.merged = {"g = 1 & h = 2"};
  source.left_out = {"g = 2 & h = 2"};
  const Json json = scenario_to_json(scenario);
  RC_ASSERT(scenario_from_json(parse_json(json.pretty(), "x"), "x") == scenario);
  // The file states what is promised, not what is proved for it.
  RC_ASSERT(parse_number(json.find("delta")->if_number()->literal) == Rational(1, 100000));
}

}  // namespace
}  // namespace fugu
