#include "fugu/law/part.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace fugu {
namespace {

Integer choose(uint64_t n, uint64_t k) {
  if (k > n) return 0;
  Integer result(1);
  for (uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

// That of `total` people drawn from `people`, `marked` of them marked, exactly `count` are.
Rational chance(uint64_t count, uint64_t total, uint64_t marked, uint64_t people) {
  if (count > total) return Rational(0);
  return Rational(choose(marked, count) * choose(people - marked, total - count), choose(people, total));
}

TEST(Part, TailsByDefinition) {
  for (uint64_t people : {9, 29, 60}) {
    for (uint64_t total = 1; total < people; total += 4) {
      for (uint64_t marked = 1; marked < people; marked += 3) {
        for (uint64_t count = marked * total / people + 1; count <= std::min(marked, total); ++count) {
          Rational truth(0);
          for (uint64_t j = count; j <= total; ++j) truth += chance(j, total, marked, people);
          const Interval tail = hypergeometric_upper_tail(count, total, marked, people, 128);
          EXPECT_LE(Interval(truth, 256).lower(), tail.upper());
          EXPECT_NEAR(tail.upper() / static_cast<double>(truth), 1, 1e-11);
        }
      }
    }
  }
}

// Every population of this size and every share in it: how often the box misses the share, added up exactly.
template <class Box>
Rational worst_miss(uint64_t total, uint64_t people, Box box_of) {
  Rational worst(0);
  std::map<uint64_t, MassBox> boxes;
  for (uint64_t count = 0; count <= total; ++count) boxes[count] = box_of(count);
  for (uint64_t marked = 0; marked <= people; ++marked) {
    const Rational share{Integer(marked), Integer(people)};
    Rational above(0), below(0);
    for (const auto& [count, box] : boxes) {
      if (share < exact(box.low)) above += chance(count, total, marked, people);
      if (share > exact(box.high)) below += chance(count, total, marked, people);
    }
    worst = std::max({worst, above, below});
  }
  return worst;
}

TEST(Part, BoxesMissNoMoreOftenThanTheyMay) {
  for (const Rational& tail : {Rational(1, 10), Rational(1, 40)}) {
    for (auto [total, people] : {std::pair<uint64_t, uint64_t>{3, 29}, {5, 6}, {10, 24}, {20, 50}}) {
      const auto sized = [&, n = total, m = people](uint64_t count) { return part_box(count, n, {m}, tail); };
      const auto any = [&, n = total](uint64_t count) { return part_box(count, n, {}, tail); };
      EXPECT_LE(worst_miss(total, people, sized), tail) << total << " of " << people;
      EXPECT_LE(worst_miss(total, people, any), tail) << total << " of " << people;
    }
  }
}

// The control: binomial ends miss in 3 of 29, which is more than a tenth.
TEST(Part, BinomialEndsMissMoreOften) {
  const Rational tail(1, 10);
  const auto binomial = [&](uint64_t count) { return clopper_pearson(count, 3, tail); };
  EXPECT_EQ(worst_miss(3, 29, binomial), Rational(3, 29));
}

// Of everybody the share is known; of many people the box is nearly the binomial one, and never far wider.
TEST(Part, BoxesNarrowAsTheDrawnAreMore) {
  const Rational tail(1, 1000);
  const MassBox all = part_box(7, 20, {20}, tail);
  EXPECT_DOUBLE_EQ(all.low, 0.35);
  EXPECT_DOUBLE_EQ(all.high, 0.35);
  const MassBox binomial = clopper_pearson(100, 1000, tail), half = part_box(100, 1000, {2000}, tail),
                few = part_box(100, 1000, {10000000}, tail), any = part_box(100, 1000, {}, tail);
  EXPECT_LT(binomial.low, half.low - 0.005);
  EXPECT_GT(binomial.high, half.high + 0.005);
  EXPECT_NEAR(few.low, binomial.low, 1e-5);
  EXPECT_NEAR(few.high, binomial.high, 1e-5);
  EXPECT_LT(any.low, binomial.low);
  EXPECT_GT(any.high, binomial.high);
  EXPECT_NEAR(any.high, binomial.high, 0.01);
}

}  // namespace
}  // namespace fugu
