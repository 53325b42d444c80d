#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "fugu/compose/exchange_loss.h"
#include "fugu/core/interval.h"
#include "fugu/verify/rounding.h"
#include "tests/support/exp_bounds.h"

namespace fugu {
namespace {

constexpr double kStep = 0x1p-4;
constexpr unsigned kExpBits = 90;
constexpr int64_t kBottom = -40, kTop = 40;

// Masses of a few outputs under two laws.
struct TwoLaws {
  std::vector<double> p, q;
};

TwoLaws random_laws() {
  TwoLaws laws;
  const auto outputs = *rc::gen::inRange<size_t>(1, 8);
  for (size_t y = 0; y < outputs; ++y) {
    laws.p.push_back(*rc::gen::inRange(0, 1000) / 997.0);
    laws.q.push_back(*rc::gen::inRange(0, 1000) / 983.0);
  }
  return laws;
}

std::vector<int64_t> places_of(const TwoLaws& laws) {
  std::vector<int64_t> places;
  for (size_t y = 0; y < laws.p.size(); ++y) {
    const double loss = laws.p[y] > 0 && laws.q[y] > 0 ? std::log(laws.p[y] / laws.q[y]) : 0;
    places.push_back(static_cast<int64_t>(std::floor(loss / kStep)));
  }
  return places;
}

LossLaw law_of(const TwoLaws& laws, const std::vector<int64_t>& places, Toward toward = Toward::kUp) {
  const LossGrid grid = loss_grid(kStep, 64);
  const Rounding rounding(toward);
  return loss_law(laws.p, laws.q, places, grid, kBottom, kTop);
}

// The hockey-stick, no more than the true one: e^epsilon is taken too large.
Rational least_hockey(const TwoLaws& laws, const Rational& epsilon) {
  const Rational growth = testing::exp_bounds(epsilon, kExpBits).high;
  Rational sum(0);
  for (size_t y = 0; y < laws.p.size(); ++y)
    sum += std::max(Rational(0), Rational(exact(laws.p[y]) - growth * exact(laws.q[y])));
  return sum;
}

// e^-(place steps), no more than it is.
const Rational& shrunk_to(int64_t place) {
  static std::map<int64_t, Rational> known;
  const auto [at, fresh] = known.try_emplace(place);
  if (fresh) at->second = testing::exp_bounds(Rational(exact(kStep) * -place), kExpBits).low;
  return at->second;
}

// That of a law on the grid, no less than the true one.
Rational most_hockey(const LossLaw& law, const Rational& epsilon) {
  const Rational growth = testing::exp_bounds(epsilon, kExpBits).low;
  Rational sum = exact(law.infinite);
  for (size_t k = 0; k < law.masses.size(); ++k) {
    if (law.masses[k] == 0) continue;
    const Rational kept = growth * shrunk_to(law.first + static_cast<int64_t>(k));
    sum += exact(law.masses[k]) * std::max(Rational(0), Rational(1 - kept));
  }
  return sum;
}

const std::vector<Rational> kEpsilons = {Rational(0),    Rational(1, 16), Rational(1, 10),
                                         Rational(1, 2), Rational(2),     Rational(3)};

RC_GTEST_PROP(LossLawProperty, NeverUnderstatesAHockeyStick, ()) {
  const TwoLaws laws = random_laws();
  const LossLaw law = law_of(laws, places_of(laws));
  for (const Rational& epsilon : kEpsilons) {
    const Rational least = least_hockey(laws, epsilon), most = most_hockey(law, epsilon);
    RC_ASSERT(least <= most);
    // Between two points of the grid the stick is a chord of the true one, which is convex in e^epsilon; what
    // is above the grid counts in full.
    if (epsilon <= exact(kStep) * kTop) RC_ASSERT(most <= least + Rational(1, 10));
  }
  // On the grid it is the true one.
  RC_ASSERT(most_hockey(law, Rational(1, 2)) <=
            least_hockey(laws, Rational(1, 2)) + Rational(1, 1'000'000'000));
}

// Where the losses are thought to be decides nothing.
RC_GTEST_PROP(LossLawProperty, WrongGuessesAreSafe, ()) {
  const TwoLaws laws = random_laws();
  std::vector<int64_t> places = places_of(laws);
  for (int64_t& place : places) place += *rc::gen::inRange<int64_t>(-60, 60);
  const LossLaw law = law_of(laws, places);
  for (const Rational& epsilon : kEpsilons)
    RC_ASSERT(least_hockey(laws, epsilon) <= most_hockey(law, epsilon));
}

RC_GTEST_PROP(LossLawProperty, SumsAndCutsNeverUnderstate, ()) {
  const TwoLaws a = random_laws(), b = random_laws();
  TwoLaws both;
  for (size_t y = 0; y < a.p.size(); ++y) {
    for (size_t z = 0; z < b.p.size(); ++z) {
      // These round to the nearest, so that a little is left for it below.
      both.p.push_back(a.p[y] * b.p[z] * (1 - 0x1p-50));
      both.q.push_back(a.q[y] * b.q[z] * (1 + 0x1p-50));
    }
  }
  const LossLaw left = law_of(a, places_of(a)), right = law_of(b, places_of(b));
  const LossGrid grid = loss_grid(kStep, 128);
  const double given_away = *rc::gen::element(0.0, 0.001, 0.3);
  const double growth = exp(Interval(Rational(1, 2), 128)).lower();
  double whole = 0, cut = 0;
  LossLaw sum, less;
  {
    const Rounding up(Toward::kUp);
    sum = together(left, right);
    less = trimmed(sum, given_away, given_away);
    whole = excess_of(sum, grid, growth);
    cut = excess_of(less, grid, growth);
  }
  for (const Rational& epsilon : kEpsilons) {
    RC_ASSERT(least_hockey(both, epsilon) <= most_hockey(sum, epsilon));
    RC_ASSERT(most_hockey(sum, epsilon) <= most_hockey(less, epsilon) + Rational(1, Integer(1) << 80));
  }
  RC_ASSERT(least_hockey(both, Rational(1, 2)) <= exact(whole));
  RC_ASSERT(whole <= cut);
  RC_ASSERT(less.masses.size() <= sum.masses.size());
}

// What the properties above must see: a loss written one step too low, and arithmetic that rounds down.
TEST(LossLaw, LossesRoundedDownAreSeen) {
  const TwoLaws laws{{0.7, 0.3}, {0.31, 0.69}};
  LossLaw law = law_of(laws, places_of(laws));
  const Rational epsilon(1, 2);
  EXPECT_LE(least_hockey(laws, epsilon), most_hockey(law, epsilon));
  --law.first;
  EXPECT_GT(least_hockey(laws, epsilon), most_hockey(law, epsilon));
}

TEST(LossLaw, ArithmeticRoundedDownIsSeen) {
  const LossLaw a{0, {1 / 3.0, 2 / 3.0}, 0.1}, b{1, {1 / 7.0, 1 / 11.0}, 0.3};
  const Rational middle = exact(a.masses[0]) * exact(b.masses[1]) + exact(a.masses[1]) * exact(b.masses[0]);
  auto of = [&](Toward toward) {
    const Rounding rounding(toward);
    return together(a, b);
  };
  const LossLaw up = of(Toward::kUp), down = of(Toward::kDown);
  EXPECT_EQ(up.first, 1);
  ASSERT_EQ(up.masses.size(), 3u);
  EXPECT_GE(exact(up.masses[1]), middle);
  EXPECT_LT(exact(down.masses[1]), middle);
  EXPECT_GT(up.infinite, down.infinite);
  const LossGrid grid = loss_grid(kStep, 8);
  auto excess = [&](Toward toward) {
    const Rounding rounding(toward);
    return excess_of(up, grid, 1);
  };
  EXPECT_LT(excess(Toward::kDown), excess(Toward::kUp));
  EXPECT_GE(exact(excess(Toward::kUp)), most_hockey(up, Rational(0)) - Rational(1, Integer(1) << 80));
  EXPECT_LT(exact(excess(Toward::kDown)), most_hockey(up, Rational(0)));
}

TEST(LossLaw, OutputsThatTheOtherRulesOutAreInfinite) {
  const LossLaw law = law_of({{0.25, 0.75}, {0, 1}}, {0, 0});
  EXPECT_EQ(law.infinite, 0.25);
  EXPECT_GE(std::accumulate(law.masses.begin(), law.masses.end(), 0.0), 0.75);
}

}  // namespace
}  // namespace fugu
