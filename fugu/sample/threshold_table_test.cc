#include "fugu/sample/threshold_table.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/error.h"
#include "fugu/sample/table_sampler.h"
#include "tests/support/every_word.h"
#include "tests/support/seeded_words.h"

namespace fugu {
namespace {

using testing::over_every_word;
using testing::SeededWords;
using testing::Tally;

// Thresholds known by bounds alone, as a noise's are.
class BoundedThresholds : public Thresholds {
 public:
  explicit BoundedThresholds(std::vector<Rational> values) : values_(std::move(values)) {}
  size_t count() const override { return values_.size(); }
  LeadingDigits leading(size_t k, uint64_t bits) const override {
    return leading_digits([&](Bits precision) { return Interval(values_[k], precision); }, bits, 4);
  }

 private:
  std::vector<Rational> values_;
};

std::vector<Rational> cumulative(const std::vector<Integer>& weights) {
  Integer total(0);
  for (const Integer& weight : weights) total += weight;
  std::vector<Rational> sums;
  sums.reserve(weights.size());
  Integer sum(0);
  for (const Integer& weight : weights) sums.emplace_back(sum += weight, total);
  return sums;
}

// The words of `bits` digits, all of whose continuations fall on outcome k: from the lower threshold, rounded
// up, to the upper, rounded down.
Rational decided_by(const std::vector<Rational>& sums, size_t k, uint64_t bits) {
  const Integer one = Integer(1) << bits;
  const Integer from = k == 0 ? Integer(0) : Integer(-floor(Rational(-sums[k - 1] * one)));
  const Integer to = floor(Rational(sums[k] * one));
  return Rational(std::max(Integer(to - from), Integer(0)), one);
}

void expect_exact(const Tally& tally, const std::vector<Rational>& sums, unsigned digits, size_t depth) {
  Rational all = tally.open;
  for (size_t k = 0; k < sums.size(); ++k) {
    const auto found = tally.decided.find(static_cast<int64_t>(k));
    const Rational decided = found == tally.decided.end() ? Rational(0) : found->second;
    // Prefixes of every length decide, so the longest tell all.
    EXPECT_EQ(decided, decided_by(sums, k, digits * depth)) << k;
    all += decided;
  }
  EXPECT_EQ(all, 1);
}

TEST(ThresholdTable, WeightsThatFillAWordAreCountedExactly) {
  for (unsigned digits : {8U, 10U, 12U}) {
    std::vector<Integer> weights{1, 0, 2, 5, 1, 0, 0, 60, 3, 100, 84};  // 256 in all
    weights[9] += (Integer(1) << digits) - 256;
    const TableSampler sampler(weights, digits);
    const Tally tally = over_every_word(digits, 1, [&](auto& words) { return sampler.draw(words); });
    EXPECT_EQ(tally.open, 0);
    for (size_t k = 0; k < weights.size(); ++k) {
      const auto found = tally.decided.find(static_cast<int64_t>(k));
      const Rational share = found == tally.decided.end() ? Rational(0) : found->second;
      EXPECT_EQ(share * (Integer(1) << digits), weights[k]) << digits << ' ' << k;
    }
  }
}

TEST(ThresholdTable, WeightsThatFillTwoWordsAreCountedExactly) {
  std::vector<Integer> weights{1, 300, 255, 0, 256, 700, 1, 1};
  weights.push_back((Integer(1) << 16) - 1514);
  const TableSampler sampler(weights, 8);
  const Tally tally = over_every_word(8, 2, [&](auto& words) { return sampler.draw(words); });
  EXPECT_EQ(tally.open, 0);
  for (const auto& [k, share] : tally.decided) EXPECT_EQ(share * 65536, weights[static_cast<size_t>(k)]) << k;
}

TEST(ThresholdTable, TiesAreResolvedNotRounded) {
  const std::vector<Integer> weights{1, 1, 1, 7, 0, 3, 1000, 1, 1, 1};  // 1016 = 8 * 127
  const TableSampler sampler(weights, 8);
  for (size_t depth : {size_t{1}, size_t{2}, size_t{3}}) {
    const Tally tally = over_every_word(8, depth, [&](auto& words) { return sampler.draw(words); });
    expect_exact(tally, cumulative(weights), 8, depth);
    EXPECT_GT(tally.open, 0);
  }
}

RC_GTEST_PROP(ThresholdTableProperty, EveryWordFallsWhereItShould, ()) {
  const auto digits = *rc::gen::inRange(3U, 9U);
  const auto guide = *rc::gen::inRange(1U, digits + 1);
  const size_t depth = digits > 6 ? 2 : 3;
  const auto raw = *rc::gen::nonEmpty(rc::gen::container<std::vector<uint16_t>>(
      rc::gen::weightedOneOf<uint16_t>({{1, rc::gen::just<uint16_t>(0)},
                                        {3, rc::gen::inRange<uint16_t>(0, 9)},
                                        {1, rc::gen::arbitrary<uint16_t>()}})));
  std::vector<Integer> weights(raw.begin(), raw.end());
  weights.back() += 1;
  const auto sums = cumulative(weights);
  const ThresholdTable by_weights(std::make_shared<RowThresholds>(weights), digits, guide);
  const ThresholdTable by_bounds(
      std::make_shared<BoundedThresholds>(std::vector<Rational>(sums.begin(), sums.end() - 1)), digits,
      guide);
  for (const ThresholdTable* table : {&by_weights, &by_bounds}) {
    const Tally tally = over_every_word(digits, depth, [&](auto& words) { return table->draw(words); });
    for (size_t k = 0; k < sums.size(); ++k) {
      const auto found = tally.decided.find(static_cast<int64_t>(k));
      RC_ASSERT((found == tally.decided.end() ? Rational(0) : found->second) ==
                decided_by(sums, k, digits * depth));
    }
  }
}

// Bounds that never coincide would not end: 1/4 and 1/2 are whole at once, 1/3 never.
TEST(ThresholdTable, WholeThresholdsEnd) {
  const BoundedThresholds thresholds({Rational(1, 4), Rational(1, 3), Rational(1, 2)});
  EXPECT_TRUE(thresholds.leading(0, 8).whole);
  EXPECT_EQ(thresholds.leading(0, 8).floor, 64);
  EXPECT_FALSE(thresholds.leading(1, 8).whole);
  EXPECT_EQ(thresholds.leading(1, 8).floor, 85);
  EXPECT_FALSE(thresholds.leading(0, 1).whole);
  EXPECT_EQ(thresholds.leading(0, 1).floor, 0);
  EXPECT_EQ(thresholds.leading(2, 1).floor, 1);
  EXPECT_EQ(thresholds.leading(1, 200).floor, floor(Rational(Rational(Integer(1) << 200) / 3)));
}

// A long draw is the draws of its words' halves.
TEST(ThresholdTable, ManyAtOnceAreTheSame) {
  const std::vector<Integer> weights{5, 1, 0, 800, 3, 3, 3, 9000, 1};
  const ThresholdTable table(std::make_shared<RowThresholds>(weights));
  SeededWords source(1), more(2);
  for (size_t size : {size_t{1}, size_t{2}, size_t{7}, size_t{1000}}) {
    std::vector<uint64_t> words((size + 1) / 2);
    source.fill(words);
    std::vector<uint32_t> out(size);
    table.draw(words, out, MoreWords(more));
    for (size_t k = 0; k < size; ++k) {
      const std::vector<uint64_t> half{k % 2 == 0 ? words[k / 2] >> 32 : words[k / 2] & 0xffffffff};
      testing::ScriptedWords one(half, 32);
      ASSERT_EQ(table.draw(one), out[k]);
    }
  }
}

TEST(TableSampler, OneOutcome) {
  SeededWords words(1);
  const std::vector<Integer> only{0, 0, 7, 0};
  const TableSampler sampler(only);
  std::vector<uint32_t> out(100, 99);
  sampler.draw(words, out);
  EXPECT_EQ(out, std::vector<uint32_t>(100, 2));
  const std::vector<Integer> first{7};
  EXPECT_EQ(TableSampler(first).draw(words), 0U);
}

TEST(TableSampler, RefusesWhatIsNoRow) {
  for (const std::vector<Integer>& weights :
       {std::vector<Integer>{}, {Integer(0)}, {Integer(2), Integer(-1), Integer(1)}}) {
    try {
      const TableSampler sampler(weights);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(error.message().find("a row of weights has"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace fugu
