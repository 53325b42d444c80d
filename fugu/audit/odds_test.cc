#include "fugu/audit/odds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/sample/table_sampler.h"
#include "tests/support/seeded_words.h"

namespace fugu {
namespace {

Budget budget(const char* epsilon, const char* delta = "0") {
  return {Epsilon::parse(epsilon, "test", ErrorKind::kData), Delta::parse(delta, "test", ErrorKind::kData)};
}

// `zeros` zeros, `ones` ones, the rest twos.
Outputs outputs(size_t zeros, size_t ones, size_t twos) {
  std::vector<int64_t> values(zeros, 0);
  values.insert(values.end(), ones, 1);
  values.insert(values.end(), twos, 2);
  return {values};
}

TEST(Odds, TheLoudestEventIsFound) {
  const Outputs first = outputs(400, 200, 400), second = outputs(450, 50, 500);
  EXPECT_EQ(loudest_event(first, second, budget("0.5"), {1000, 1000}).list, std::vector<int64_t>{1});
  const OutputEvent event =
      loudest_event(outputs(800, 100, 100), outputs(200, 400, 400), budget("0.5"), {1000, 1000});
  EXPECT_TRUE(event.holds(outputs(1, 0, 0), 0));
  EXPECT_FALSE(event.holds(outputs(0, 1, 0), 0));
}

// Clopper-Pearson of 400 and 100 in 1000 at 1e-3, by bisection of the binomial tail: 0.352431, 0.132536.
TEST(Odds, TheBoundIsThatOfItsTwoChances) {
  const OutputEvent zero{{}, {0}};
  const SeenBound seen =
      bound_seen(zero, outputs(400, 600, 0), outputs(100, 900, 0), budget("0.5"), Rational(1, 1000));
  EXPECT_NEAR(seen.epsilon, std::log(0.352431 / 0.132536), 1e-5);
  EXPECT_NEAR(seen.delta, 0.352431 - std::exp(0.5) * 0.132536, 1e-5);
  EXPECT_LT(
      bound_seen(zero, outputs(400, 600, 0), outputs(100, 900, 0), budget("0.5", "0.1"), Rational(1, 1000))
          .epsilon,
      seen.epsilon);
}

TEST(Odds, WithoutEvidenceTheBoundIsNothing) {
  const OutputEvent zero{{}, {0}};
  const SeenBound seen =
      bound_seen(zero, outputs(0, 100, 0), outputs(0, 100, 0), budget("0.5"), Rational(1, 1000));
  EXPECT_EQ(seen.epsilon, 0);
  EXPECT_EQ(seen.delta, 0);
}

// Rows with chances of their own: the Clopper-Pearson end of one row would be above the mean by a hair.
TEST(Odds, ASingleRowSaysNothing) {
  const OutputEvent zero{{}, {0}};
  EXPECT_EQ(bound_seen(zero, outputs(1, 999, 0), outputs(0, 1000, 0), budget("0.5"), Rational(1, 10)).epsilon,
            0);
  EXPECT_EQ(bound_seen(zero, outputs(1, 0, 0), outputs(0, 1000, 0), budget("0.5"), Rational(1, 10)).epsilon,
            0);
}

// 400 outputs, of which the upper half is e^-0.5 as likely under the second secret. The outputs that chance
// put on top of the choice must not be taken for the loudest: on other draws they say nothing.
TEST(Odds, TheChoiceIsNotMisledByRareOutputs) {
  std::vector<Integer> even(400, Integer(1000)), low(400, Integer(1000));
  std::fill(low.begin() + 200, low.end(), Integer(607));
  testing::SeededWords words(7);
  auto draws = [&](const std::vector<Integer>& weights) {
    std::vector<uint32_t> drawn(20'000);
    TableSampler(weights).draw(words, drawn);
    return Outputs{std::vector<int64_t>(drawn.begin(), drawn.end())};
  };
  const OutputEvent event = loudest_event(draws(even), draws(low), budget("0.5"), {20'000, 20'000});
  EXPECT_GT(bound_seen(event, draws(even), draws(low), budget("0.5"), Rational(1, 10'000)).epsilon, 0.1);
}

TEST(Odds, CornersOfTwoColumnsTellWhatNeitherTells) {
  // Each column by itself is a fair coin under both secrets; together they are equal, or not.
  Outputs same(2), other(2);
  for (int row = 0; row < 1000; ++row) {
    same[0].push_back(row % 2);
    same[1].push_back(row % 2);
    other[0].push_back(row % 2);
    other[1].push_back(1 - row % 2);
  }
  const OutputEvent event = loudest_event(same, other, budget("0.5"), {1000, 1000});
  EXPECT_GT(bound_seen(event, same, other, budget("0.5"), Rational(1, 1000)).epsilon, 3);
}

// Missing rows are rows that did not happen of the first secret, and that did of the second.
TEST(Odds, MissingRowsSpeakForTheRelease) {
  const OutputEvent zero{{}, {0}};
  const SeenBound missing = bound_seen(zero, outputs(400, 100, 0), outputs(50, 400, 0), budget("0.5", "0.1"),
                                       Rational(1, 1000), {30, 20}),
                  filled = bound_seen(zero, outputs(400, 130, 0), outputs(70, 400, 0), budget("0.5", "0.1"),
                                      Rational(1, 1000));
  EXPECT_EQ(missing.epsilon, filled.epsilon);
  EXPECT_EQ(missing.delta, filled.delta);
  EXPECT_GT(filled.epsilon, 1);
}

}  // namespace
}  // namespace fugu
