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
  const Noise noise = family_named("laplace")->at(Scale{scale}, lattice, 0);
  const Interval ideal = exp(Interval(Rational(-lattice.step / exact(scale)), 2000));
  RC_ASSERT(certainly_less(ideal, Interval(noise.tail.value(), 2000)));
  RC_ASSERT(noise.tail.value() < 1);
  // The scale that is drawn, -step / ln r, is within 2^-58 of the scale asked for.
  const Interval drawn =
      Interval(lattice.step, 2000) / (Interval(2000) - log(Interval(noise.tail.value(), 2000)));
  RC_ASSERT(
      certainly_less(drawn, Interval(Rational(exact(scale) * (1 + Rational(1, Integer(1) << 58))), 2000)));
}

TEST(Noise, MeanSquareIsThatOfTheSum) {
  Noise noise;
  noise.family = "test";
  noise.weights = {Integer(1), Integer(4), Integer(9), Integer(3), Integer(2)};
  noise.tail = {Integer(1), 1};
  // Tails 2 * (1/2)^k to the right and 1 * (1/2)^k to the left, summed far enough that nothing is left to
  // see.
  Rational total(0), square(0);
  for (size_t k = 0; k < 5; ++k) {
    const int z = static_cast<int>(k) - 2;
    total += noise.weights[k];
    square += noise.weights[k] * z * z;
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
  const Noise noise = family_named("laplace")->at(Scale{2}, Lattice{}, 0);
  const double r = std::exp(-0.5);
  EXPECT_NEAR(static_cast<double>(mean_square(noise)), 2 * r / ((1 - r) * (1 - r)), 1e-13);
  EXPECT_TRUE(family_named("laplace")->at(Scale{0}, Lattice{}, 0).is_none());
  EXPECT_EQ(mean_square(no_noise("laplace")), 0);
}

// What is drawn against what it is drawn for, for every family with a table: each weight over the middle one
// is N(z)/N(0), rounded up in its 64th bit; the tail continues the slope.
TEST(Noise, TablesFollowTheShape) {
  for (const char* name : {"gaussian", "power:0.5", "log:5"}) {
    const auto family = family_named(name);
    const Lattice lattice{Rational(1, 2), Rational(0)};
    const Scale scale{3.7};
    const int64_t reach = family->reach(scale, lattice, 5, Rational(0));
    const Noise noise = family->at(scale, lattice, reach);
    ASSERT_EQ(noise.reach(), reach);
    EXPECT_TRUE(noise.is_symmetric());
    const Integer& middle = noise.weights[static_cast<size_t>(reach)];
    for (int64_t z = 1; z <= reach; ++z) {
      const Interval ideal = exp(family->log_weight(Rational(z, 2), scale, 600));
      const Rational drawn(noise.weights[static_cast<size_t>(reach + z)], middle);
      EXPECT_TRUE(certainly_at_most(ideal, Interval(drawn, 600))) << name << " " << z;
      EXPECT_TRUE(certainly_less(Interval(drawn, 600) / ideal,
                                 Interval(Rational(1 + Rational(1, Integer(1) << 62)), 600)));
      EXPECT_NEAR(
          std::exp(family->log_weight(static_cast<double>(z) / 2, scale)) / static_cast<double>(drawn), 1,
          1e-12);
    }
    const Interval slope = exp(family->log_weight(Rational(reach + 1, 2), scale, 600) -
                               family->log_weight(Rational(reach, 2), scale, 600));
    EXPECT_TRUE(certainly_less(slope, Interval(noise.tail.value(), 600))) << name;
    EXPECT_NEAR(slope.upper() / static_cast<double>(noise.tail.value()), 1, 1e-15) << name;
  }
}

TEST(Noise, FamilyNames) {
  for (const char* name : {"laplace", "gaussian", "power:0.5", "log:3.5", "power:1/3"}) {
    EXPECT_EQ(family_named(name)->name(), name);
  }
  auto refusal = [](const char* name) {
    try {
      family_named(name);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.message() + " | " + error.hint();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("log:3"),
            "--noise: log:3 has no variance | ETA must be greater than 3, for example log:5");
  EXPECT_EQ(
      refusal("power:1"),
      "--noise: the power must be at least 0.05 and below 1, not 1 | write for example power:0.5; power 1 is "
      "--noise laplace");
  EXPECT_EQ(refusal("log:x"), "--noise: 'x' is not a number | write log:ETA with ETA > 3, for example log:5");
  EXPECT_EQ(refusal("cauchy"),
            "--noise: there is no noise 'cauchy' | use one of laplace, gaussian, power:P, log:ETA");
  EXPECT_EQ(refusal("power"),
            "--noise: there is no noise 'power' | use one of laplace, gaussian, power:P, log:ETA");
  EXPECT_EQ(refusal("laplace:2"),
            "--noise: there is no noise 'laplace:2' | use one of laplace, gaussian, power:P, log:ETA");
}

TEST(Noise, AbsurdTablesAreRefused) {
  EXPECT_THROW(family_named("gaussian")->reach(Scale{1e6}, Lattice{}, 1, Rational(0)), Error);
}

TEST(Noise, JsonReadsBackAndRefusesBrokenShapes) {
  const Noise table = family_named("gaussian")->at(Scale{0.7}, Lattice{}, 6);
  EXPECT_EQ(noise_from_json(parse_json(noise_to_json(table).pretty(), "n"), "n"), table);
  Noise skew = table;
  skew.weights[0] += 1;
  EXPECT_EQ(noise_from_json(parse_json(noise_to_json(skew).pretty(), "n"), "n"), skew);

  const Noise noise = family_named("laplace")->at(Scale{0.7}, Lattice{}, 0);
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
  refused("\"reach\":0", "\"reach\":1");
  refused("\"symmetric\":true", "\"symmetric\":1");
  refused("[\"1\"]", "[\"-1\"]");
  refused("[\"1\"]", "[\"0\"]");
  refused("[\"1\"]", "[\"1.5\"]");
  refused("\"numerator\":\"", "\"numerator\":\"999999999999999999999999999999999999999");
  refused("\"scale\":0.7", "\"scale\":-1");
}

}  // namespace
}  // namespace fugu
