#include "fugu/verify/stated.h"

#include <gtest/gtest.h>

#include "fugu/mechanism/family.h"

namespace fugu {
namespace {

// A limit that no double is equal to is stated as the double above it, never as the one below.
TEST(Stated, BoundsAreNotBelowTheirLimit) {
  const Rational third(1, 3);
  EXPECT_GE(exact(at_most(1, third)), third);
  EXPECT_LE(at_most(1, third), 0.33333333333333337);
  EXPECT_EQ(at_most(0.25, third), 0.25);
  EXPECT_EQ(at_most(1, Rational(1, 10)), 0.1);  // written as the decimal it is
}

TEST(Stated, ScalesMakeTheirNoise) {
  const Lattice lattice;
  Noise noise = family_named("laplace")->at(Scale{4}, lattice, 0);
  EXPECT_TRUE(scale_makes_noise(noise, lattice));
  noise.tail.numerator -= 1;
  EXPECT_FALSE(scale_makes_noise(noise, lattice));
  Noise none = no_noise("laplace");
  none.scale = Scale{0};
  EXPECT_TRUE(scale_makes_noise(none, lattice));
  none.scale = Scale{1};
  EXPECT_FALSE(scale_makes_noise(none, lattice));
  EXPECT_TRUE(is_possible(Scale{0x1p199}, lattice));
  EXPECT_FALSE(is_possible(Scale{0x1p200}, lattice));
  EXPECT_FALSE(is_possible(Scale{0x1p-200}, lattice));
}

}  // namespace
}  // namespace fugu
