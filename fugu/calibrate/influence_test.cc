#include "fugu/calibrate/influence.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

// Two states, the second of which is left half of the time and reached with probability `rare`.
TimeLaws laws_of(const Rational& rare, uint64_t length) {
  return TimeLaws({"chain",
                   {{Rational(1 - rare), rare}, {Rational(1, 2), Rational(1, 2)}},
                   {{Rational(1, 2), Rational(1, 2)}}},
                  length);
}

// Below 1e-280 a double is as good as none: a law that has such a mass is not taken as settled.
TEST(TimeLaws, DoNotSettleOnMassesThatDoublesDoNotHold) {
  EXPECT_TRUE(laws_of(Rational(1, 1000), 2000).settled());
  EXPECT_FALSE(laws_of(Rational(Integer(1), pow(Integer(10), 300)), 2000).settled());
}

TEST(TimeLaws, VisitTheTimesBeforeTheySettle) {
  const TimeLaws laws = laws_of(Rational(1, 1000), 2000);
  uint64_t next = 1;
  laws.each_unsettled([&](const TimesAlike& times) {
    EXPECT_EQ(times.first, next);
    EXPECT_EQ(times.last, next++);
  });
  EXPECT_EQ(next, laws.settled() ? laws.settled()->first : 0);
  EXPECT_EQ(laws.settled() ? laws.settled()->last : 0, 2000U);
  uint64_t visits = 0;  // nothing settles within three times: each is visited
  laws_of(Rational(1, 1000), 3).each_unsettled([&](const TimesAlike& times) {
    EXPECT_EQ(times.first, ++visits);
  });
  EXPECT_EQ(visits, 3U);
}

}  // namespace
}  // namespace fugu
