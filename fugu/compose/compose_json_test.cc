#include <gtest/gtest.h>

#include "fugu/compose/compose.h"
#include "fugu/core/json_read.h"

namespace fugu {
namespace {

// What is stated of several releases is written exactly: as a double where it is one, never as the nearest.
TEST(ComposeJson, NumbersAreExact) {
  EXPECT_EQ(bound_number(Rational(1, 2)).pretty(), Json::number(0.5).pretty());
  EXPECT_EQ(bound_number(Rational(1, 3)).pretty(), number_to_json(Rational(1, 3)).pretty());
  EXPECT_NE(bound_number(Rational(1, 3)).pretty(), Json::number(1.0 / 3).pretty());
  const std::string text = composition_to_json({Rational(3, 10), Rational(1, 4), "joint"}).pretty();
  EXPECT_NE(text.find("0.25"), std::string::npos) << text;
  EXPECT_NE(text.find("joint"), std::string::npos) << text;
}

}  // namespace
}  // namespace fugu
