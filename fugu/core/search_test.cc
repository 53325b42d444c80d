#include "fugu/core/search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace fugu {
namespace {

RC_GTEST_PROP(SearchProperty, FindsTheVeryDouble, ()) {
  const double edge = std::exp(*rc::gen::inRange(-3000, 3000) / 100.0);
  const double guess = edge * std::exp(*rc::gen::inRange(-200, 200) / 100.0);
  const double known = edge * (1 + *rc::gen::inRange(0, 100) / 10.0);
  int asked = 0;
  auto accept = [&](double x) {
    ++asked;
    return x >= edge;
  };
  RC_ASSERT(smallest_accepted(accept, guess, known) == edge);
  RC_ASSERT(asked < 130);
}

TEST(Search, CoarseGridsRoundUp) {
  auto accept = [](double x) { return x >= 1.2345678901234; };
  const double found = smallest_accepted(accept, 1.2, 5, 20);
  EXPECT_GE(found, 1.2345678901234);
  EXPECT_LT(found, 1.2345678901234 * (1 + 0x1p-19));
}

TEST(Search, KnownIsTheFallback) {
  EXPECT_EQ(smallest_accepted([](double) { return false; }, 1, 3), 3);
  EXPECT_EQ(smallest_accepted([](double x) { return x >= 3; }, 7, 3), 3);
}

}  // namespace
}  // namespace fugu
