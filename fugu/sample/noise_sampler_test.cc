#include "fugu/sample/noise_sampler.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "fugu/core/error.h"
#include "fugu/mechanism/family.h"
#include "fugu/sample/random.h"
#include "tests/support/every_word.h"
#include "tests/support/seeded_words.h"

namespace fugu {
namespace {

using testing::over_every_word;
using testing::SeededWords;
using testing::Tally;

Noise shape(std::vector<Integer> weights, Integer numerator, uint64_t bits) {
  Noise noise;
  noise.weights = std::move(weights);
  noise.tail = {std::move(numerator), bits};
  return noise;
}

Noise laplace(double steps) { return family_named("laplace")->at(Scale{steps}, Lattice{}, 0); }

Rational power(const Rational& base, int64_t exponent) {
  Rational result(1);
  for (int64_t k = 0; k < exponent; ++k) result *= base;
  return result;
}

// The definition in noise.h, word for word.
Rational probability(const Noise& noise, int64_t z) {
  const int64_t reach = noise.reach(), beyond = std::max(std::abs(z) - reach, int64_t{0});
  const Integer& weight = noise.weights[static_cast<size_t>(std::clamp(z, -reach, reach) + reach)];
  return Rational(weight) * power(noise.tail.value(), beyond) / total_weight(noise);
}

// Every number has its probability up to what is still open, which is at most `open`.
void expect_law(const Noise& noise, const Tally& tally, double open) {
  EXPECT_LE(tally.open.convert_to<double>(), open);
  Rational all(tally.open);
  for (const auto& [z, decided] : tally.decided) {
    const Rational exactly = probability(noise, z);
    EXPECT_LE(decided, exactly) << z;
    EXPECT_LE(exactly, decided + tally.open) << z;
    all += decided;
  }
  EXPECT_EQ(all, 1);
}

struct Case {
  Noise noise;
  NoiseLayout layout;
  double open;
};

TEST(NoiseSampler, EveryWordOfItsOwnLayout) {
  for (const Noise& noise : {laplace(0.2), laplace(1), shape({3, 1, 0, 9, 2, 5, 1}, 1, 2),
                             shape({7, 100, 1}, 5, 3), shape({1, 2, 3}, 0, 0)}) {
    const NoiseSampler sampler(noise, layout_of(noise), 8);
    expect_law(noise, over_every_word(8, 3, [&](auto& words) { return sampler.draw(words); }), 2e-4);
  }
}

// Blocks, digits inside them and fresh starts, all small enough to be tried out. What is drawn is nowhere
// above the law, so it differs from it by what is open at most. A fifth word leaves a quarter of that.
TEST(NoiseSamplerProperty, EveryWordOfOtherLayouts) {
  const bool is_long = std::getenv("FUGU_LONG") != nullptr;
  const Noise even = shape({1}, 1, 2), uneven = shape({2, 5, 1, 1, 1}, 3, 3);
  for (const Case& c : {
           Case{even, {true, 0, 0, 1, {}, 1}, 0.008},
           Case{even, {true, 0, 2, 1, {}, 3}, 0.0005},
           Case{even, {true, 0, 1, 2, {1}, 1}, 0.004},
           Case{even, {true, 0, 0, 4, {2}, 1}, 0.008},
           Case{even, {true, 0, 0, 8, {2, 1}, 1}, 0.09},
           Case{uneven, {true, 2, 1, 4, {1, 1}, 2}, 0.011},
           Case{uneven, {true, 2, 0, 8, {3}, 1}, 0.006},
       }) {
    const NoiseSampler sampler(c.noise, c.layout, 5);
    const Tally tally = over_every_word(5, is_long ? 5 : 4, [&](auto& words) { return sampler.draw(words); });
    expect_law(c.noise, tally, is_long ? c.open / 4 : c.open);
  }
}

// Thresholds that a byte holds: 4, 1 and 1 of 8 in the middle, tails 1/16, 1/32, … of either side.
TEST(NoiseSampler, DyadicShapesAreCountedExactly) {
  const Noise noise = shape({1, 4, 1}, 1, 1);
  const NoiseSampler sampler(noise, {true, 1, 3, 1, {}, 4}, 8);
  const Tally tally = over_every_word(8, 1, [&](auto& words) { return sampler.draw(words); });
  for (int64_t z = -4; z <= 4; ++z) EXPECT_EQ(tally.decided.at(z), probability(noise, z)) << z;
  EXPECT_EQ(tally.decided.size(), 9U);
  EXPECT_EQ(tally.open, Rational(2, 64));
}

TEST(NoiseSampler, NoNoiseTakesNoWords) {
  const NoiseSampler sampler(no_noise("laplace"));
  testing::ScriptedWords none({}, 32);
  std::vector<int64_t> out(1000, 7);
  sampler.draw(none, out);
  EXPECT_EQ(out, std::vector<int64_t>(1000, 0));
  EXPECT_EQ(sampler.draw(none), 0);
}

TEST(NoiseSampler, WithoutTailsItStaysInReach) {
  const Noise noise = shape({1, 0, 5}, 0, 0);
  const NoiseSampler sampler(noise);
  SeededWords words(3);
  std::vector<int64_t> out(100000);
  sampler.draw(words, out);
  EXPECT_EQ(std::count(out.begin(), out.end(), 0), 0);
  EXPECT_EQ(std::count(out.begin(), out.end(), -1) + std::count(out.begin(), out.end(), 1), 100000);
}

// A long draw splits its words among the tables; whatever its length, each place is drawn.
TEST(NoiseSampler, AnyLength) {
  SeededWords words(5);
  for (double steps : {1.0, 1e6}) {
    const NoiseSampler sampler(laplace(steps));
    for (size_t size :
         {size_t{0}, size_t{1}, size_t{2}, size_t{511}, size_t{512}, size_t{513}, size_t{5000}}) {
      constexpr int64_t kUnset = INT64_MIN;
      std::vector<int64_t> out(size, kUnset);
      sampler.draw(words, out);
      EXPECT_EQ(std::count(out.begin(), out.end(), kUnset), 0);
    }
  }
}

// Also where a draw is a fresh start beyond the last block, whichever place of a long draw it has. The share
// is 0.1, six standard deviations of 20,000 draws are 255: a false alarm has probability 2e-9.
TEST(NoiseSampler, EachPlaceOfALongDrawHasTheLaw) {
  const Noise noise = shape({1}, 1, 2);
  const NoiseSampler sampler(noise, {true, 0, 0, 1, {}, 1});
  const Rational far = 1 - probability(noise, 0) - 2 * probability(noise, 1);
  EXPECT_EQ(far, Rational(1, 10));
  SeededWords words(8);
  std::array<int, 3> beyond{};
  for (int k = 0; k < 20000; ++k) {
    std::array<int64_t, 3> out{};
    sampler.draw(words, out);
    for (size_t i = 0; i < out.size(); ++i) beyond[i] += std::llabs(out[i]) > 1;
  }
  for (int count : beyond) EXPECT_NEAR(count, 2000, 255);
}

// The digit's thresholds against exact rationals.
TEST(NoiseSampler, DigitsOfAGeometricNumber) {
  using Top = DigitThresholds::Top;
  const Dyadic ratio{Integer(29), 5};
  const Rational r = ratio.value();
  for (int64_t unit : {1, 4, 32}) {
    const DigitThresholds bounded(ratio, unit, 8, Top::kBounded), open(ratio, unit, 8, Top::kUnbounded);
    ASSERT_EQ(bounded.count(), 7U);
    ASSERT_EQ(open.count(), 8U);
    for (size_t k = 0; k < 8; ++k) {
      const Rational mass = 1 - power(r, static_cast<int64_t>(k + 1) * unit);
      const Integer scale = Integer(1) << 90;
      EXPECT_EQ(open.leading(k, 90).floor, floor(Rational(mass * scale)));
      if (k == 7) continue;
      EXPECT_EQ(bounded.leading(k, 90).floor, floor(Rational(mass / (1 - power(r, 8 * unit)) * scale)));
    }
  }
}

// For scales up to 2^40 and beyond, 200 000 draws: E|z| = theta, sd of the mean theta/447; six of them, false
// alarm 2e-9. The signs balance within six standard deviations too.
TEST(NoiseSampler, WideScales) {
  SecureRandom random;
  for (double steps : {0x1p20, 0x1p30, 0x1p40, 0x1p51}) {
    const Noise noise = laplace(steps);
    const NoiseSampler sampler(noise);
    std::vector<int64_t> out(200000);
    sampler.draw(random, std::span(out).first(100000));
    for (size_t k = 100000; k < out.size(); ++k) out[k] = sampler.draw(random);
    double sum = 0;
    int64_t positive = 0, odd = 0;
    for (int64_t z : out) {
      sum += std::fabs(static_cast<double>(z));
      positive += z > 0;
      odd += z & 1;
    }
    EXPECT_NEAR(sum / 200000 / steps, 1, 6.0 / 447);
    EXPECT_NEAR(static_cast<double>(positive), 100000, 6 * 224);
    EXPECT_NEAR(static_cast<double>(odd), 100000, 6 * 224);
  }
}

// One sampler, several threads, each with its own words: ties ask the shared thresholds for digits.
TEST(NoiseSampler, SharedByThreads) {
  const Noise noise = laplace(3);
  const NoiseSampler sampler(noise, layout_of(noise), 8);
  std::array<std::vector<int64_t>, 3> out;
  std::array<std::thread, 3> threads;
  for (size_t k = 0; k < 3; ++k) {
    out[k].resize(20000);
    threads[k] = std::thread([&, k] {
      SeededWords words(7);
      sampler.draw(words, out[k]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(out[0], out[2]);
}

TEST(NoiseSampler, TooWideIsRefused) {
  for (uint64_t bits : {60, 5000}) {
    try {
      const NoiseSampler sampler(shape({1}, (Integer(1) << bits) - 1, bits));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(error.message(), "the tail of this noise is wider than 2^52 steps");
    }
  }
}

TEST(NoiseSampler, NarrowScalesHaveLongRatios) {
  SeededWords words(1);
  const NoiseSampler sampler(laplace(1e-4));  // ratio e^-10000
  std::vector<int64_t> out(10000);
  sampler.draw(words, out);
  EXPECT_EQ(std::count(out.begin(), out.end(), 0), 10000);
}

}  // namespace
}  // namespace fugu
