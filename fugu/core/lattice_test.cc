#include "fugu/core/lattice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/error.h"

namespace fugu {
namespace {

Lattice of(const std::vector<Rational>& values) { return coarsest_lattice(values); }

TEST(Lattice, Coarsest) {
  EXPECT_EQ(of({Rational(1), Rational(2), Rational(14)}), (Lattice{Rational(1), Rational(0)}));
  EXPECT_EQ(of({Rational(1), Rational(3), Rational(5)}), (Lattice{Rational(2), Rational(1)}));
  EXPECT_EQ(of({Rational(-7), Rational(3)}), (Lattice{Rational(10), Rational(3)}));
  EXPECT_EQ(of({Rational(1, 10), Rational(2, 10), Rational(35, 100)}),
            (Lattice{Rational(1, 20), Rational(0)}));
  EXPECT_EQ(of({Rational(1, 3), Rational(1, 2)}), (Lattice{Rational(1, 6), Rational(0)}));
  EXPECT_EQ(of({Rational(5)}), (Lattice{Rational(1), Rational(0)}));
  EXPECT_EQ(of({Rational(1, 4), Rational(1, 4)}), (Lattice{Rational(1, 4), Rational(0)}));
}

RC_GTEST_PROP(LatticeProperty, HoldsEveryValue, (const std::vector<int32_t>& tops, uint8_t bottom)) {
  std::vector<Rational> values{Rational(1)};
  for (int32_t top : tops) values.emplace_back(top, Integer(bottom) + 1);
  Lattice lattice = coarsest_lattice(values);
  for (const Rational& value : values) {
    auto index = lattice.index(value);
    RC_ASSERT(index.has_value());
    RC_ASSERT(lattice.value(*index) == value);
  }
  RC_ASSERT(lattice.origin >= 0);
  RC_ASSERT(lattice.origin < lattice.step);
}

TEST(Lattice, NearestSnapsHalvesUpward) {
  Lattice lattice{Rational(1, 2), Rational(0)};
  EXPECT_EQ(lattice.nearest(Rational(3, 4)), 2);
  EXPECT_EQ(lattice.nearest(Rational(-3, 4)), -1);
  EXPECT_EQ(lattice.index(Rational(3, 4)), std::nullopt);
  EXPECT_EQ(lattice.nearest(Rational(Integer(1) << 80)), std::nullopt);
}

TEST(Lattice, AbsurdlyFineIsRefusedWithoutNamingAValue) {
  try {
    of({Rational(0), Rational(100), *parse_decimal("0.30000000000000004")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_EQ(error.message().find("0.30000000000000004"), std::string::npos) << error.message();
    EXPECT_NE(error.hint().find("--step"), std::string::npos);
  }
}

}  // namespace
}  // namespace fugu
