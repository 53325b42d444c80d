#include "fugu/verify/chain_bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random_chain.h"

namespace fugu {
namespace {

using Matrix = std::vector<std::vector<Rational>>;

Matrix next_power(const Matrix& a, const Matrix& b) {
  Matrix result(a.size(), std::vector<Rational>(a.size(), Rational(0)));
  for (size_t x = 0; x < a.size(); ++x)
    for (size_t w = 0; w < a.size(); ++w)
      for (size_t v = 0; v < a.size(); ++v) result[x][v] += a[x][w] * b[w][v];
  return result;
}

// An upper bound, close, and infinite exactly where it must be.
void expect_bound(double bound, const std::optional<Rational>& truth) {
  if (!truth) {
    RC_ASSERT(std::isinf(bound));
    return;
  }
  RC_ASSERT(exact(bound) >= *truth);
  RC_ASSERT(exact(bound) <= *truth * Rational(1 + exact(1e-12)));
}

// The largest a over b; nothing where b is 0 and a is not.
void raise(std::optional<Rational>& most, const Rational& a, const Rational& b) {
  if (!most || a == 0) return;
  most = b == 0 ? std::nullopt : std::optional(std::max(*most, Rational(a / b)));
}

RC_GTEST_PROP(PowerRatios, AreThoseOfTheExactPowers, ()) {
  const ChainModel model = testing::random_model(1);
  MarkovChain chain = model.chains.front();
  const size_t n = model.states.size();
  chain.start = std::vector<Rational>(n, Rational(1, static_cast<long>(n)));  // every state is visited
  PowerRatios ratios(chain);
  Matrix power = chain.transition;
  for (uint64_t steps = 1; steps <= 12; ++steps, power = next_power(power, chain.transition)) {
    for (size_t x = 0; x < n; ++x) {
      for (size_t y = 0; y < n; ++y) {
        std::optional<Rational> before(0), after(0);
        for (size_t u = 0; u < n; ++u) {
          raise(before, power[u][x], power[u][y]);
          raise(after, power[x][u], power[y][u]);
        }
        expect_bound(ratios.before(steps)[x * n + y], before);
        expect_bound(ratios.after(steps)[x * n + y], after);
      }
    }
  }
}

// However many steps: never below what the exact powers say.
RC_GTEST_PROP(MixingBounds, AreNotBelowTheExactPowers, ()) {
  const ChainModel model = testing::random_model(1);
  MarkovChain chain = model.chains.front();
  const size_t n = model.states.size();
  chain.start = std::vector<Rational>(n, Rational(1, static_cast<long>(n)));
  const MixingBounds bounds(chain, 20);
  Matrix power = chain.transition;
  for (uint64_t steps = 1; steps <= 20; ++steps, power = next_power(power, chain.transition)) {
    std::optional<Rational> most(1);
    for (size_t x = 0; x < n; ++x)
      for (size_t y = 0; y < n; ++y)
        for (size_t v = 0; v < n; ++v) raise(most, power[x][v], power[y][v]);
    const double spread = bounds.spread(steps);
    if (!most) {
      RC_ASSERT(std::isinf(spread));
    } else if (!std::isinf(spread)) {
      RC_ASSERT(exact(spread) >= *most - 1);
    }
    if (most && std::has_single_bit(steps))
      RC_ASSERT(exact(spread) <= (*most - 1) * Rational(1 + exact(1e-10)) + exact(1e-13));
  }
}

// Two states, the second of which is left half of the time and reached with probability `rare`.
MarkovChain two_states(const Rational& rare) {
  return {"chain",
          {{Rational(1 - rare), rare}, {Rational(1, 2), Rational(1, 2)}},
          {{Rational(1, 2), Rational(1, 2)}}};
}

// Before they settle and after: never below the odds of the exact laws, and close.
TEST(StateLaws, BoundTheOddsOfEveryTime) {
  for (const Rational& rare : {Rational(1, 1000), Rational(1, 3)}) {
    const MarkovChain chain = two_states(rare);
    const StateLaws laws(chain, 2000);
    std::vector<std::vector<Rational>> truth{*chain.start};
    for (int time = 1; time < 200; ++time) {
      std::vector<Rational> next(2, Rational(0));
      for (size_t x = 0; x < 2; ++x)
        for (size_t y = 0; y < 2; ++y) next[y] += truth.back()[x] * chain.transition[x][y];
      truth.push_back(std::move(next));
    }
    auto check = [&](const AlikeTimes& times, uint64_t time) {
      ASSERT_EQ(times.secrets.size(), 2U);
      for (auto [x, y] : {std::pair<size_t, size_t>{0, 1}, {1, 0}}) {
        const Rational odds = truth[time - 1][y] / truth[time - 1][x];
        EXPECT_GE(exact(times.odds[x * 2 + y]), odds);
        EXPECT_LE(exact(times.odds[x * 2 + y]), odds * Rational(1 + exact(1e-11)));
      }
    };
    uint64_t next = 1;
    laws.each_unsettled([&](const AlikeTimes& times) {
      EXPECT_EQ(times.first, next);
      EXPECT_EQ(times.last, next++);
      check(times, times.first);
    });
    ASSERT_TRUE(laws.settled());
    EXPECT_EQ(next, laws.settled()->first);
    EXPECT_EQ(laws.settled()->last, 2000U);
    ASSERT_LT(next, 100U);
    for (uint64_t time = next; time < 200; ++time) check(*laws.settled(), time);
  }
}

TEST(StateLaws, VisitEveryTimeWhereNothingSettles) {
  uint64_t visits = 0;
  StateLaws(two_states(Rational(1, 1000)), 3).each_unsettled([&](const AlikeTimes& times) {
    EXPECT_EQ(times.first, ++visits);
  });
  EXPECT_EQ(visits, 3U);
}

}  // namespace
}  // namespace fugu
