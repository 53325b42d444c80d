#include "fugu/mechanism/noise.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/mechanism/family.h"

namespace fugu {
namespace {

RC_GTEST_PROP(LaplaceProperty, RatioIsRoundedUpAndClose, ()) {
  // Scales from a hundredth of a step to 2^40 steps.
  const double scale = std::exp(*rc::gen::inRange(-460, 2772) / 100.0);
  const Lattice lattice{Rational(1, *rc::gen::element(1, 3, 100)), Rational(0)};
  const Noise noise = family_named("laplace")->at(Scale{scale}, lattice);
  const Interval ideal = exp(Interval(Rational(-lattice.step / exact(scale)), 2000));
  RC_ASSERT(certainly_less(ideal, Interval(noise.tail.value(), 2000)));
  RC_ASSERT(noise.tail.value() < 1);
  // The scale that is drawn, -step / ln r, is within 2^-58 of the scale asked for.
  const Interval drawn = Interval(lattice.step, 2000) / (Interval(2000) - log(Interval(noise.tail.value(), 2000)));
  RC_ASSERT(certainly_less(drawn, Interval(Rational(exact(scale) * (1 + Rational(1, Integer(1) << 58))), 2000)));
}

TEST(Noise, MeanSquareIsThatOfTheSum) {
  Noise noise;
  noise.family = "test";
  noise.weights = {Integer(1), Integer(4), Integer(9), Integer(3), Integer(2)};
  noise.tail = {Integer(1), 1};
  // Tails 2 * (1/2)^k to the right and 1 * (1/2)^k to the left, summed far enough that nothing is left to see.
  Rational total(0), square(0);
  for (int z = -2; z <= 2; ++z) {
    total += noise.weights[static_cast<size_t>(z + 2)];
    square += noise.weights[static_cast<size_t>(z + 2)] * z * z;
  }
  for (int k = 1; k < 200; ++k) {
    Rational weight = Rational(3, Integer(1) << k);
    total += weight;
    square += weight * (2 + k) * (2 + k);
  }
  EXPECT_LT(abs(Rational(total - total_weight(noise))), Rational(1, Integer(1) << 150));
  EXPECT_LT(abs(Rational(square / total - mean_square(noise))), Rational(1, Integer(1) << 150));
}

TEST(Noise, LaplaceMeanSquare) {
  const Noise noise = family_named("laplace")->at(Scale{2}, Lattice{});
  const double r = std::exp(-0.5);
  EXPECT_NEAR(static_cast<double>(mean_square(noise)), 2 * r / ((1 - r) * (1 - r)), 1e-13);
  EXPECT_TRUE(family_named("laplace")->at(Scale{0}, Lattice{}).is_none());
  EXPECT_EQ(mean_square(no_noise("laplace")), 0);
}

TEST(Noise, JsonReadsBackAndRefusesBrokenShapes) {
  const Noise noise = family_named("laplace")->at(Scale{0.7}, Lattice{});
  const std::string text = noise_to_json(noise).canonical();
  EXPECT_EQ(noise_from_json(parse_json(text, "n"), "n"), noise);
  auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    EXPECT_THROW(noise_from_json(parse_json(changed, "n"), "n"), Error) << changed;
  };
  refused("[\"1\"]", "[]");
  refused("[\"1\"]", "[\"1\",\"1\"]");
  refused("[\"1\"]", "[\"-1\"]");
  refused("[\"1\"]", "[\"0\"]");
  refused("[\"1\"]", "[\"1.5\"]");
  refused("\"numerator\":\"", "\"numerator\":\"999999999999999999999999999999999999999");
  refused("\"scale\":0.7", "\"scale\":-1");
}

}  // namespace
}  // namespace fugu
