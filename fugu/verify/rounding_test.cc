#include "fugu/verify/rounding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cfenv>

#include "fugu/core/number.h"
#include "fugu/verify/count_rounded.h"
#include "fugu/verify/power_rounded.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu {
namespace {

double random_mass() { return 1.0 / static_cast<double>(*rc::gen::inRange(1, 1000)); }

TEST(Rounding, LastsAsLongAsTheObject) {
  const int before = std::fegetround();
  {
    const Rounding up(Toward::kUp);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    {
      const Rounding down(Toward::kDown);
      EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
    }
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  }
  EXPECT_EQ(std::fegetround(), before);
}

TEST(Rounding, OfWhatIsTooSmallIsNeverZeroAbove) {
  const Rounding up(Toward::kUp);
  EXPECT_GT(rounded_product(0x1p-1000, 0x1p-1000), 0);
  EXPECT_GT(rounded_product(Doubles{0x1p-1000}, Doubles{0x1p-1000}, 1)[0], 0);
  EXPECT_EQ(rounded_product(0, 0x1p-1000), 0);
}

template <class Bound>
void expect_between(Bound bound, const Rational& truth) {
  double low = 0, high = 0;
  {
    const Rounding down(Toward::kDown);
    low = bound();
  }
  {
    const Rounding up(Toward::kUp);
    high = bound();
  }
  RC_ASSERT(exact(low) <= truth);
  RC_ASSERT(truth <= exact(high));
  RC_ASSERT(high - low <= 1e-12 * high);
}

// Blocks of every size, held against exact sums cell by cell.
RC_GTEST_PROP(Rounding, BoundsEveryCellOfASum, ()) {
  const auto size = *rc::gen::element<size_t>(1, 2, 63, 64, 65, 150);
  std::vector<double> cells, masses;
  std::vector<size_t> offsets;
  for (size_t k = 0; k < size; ++k) cells.push_back(*rc::gen::inRange(0, 4) ? random_mass() : 0);
  for (int k = *rc::gen::element(1, 2, 9, 40); k > 0; --k) {
    offsets.push_back(offsets.empty() ? 0 : offsets.back() + *rc::gen::inRange<size_t>(1, 9));
    masses.push_back(random_mass());
  }
  for (size_t y = 0; y < size + offsets.back(); ++y) {
    Rational truth(0);
    for (size_t j = 0; j < offsets.size(); ++j)
      if (y >= offsets[j] && y - offsets[j] < size) truth += exact(masses[j]) * exact(cells[y - offsets[j]]);
    expect_between([&] { return convolved(cells, offsets, masses)[y]; }, truth);
  }
}

RC_GTEST_PROP(Rounding, BoundsTheExcessOfOneLawOverAnother, ()) {
  std::vector<double> first, second;
  const int most = *rc::gen::element(20, 150);  // so that several are summed at a time
  for (int k = *rc::gen::inRange(1, most); k > 0; --k) first.push_back(random_mass());
  for (int k = *rc::gen::inRange(1, most); k > 0; --k) second.push_back(random_mass());
  const int64_t shift = *rc::gen::inRange<int64_t>(-25, 25);
  const double growth = 1 + random_mass();
  Rational truth(0);
  for (size_t k = 0; k < first.size(); ++k) {
    const int64_t other = static_cast<int64_t>(k) + shift;
    const bool inside = other >= 0 && other < static_cast<int64_t>(second.size());
    const Rational rest =
        exact(first[k]) - (inside ? exact(growth) * exact(second[static_cast<size_t>(other)]) : Rational(0));
    if (rest > 0) truth += rest;
  }
  double low = 0, high = 0;
  {
    const Rounding down(Toward::kDown);
    low = excess(first, second, shift, -growth);
  }
  {
    const Rounding up(Toward::kUp);
    high = excess(first, second, shift, -growth);
  }
  RC_ASSERT(exact(low) <= truth);
  RC_ASSERT(truth <= exact(high));
  RC_ASSERT(high - low <= 1e-13);
}

}  // namespace
}  // namespace fugu
