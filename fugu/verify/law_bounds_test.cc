#include "fugu/verify/law_bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <mutex>

#include "fugu/core/error.h"
#include "tests/support/random_crowd.h"

namespace fugu {
namespace {

using Exact = testing::ExactLaw;
using testing::exact_sum;

// What the bounds promise, and that they are close.
void expect_bounds(const LawBounds& law, const Exact& truth, double most_unseen) {
  Rational unseen(0), seen(0);
  for (const auto& [x, p] : truth) {
    const int64_t place = x - law.first;
    const bool inside = place >= 0 && place < static_cast<int64_t>(law.high.size());
    const Rational low = inside ? exact(law.low[static_cast<size_t>(place)]) : Rational(0),
                   high = inside ? exact(law.high[static_cast<size_t>(place)]) : Rational(0);
    RC_ASSERT(low <= p);
    if (p > high) unseen += p - high;
    RC_ASSERT(high <= low * Rational(1 + exact(1e-13)) + exact(1e-300));
    seen += high;
  }
  RC_ASSERT(unseen <= exact(law.unseen));
  RC_ASSERT(law.unseen <= most_unseen);
  RC_ASSERT(law.low.size() == law.high.size());
  Rational everything(0);  // nothing is possible but what is
  for (double mass : law.high) everything += exact(mass);
  RC_ASSERT(everything == seen);
}

CrowdUsers random_users() {
  static const std::vector<std::vector<int64_t>> kValues = {{0, 1},     {0, 1},   {-1, 2},   {0, 1, 5},
                                                            {3, -4, 0}, {0, 100}, {7, 7, 8}, {0, 40, -13}};
  CrowdUsers users;
  for (int64_t value : kValues[*rc::gen::inRange<size_t>(0, kValues.size())]) {
    users.values.push_back(value);
    users.masses.emplace_back(
        *rc::gen::weightedElement<int>({{1, 0}, {3, 1}, {3, 7}, {2, 100}, {1, 1000000}}),
        *rc::gen::element<int>(1, 3, 1000, 1 << 20));
  }
  users.masses[*rc::gen::inRange<size_t>(0, users.masses.size())] = Rational(1, 3);
  users.copies = *rc::gen::element<uint64_t>(1, 1, 1, 2, 13);
  return users;
}

RC_GTEST_PROP(LawBounds, OfEveryoneButOneHoldTheTruth, ()) {
  Crowd crowd;
  for (int kind = *rc::gen::inRange(1, 9); kind > 0; --kind) crowd.users.push_back(random_users());
  const Noise noise{"any", std::nullopt, {Integer(1), Integer(2), Integer(1)}, {}};
  const double negligible = *rc::gen::element(1e-300, 1e-6);
  std::map<size_t, LawBounds> found;
  std::mutex mutex;
  each_without_one(crowd, bounds_of_noise(noise, 1e-30), negligible, [&](size_t kind, const LawBounds& law) {
    const std::lock_guard lock(mutex);
    RC_ASSERT(found.emplace(kind, law).second);
  });
  RC_ASSERT(found.size() == crowd.users.size());
  for (const auto& [left_out, law] : found) {
    Exact truth{{-1, Rational(1, 4)}, {0, Rational(1, 2)}, {1, Rational(1, 4)}};
    for (size_t k = 0; k < crowd.users.size(); ++k)
      truth = exact_sum(truth, crowd.users[k], crowd.users[k].copies - (k == left_out ? 1 : 0));
    expect_bounds(law, truth, negligible * 1e5);
  }
}

// The noise itself: the tails' cells, and what lies beyond them.
RC_GTEST_PROP(LawBounds, OfNoiseHoldItsTails, ()) {
  const int64_t ratio = *rc::gen::inRange<int64_t>(0, 8);
  Noise noise{"any", std::nullopt, {Integer(3), Integer(5), Integer(1)}, {Integer(ratio), 3}};
  const double negligible = *rc::gen::element(0.1, 1e-3, 1e-9);
  const LawBounds law = bounds_of_noise(noise, negligible);
  const Rational total(total_weight(noise)), r(ratio, 8);
  Exact truth{{-1, Rational(3)}, {0, Rational(5)}, {1, Rational(1)}};
  Rational left(3), right(1);
  for (int64_t z = 2; z <= 500; ++z) {
    left *= r;
    right *= r;
    if (left > 0) truth[-z] = left;
    if (right > 0) truth[z] = right;
  }
  for (auto& [z, mass] : truth) mass /= total;
  expect_bounds(law, truth, 2.001 * negligible);
  RC_ASSERT(law.first >= -500);
}

// Squares of squares, against one user after the other.
TEST(LawBounds, OfManyWhoAreAlikeHoldThoseAddedOneByOne) {
  const CrowdUsers users{{Rational(3, 10), Rational(7, 10)}, {0, 1}, 3001};
  Crowd crowd;
  crowd.users = {users};
  LawBounds one_by_one;
  const LawBounds one = bounds_of_user(users);
  for (int k = 0; k < 3000; ++k) one_by_one = sum_of(one_by_one, one, 1e-200);
  each_without_one(crowd, {}, 1e-200, [&](size_t, const LawBounds& law) {
    for (int64_t k = 1600; k <= 2600; ++k) {
      const auto here = static_cast<size_t>(k - law.first), there = static_cast<size_t>(k - one_by_one.first);
      EXPECT_LE(law.low[here], one_by_one.high[there]);
      EXPECT_LE(one_by_one.low[there], law.high[here]);
      EXPECT_LE(law.high[here], law.low[here] * (1 + 1e-11));
    }
  });
}

TEST(LawBounds, RefuseWhatIsTooWide) {
  const CrowdUsers wide{{Rational(1), Rational(1)}, {0, int64_t{1} << 39}, 1};
  EXPECT_THROW(bounds_of_user(wide), Error);
  const CrowdUsers half{{Rational(1), Rational(1)}, {0, int64_t{1} << 25}, 1};
  const LawBounds law = bounds_of_user(half);
  EXPECT_THROW(sum_of(law, law, 1e-30), Error);
  const Noise noise{"any", std::nullopt, {Integer(1)}, {(Integer(1) << 40) - 1, 40}};
  EXPECT_THROW(bounds_of_noise(noise, 1e-30), Error);
}

}  // namespace
}  // namespace fugu
