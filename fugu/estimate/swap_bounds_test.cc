// Counts of rows that traded places: the bounds against every true count, and against exact chances to miss.
#include "fugu/estimate/swap_bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

namespace fugu {
namespace {

// Of a sum of independent rows, each 1 with its probability: the chance of every count.
std::vector<double> law_of_count(const std::vector<double>& rows) {
  std::vector<double> law{1};
  for (double p : rows) {
    law.push_back(0);
    for (size_t k = law.size(); k-- > 1;) law[k] = law[k] * (1 - p) + law[k - 1] * p;
    law[0] *= 1 - p;
  }
  return law;
}

// The rows of a cell that some leave and as many enter, in expectation.
struct Moves {
  std::vector<double> leave, enter;

  double moved() const {
    double sum = 0;
    for (double q : leave) sum += q;
    for (double r : enter) sum += r;
    return sum;
  }
  double variance() const {
    double sum = 0;
    for (double q : leave) sum += q * (1 - q);
    for (double r : enter) sum += r * (1 - r);
    return sum;
  }
  std::vector<double> law() const {
    std::vector<double> rows = enter;
    for (double q : leave) rows.push_back(1 - q);
    return law_of_count(rows);
  }
};

Moves drawn_moves(size_t most) {
  auto shares = [](size_t size) {
    std::vector<double> result(size);
    const bool few = *rc::gen::arbitrary<bool>();
    for (double& share : result)
      share = few && *rc::gen::inRange(0, 4) > 0 ? 0 : *rc::gen::inRange(0, 1001) / 1000.0;
    return result;
  };
  Moves moves{shares(*rc::gen::inRange<size_t>(1, most)), shares(*rc::gen::inRange<size_t>(1, most))};
  double out = 0, in = 0;
  for (double q : moves.leave) out += q;
  for (double r : moves.enter) in += r;
  for (double& q : moves.leave) q *= out > in ? in / out : 1;
  for (double& r : moves.enter) r *= in > out ? out / in : 1;
  return moves;
}

// How often each end misses, exactly, if the bounds are told so many moves.
std::pair<double, double> misses(const Moves& moves, double told, double miss) {
  const std::vector<double> law = moves.law();
  double low = 0, high = 0;
  for (size_t count = 0; count < law.size(); ++count) {
    const CountBounds bounds = bounds_of_count(count, law.size() - 1, told, miss);
    low += bounds.low > moves.leave.size() ? law[count] : 0;
    high += bounds.high < moves.leave.size() ? law[count] : 0;
  }
  return {low, high};
}

RC_GTEST_PROP(SwapBounds, VarianceIsNeverMoreThanStated, ()) {
  const Moves moves = drawn_moves(20);
  const auto truth = static_cast<double>(moves.leave.size());
  const double most =
      variance_of_count(truth, truth + static_cast<double>(moves.enter.size()), moves.moved() * (1 + 1e-12));
  RC_ASSERT(moves.variance() <= most * (1 + 1e-9) + 1e-12);
}

RC_GTEST_PROP(SwapBounds, NoEndMissesMoreOftenThanItMay, ()) {
  const Moves moves = drawn_moves(40);
  const double miss = *rc::gen::element(0.4, 0.1, 0.025, 0.0005);
  const auto [low, high] = misses(moves, moves.moved() * (1 + 1e-12), miss);
  RC_ASSERT(low <= miss + 1e-12);
  RC_ASSERT(high <= miss + 1e-12);
}

// No true count beyond an end is possible by the same inequality, each held against it by itself.
RC_GTEST_PROP(SwapBounds, EveryCountOutsideIsRefutedAndNoneInside, ()) {
  const auto among = *rc::gen::inRange<uint64_t>(1, 400);
  const auto count = *rc::gen::inRange<uint64_t>(0, among + 1);
  const double moved = *rc::gen::inRange(0, 2000) / 4.0 * *rc::gen::element(0.01, 0.2, 1.0);
  const double miss = *rc::gen::element(0.4, 0.1, 0.025, 0.0005, 1e-9);
  const CountBounds bounds = bounds_of_count(count, among, moved, miss);
  RC_ASSERT(bounds.low <= count && count <= bounds.high && bounds.high <= among);
  double spread = 0;
  for (uint64_t truth = 0; truth <= among; ++truth) {
    const double variance = variance_of_count(static_cast<double>(truth), static_cast<double>(among), moved);
    const double off = std::abs(static_cast<double>(truth) - static_cast<double>(count));
    const double chance = off == 0        ? 1
                          : variance == 0 ? 0
                                          : std::exp(off - (variance + off) * std::log1p(off / variance));
    const bool inside = bounds.low <= truth && truth <= bounds.high;
    if (std::abs(chance / miss - 1) > 1e-5) RC_ASSERT(inside == (chance >= miss));
    if (inside) spread = std::max(spread, std::sqrt(variance));
  }
  RC_ASSERT(bounds.standard_error >= spread);
  RC_ASSERT(bounds.standard_error <= std::sqrt(static_cast<double>(among)) / 2 * (1 + 1e-6));
}

TEST(SwapBounds, ACellThatNoRowLeavesIsExact) {
  const CountBounds bounds = bounds_of_count(70, 200, 0, 0.025);
  EXPECT_EQ(bounds.low, 70u);
  EXPECT_EQ(bounds.high, 70u);
  EXPECT_EQ(bounds.standard_error, 0);
}

TEST(SwapBounds, ARowInACellSaysThatThereWasOne) {
  EXPECT_EQ(bounds_of_count(1, 1000, 900, 1e-12).low, 1u)
      << "into an empty cell no row comes, since none leaves";
  EXPECT_EQ(bounds_of_count(999, 1000, 900, 1e-12).high, 999u);
}

TEST(SwapBounds, ManyRowsKeepTheirDigits) {
  const CountBounds bounds = bounds_of_count(3'000'000'000'000, 9'000'000'000'000, 1e11, 0.025);
  const double spread = std::sqrt(1e11 * (1 - 0.25e11 / 2e12));
  EXPECT_NEAR(bounds.standard_error, spread, 1e-3 * spread);
  EXPECT_NEAR(static_cast<double>(bounds.high - 3'000'000'000'000), std::sqrt(2 * std::log(40)) * spread,
              1e-3 * spread);
}

// Negative control: bounds that are told half of the moves miss too often, and those that are told all do
// not.
TEST(SwapBounds, HalfOfTheMovesIsCaught) {
  const Moves moves{std::vector<double>(800, 0.05), std::vector<double>(800, 0.05)};
  const double miss = 0.0005;
  const auto [low, high] = misses(moves, moves.moved(), miss);
  EXPECT_LE(low, miss);
  EXPECT_LE(high, miss);
  const auto [low_of_half, high_of_half] = misses(moves, moves.moved() / 2, miss);
  EXPECT_GT(low_of_half, 2 * miss);
  EXPECT_GT(high_of_half, 2 * miss);
}

}  // namespace
}  // namespace fugu
