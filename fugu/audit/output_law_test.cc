#include "fugu/audit/output_law.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace fugu {
namespace {

// P(Z = z) by the definition in mechanism/noise.h.
Rational mass(const Noise& noise, int64_t z) {
  const int64_t beyond = std::abs(z) - noise.reach();
  Rational weight;
  if (beyond <= 0) {
    weight = noise.weights[static_cast<size_t>(z + noise.reach())];
  } else {
    weight = z < 0 ? noise.weights.front() : noise.weights.back();
    for (int64_t k = 0; k < beyond; ++k) weight *= noise.tail.value();
  }
  return weight / total_weight(noise);
}

Noise random_noise() {
  Noise noise = no_noise("test");
  const auto reach = *rc::gen::inRange<size_t>(0, 4);
  noise.weights.clear();
  for (size_t k = 0; k < 2 * reach + 1; ++k) noise.weights.emplace_back(*rc::gen::inRange(0, 9));
  noise.weights.front() += 1;
  noise.weights.back() += 1;
  noise.weights[reach] += 1;
  noise.tail = {Integer(*rc::gen::inRange(0, 9)), 4};
  return noise;
}

constexpr int64_t kFar = 140;  // beyond it 2^-137 is left at most

bool near(const Chance& chance, const Rational& truth) {
  const Rational rest = exact(1e-40);
  return exact(chance.low) <= truth + rest && truth <= exact(chance.high) + rest &&
         chance.high - chance.low < 1e-12;
}

RC_GTEST_PROP(OutputLaw, CutsHaveTheirChance, ()) {
  ColumnRelease column{};
  const Noise noise = random_noise();
  column.mechanism = noise;
  const std::vector<double> levels = usual_levels(1000);
  const OutputLaw law(column, levels);
  const auto value = *rc::gen::inRange<int64_t>(-5, 6);
  for (size_t level = 0; level < levels.size(); ++level) {
    const auto cut = law.cut(value, level);
    if (!cut) continue;
    Rational sum = 0;
    for (int64_t z = -kFar; z <= cut->at - value; ++z) sum += mass(noise, z);
    RC_ASSERT(near(cut->chance, sum));
    RC_ASSERT(static_cast<double>(sum) >= levels[level] - 1e-9);
    RC_ASSERT(static_cast<double>(Rational(sum - mass(noise, cut->at - value))) < levels[level] + 1e-9);
  }
}

RC_GTEST_PROP(OutputLaw, ParityAndRepetitionHaveTheirChance, ()) {
  ColumnRelease column{};
  const Noise noise = random_noise();
  column.mechanism = noise;
  const OutputLaw law(column, {0.5});
  Rational even = 0, same = 0;
  for (int64_t z = -kFar; z <= kFar; ++z) {
    const Rational p = mass(noise, z);
    if (z % 2 == 0) even += p;
    same += p * p;
  }
  RC_ASSERT(near(*law.even(4), even));
  RC_ASSERT(near(*law.even(-3), Rational(1 - even)));
  RC_ASSERT(near(*law.same_noise_as(law), same));
  RC_ASSERT(near(*law.same_output(3), same));
}

RC_GTEST_PROP(OutputLaw, NoiseOfTwoColumnsMeetsWithItsChance, ()) {
  ColumnRelease a{}, b{};
  const Noise noise_a = random_noise(), noise_b = random_noise();
  a.mechanism = noise_a;
  b.mechanism = noise_b;
  Rational same = 0;
  for (int64_t z = -kFar; z <= kFar; ++z) same += mass(noise_a, z) * mass(noise_b, z);
  RC_ASSERT(near(*OutputLaw(a, {0.5}).same_noise_as(OutputLaw(b, {0.5})), same));
  b.map.clamps = true;
  b.map.high = 9;
  RC_ASSERT(!OutputLaw(a, {0.5}).same_noise_as(OutputLaw(b, {0.5})));
}

RC_GTEST_PROP(OutputLaw, OutputsWithinBoundsMeetWithTheirChance, ()) {
  ColumnRelease column{};
  const Noise noise = random_noise();
  column.mechanism = noise;
  column.map.clamps = true;
  column.map.range.first = *rc::gen::inRange<int64_t>(-3, 1);
  column.map.range.second = *rc::gen::inRange<int64_t>(0, 4);
  const auto value = *rc::gen::inRange<int64_t>(column.map.range.first, column.map.range.second + 1);
  std::map<int64_t, Rational> outputs;
  for (int64_t z = -kFar; z <= kFar; ++z)
    outputs[std::clamp(value + z, column.map.range.first, column.map.range.second)] += mass(noise, z);
  Rational same = 0;
  for (const auto& [output, p] : outputs) same += p * p;
  RC_ASSERT(near(*OutputLaw(column, {0.5}).same_output(value), same));
}

RC_GTEST_PROP(OutputLaw, PossibleIsWhatHasMass, ()) {
  ColumnRelease column{};
  Noise noise = random_noise();
  if (*rc::gen::inRange(0, 2) == 0) noise.tail = {};
  column.mechanism = noise;
  column.map.clamps = *rc::gen::arbitrary<bool>();
  column.map.range.first = -2;
  column.map.range.second = 3;
  const OutputLaw law(column, {0.5});
  const auto value = *rc::gen::inRange<int64_t>(-2, 4);
  std::map<int64_t, Rational> outputs;
  for (int64_t z = -kFar; z <= kFar; ++z)
    outputs[column.map.clamps ? std::clamp<int64_t>(value + z, -2, 3) : value + z] += mass(noise, z);
  for (int64_t output = -20; output <= 20; ++output)
    RC_ASSERT(law.is_possible(value, output) == (outputs.contains(output) && outputs[output] > 0));
}

RC_GTEST_PROP(OutputLaw, OutputsOfTwoValuesMeetWithTheirChance, (bool held)) {
  ColumnRelease column{};
  const Noise noise = random_noise();
  column.mechanism = noise;
  column.map.clamps = held;
  column.map.range = {-2, 3};
  const OutputLaw law(column, {0.5});
  const auto a = *rc::gen::inRange<int64_t>(-4, 6), b = *rc::gen::inRange<int64_t>(-4, 6);
  std::map<int64_t, Rational> of_a, of_b;
  for (int64_t z = -kFar; z <= kFar; ++z) {
    of_a[held ? std::clamp<int64_t>(a + z, -2, 3) : a + z] += mass(noise, z);
    of_b[held ? std::clamp<int64_t>(b + z, -2, 3) : b + z] += mass(noise, z);
  }
  Rational same = 0;
  for (const auto& [output, chance] : of_a) {
    if (of_b.contains(output)) same += chance * of_b[output];
  }
  RC_ASSERT(near(*law.same_output(a, b), same));
}

RC_GTEST_PROP(OutputLaw, ValuesAreKeptWithTheirChance, (bool held)) {
  ColumnRelease column{};
  const Noise noise = random_noise();
  column.mechanism = noise;
  column.map.clamps = held;
  column.map.range = {-2, 3};
  const OutputLaw law(column, {0.5});
  for (int64_t value = -4; value <= 5; ++value) {
    Rational same = 0;
    for (int64_t z = -kFar; z <= kFar; ++z) {
      const int64_t output = held ? std::clamp<int64_t>(value + z, -2, 3) : value + z;
      if (output == value) same += mass(noise, z);
    }
    const auto kept = law.kept(value);
    RC_ASSERT(kept.has_value() == (same > 0 && same < 1));
    if (kept) RC_ASSERT(near(*kept, same));
  }
}

TEST(OutputLaw, WhatTradesPlacesIsKeptWithItsChance) {
  ColumnRelease column{};
  column.mechanism = Swap{{{{}, {3, 5, 8}, {10, 4, 2}, {{0, 1, 1}, {0, 2, 4}, {2, 0, 2}}}}};
  const OutputLaw law(column, {0.5});
  EXPECT_EQ(law.kept(3)->low, 0.5);
  EXPECT_FALSE(law.kept(5)) << "it always stays";
  EXPECT_FALSE(law.kept(8)) << "it never stays";
  EXPECT_FALSE(law.kept(4)) << "4 is no value";
  EXPECT_EQ(law.same_output(3)->low, 0.42);
}

TEST(OutputLaw, AChannelWithinBoundsHoldsWhatLiesBeyond) {
  ColumnRelease column{};
  column.mechanism = Channel{
      {2, 3}, {1, 2, 4}, {{Integer(1), Integer(0), Integer(1)}, {Integer(0), Integer(1), Integer(0)}}};
  column.map.clamps = true;
  column.map.range.first = 2;
  column.map.range.second = 3;
  const OutputLaw law(column, {0.5});
  EXPECT_TRUE(law.is_possible(2, 2)) << "1 is held at 2";
  EXPECT_TRUE(law.is_possible(2, 3)) << "4 is held at 3";
  EXPECT_TRUE(law.is_possible(3, 2));
  EXPECT_FALSE(law.is_possible(3, 3));
  EXPECT_FALSE(law.is_possible(2, 1));
  EXPECT_EQ(law.same_output(2)->low, 0.5);
  EXPECT_EQ(law.same_output(3)->high, 1);
  EXPECT_EQ(law.kept(2)->low, 0.5);
  EXPECT_FALSE(law.kept(3));
}

TEST(OutputLaw, CutsOfAChannelAreItsRows) {
  ColumnRelease column{};
  column.mechanism = Channel{
      {1, 5}, {1, 2, 5}, {{Integer(1), Integer(0), Integer(3)}, {Integer(1), Integer(1), Integer(2)}}};
  const OutputLaw law(column, {0.25, 0.5});
  EXPECT_EQ(law.cut(1, 0)->at, 1);
  EXPECT_EQ(law.cut(1, 0)->chance.low, 0.25);
  EXPECT_FALSE(law.cut(1, 1)) << "everything is at most 5";
  EXPECT_EQ(law.cut(5, 1)->at, 2);
  EXPECT_EQ(law.cut(5, 1)->chance.high, 0.5);
  EXPECT_FALSE(law.is_possible(1, 2));
  EXPECT_TRUE(law.is_possible(5, 2));
  EXPECT_FALSE(law.cut(2, 0)) << "2 is no input";
  EXPECT_EQ(law.kept(1)->low, 0.25);
  EXPECT_EQ(law.kept(5)->high, 0.5);
  EXPECT_FALSE(law.kept(2));
  EXPECT_EQ(law.same_output(1)->high, 0.625);
  EXPECT_EQ(law.same_output(5)->low, 0.375);
  EXPECT_EQ(law.same_output(1, 5)->low, 0.4375);
  EXPECT_FALSE(law.same_output(1, 2));
  EXPECT_FALSE(law.same_output(2));
}

}  // namespace
}  // namespace fugu
