#include "fugu/rows/field_values.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

TEST(FieldValues, NumbersOutsideTheRangeOfThePlanAreUnknown) {
  const FieldValues values(Source{}, Lattice{}, {3, 8});
  for (const char* text : {"3", "5", "8"}) EXPECT_EQ(values.place(text).kind, Placed::kValue) << text;
  for (const char* text : {"-1", "2", "9", "1000", "x", "3.5"})
    EXPECT_EQ(values.place(text).kind, Placed::kUnknown) << text;
}

}  // namespace
}  // namespace fugu
