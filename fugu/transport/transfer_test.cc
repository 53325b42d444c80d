#include "fugu/transport/transfer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

constexpr Bits kTransferBits = 192;

// Laws over the same values, and one ratio for each step.
TransferLine<Rational> random_line(size_t most) {
  const auto count = *rc::gen::inRange<size_t>(1, most + 1);
  TransferLine<Rational> line;
  auto law = [&] {
    std::vector<Rational> masses;
    Rational total(0);
    for (size_t k = 0; k < count; ++k) {
      masses.emplace_back(*rc::gen::weightedElement<int>({{1, 0}, {1, 1}, {2, 3}, {2, 7}, {1, 100}}));
      total += masses.back();
    }
    if (total == 0) masses[*rc::gen::inRange<size_t>(0, count)] = total = 1;
    for (Rational& mass : masses) mass /= total;
    return masses;
  };
  line.first = law();
  line.second = law();
  for (size_t k = 0; k + 1 < count; ++k) line.kept.emplace_back(*rc::gen::inRange(1, 65), 64);
  return line;
}

// The theorem's other side, by definition: the largest E_p g / E_q g over every pattern of slopes.
Rational best_pattern(const TransferLine<Rational>& line) {
  Rational best(0);
  const size_t steps = line.kept.size();
  for (unsigned pattern = 0; pattern < 1u << steps; ++pattern) {
    Rational g(1), above = line.first[0], below = line.second[0];
    for (size_t k = 0; k < steps; ++k) {
      g = (pattern >> k & 1) != 0 ? Rational(g * line.kept[k]) : Rational(g / line.kept[k]);
      above += line.first[k + 1] * g;
      below += line.second[k + 1] * g;
    }
    best = std::max(best, Rational(above / below));
  }
  return best;
}

RC_GTEST_PROP(TransferProperty, NewtonFindsTheSupremumOverEveryPatternOfSlopes, ()) {
  const TransferLine<Rational> line = random_line(7);
  const Rational lambda = least_transfer(line);
  RC_ASSERT(lambda == best_pattern(line));
  RC_ASSERT(transfer_excess(line, lambda) <= 0);
  RC_ASSERT(lambda == 1 || transfer_excess(line, Rational(lambda * Rational(999999, 1000000))) > 0);
}

// From above in intervals, from below by the slopes.
RC_GTEST_PROP(TransferProperty, IntervalsHoldTheExactNumber, ()) {
  const TransferLine<Rational> line = random_line(30);
  const Rational lambda = least_transfer(line);
  TransferLine<Interval> bounds;
  for (const auto& [from, to] :
       {std::pair{&line.first, &bounds.first}, std::pair{&line.second, &bounds.second},
        std::pair{&line.kept, &bounds.kept}}) {
    for (const Rational& one : *from) to->emplace_back(one, kTransferBits);
  }
  const Rational more = lambda * (1 + Rational(Integer(1), Integer(1) << 100));
  RC_ASSERT(transfer_excess(bounds, Interval(more, kTransferBits)).certainly_not_positive());
  if (lambda > 1) {
    const Rational less = lambda * (1 - Rational(Integer(1), Integer(1) << 100));
    RC_ASSERT(transfer_excess(bounds, Interval(less, kTransferBits)).certainly_positive());
    const Interval below = transfer_of(bounds, steepest_slopes(line, less));
    RC_ASSERT(!certainly_less(Interval(lambda, kTransferBits), below));
    RC_ASSERT(!certainly_less(below, Interval(less, kTransferBits)));
  }
}

TEST(Transfer, DisjointPointsCostTheirDistanceAndEqualLawsNothing) {
  const TransferLine<Rational> apart{{1, 0, 0}, {0, 0, 1}, {Rational(1, 2), Rational(1, 3)}};
  EXPECT_EQ(least_transfer(apart), 6);
  const TransferLine<Rational> equal{
      {Rational(1, 2), Rational(1, 2)}, {Rational(1, 2), Rational(1, 2)}, {Rational(1, 9)}};
  EXPECT_EQ(least_transfer(equal), 1);
}

// A whole question: the bound is the largest over its lines, to the last digits.
RC_GTEST_PROP(TransferProperty, TheBoundOfAQuestionIsThatOfItsWorstLine, ()) {
  const Scenario scenario = testing::random_scenario(12, 4);
  const Rational ratio(*rc::gen::inRange(1, 64), 64);
  Rational worst(1);
  for (const Prior& prior : scenario.priors) {
    const auto values = union_support(prior.by_secret);
    auto masses = [&](const Distribution& law) {
      std::vector<Rational> result(values.size());
      for (size_t k = 0; k < law.size(); ++k)
        result[static_cast<size_t>(std::find(values.begin(), values.end(), law.atoms()[k]) -
                                   values.begin())] = law.mass(k);
      return result;
    };
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
      TransferLine<Rational> line{masses(prior.by_secret[a]), masses(prior.by_secret[b]), {}};
      for (size_t k = 0; k + 1 < values.size(); ++k) {
        Rational kept(1);
        for (int64_t step = values[k]; step < values[k + 1]; ++step) kept *= ratio;
        line.kept.push_back(kept);
      }
      worst = std::max(worst, least_transfer(line));
      std::swap(line.first, line.second);
      worst = std::max(worst, least_transfer(line));
    }
  }
  const auto bound = LineTransfer(scenario).bound(Interval(ratio, kTransferBits), Rational(0));
  RC_ASSERT(bound.has_value());
  const Interval truth = log(Interval(worst, kTransferBits));
  RC_ASSERT(!certainly_less(*bound, truth));
  RC_ASSERT(bound->upper() <= truth.upper() + 1e-11 * (1 + truth.upper()));
}

}  // namespace
}  // namespace fugu
