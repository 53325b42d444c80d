#include "fugu/proof/boxed_kernel.h"
#include "fugu/scenario/domain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "fugu/mechanism/family.h"
#include "fugu/proof/hockey.h"
#include "fugu/verify/verify.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;

// The most or least of sum kernel p over the box within the laws, by its corners: all places but one at a
// bound.
Rational by_corners(const std::vector<Rational>& kernel, const std::vector<MassBox>& boxes, bool most) {
  std::optional<Rational> best;
  const size_t n = kernel.size();
  for (size_t free = 0; free < n; ++free) {
    for (size_t bits = 0; bits < size_t{1} << n; ++bits) {
      if ((bits >> free & 1) != 0) continue;
      Rational rest(1), sum(0);
      for (size_t x = 0; x < n; ++x) {
        if (x == free) continue;
        const Rational mass = exact((bits >> x & 1) != 0 ? boxes[x].high : boxes[x].low);
        rest -= mass;
        sum += mass * kernel[x];
      }
      if (rest < exact(boxes[free].low) || rest > exact(boxes[free].high)) continue;
      sum += rest * kernel[free];
      if (!best || (most ? sum > *best : sum < *best)) best = sum;
    }
  }
  return *best;
}

Scenario counted() {
  Scenario scenario = testing::random_scenario(5, 3);
  scenario.confidence = Rational(*rc::gen::element<int64_t>(50, 90, 99), 100);
  return scenario;
}

Rational share(const Noise& noise, int64_t z) {
  const int64_t far = std::max<int64_t>(0, std::llabs(z) - noise.reach());
  const int64_t near = std::clamp(z, -noise.reach(), noise.reach());
  Rational weight(noise.weights[static_cast<size_t>(near + noise.reach())]);
  for (int64_t k = 0; k < far; ++k) weight *= noise.tail.value();
  return weight / total_weight(noise);
}

// The worst loss over the boxes is what the corners say, at every output and beyond.
RC_GTEST_PROP(BoxedProperty, TheWorstLossIsThatOfTheCorners, ()) {
  const Scenario scenario = counted();
  const BoxedLaws boxed = boxes_of(scenario);
  RC_PRE(boxed.domain.size() <= 7 && boxed.domain.back() - boxed.domain.front() < 30);
  Noise noise = family_named("laplace")->at(Scale{1.5 * static_cast<double>(scenario.lattice.step)},
                                            scenario.lattice, 0);
  if (*rc::gen::inRange(0, 2) == 0) noise.weights = {2, 5, 7, 5, 2};
  Rational worst(1);
  for (const auto& prior : boxed.boxes) {
    for (int64_t y = boxed.domain.front() - 4; y <= boxed.domain.back() + 4; ++y) {
      std::vector<Rational> kernel;
      for (int64_t x : boxed.domain) kernel.push_back(share(noise, y - x));
      std::vector<Rational> most, least;
      for (const auto& boxes : prior) {
        most.push_back(by_corners(kernel, boxes, true));
        least.push_back(by_corners(kernel, boxes, false));
      }
      for (auto [a, b] : scenario.pairs.list(scenario.secrets.size()))
        worst = std::max({worst, Rational(most[a] / least[b]), Rational(most[b] / least[a])});
    }
  }
  Scenario generous = scenario;
  generous.epsilon = epsilon_of("90");
  const Proof proof = prove(generous, noise);
  RC_ASSERT(proof.holds);
  const double truth = std::log(static_cast<double>(worst));
  RC_ASSERT(*proof.witness.loss >= truth - 1e-14);
  RC_ASSERT(*proof.witness.loss <= truth + 1e-9);
}

// What is proved for the boxes holds for the table itself, and for every table law within them.
RC_GTEST_PROP(BoxedProperty, TheHockeyStickIsAtLeastThatOfTheTable, ()) {
  Scenario scenario = counted();
  scenario.delta = Delta::parse("0.999", "test", ErrorKind::kBug);
  const Noise noise =
      family_named("laplace")->at(Scale{2 * static_cast<double>(scenario.lattice.step)}, scenario.lattice, 0);
  const MechanismBounds bounds = bounds_of(noise, 128);
  Scenario table = scenario;
  table.confidence.reset();
  const BoxedLaws boxes = boxes_of(scenario);
  const double robust = bound_hockey(scenario, &boxes, bounds, nullptr, 128).peak.upper;
  RC_ASSERT(robust >= bound_hockey(table, nullptr, bounds, nullptr, 128).peak.lower);
}

// A hockey-stick adds up over all outputs: none is left out between values, nor at either end.
TEST(Boxed, WithADeltaEveryOutputIsLookedAt) {
  Noise noise = no_noise("test");
  noise.weights = {1, 2, 3, 2, 1};
  noise.tail = {Integer(1), 1};
  const BoxedKernel kernel({3, 4, 11}, bounds_of(noise, 128), true);
  EXPECT_EQ(std::vector<int64_t>(kernel.outputs().begin(), kernel.outputs().end()),
            (std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
}

// The verifier asks the plan's own source what can occur, and takes no table's word for it.
TEST(Boxed, RefusesADomainThatWasNotDeclaredAndGroupsThatWereMerged) {
  Scenario scenario{epsilon_of("1")};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({1, 2}, {50, 50}), Distribution::from_counts({1, 2}, {60, 40})}});
  scenario.confidence = Rational(9, 10);
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  const Noise noise = family_named("laplace")->at(Scale{8}, scenario.lattice, 0);
  auto message = [&] {
    try {
      return prove(scenario, noise).holds ? std::string("proved") : std::string("not proved");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
      return error.message();
    }
  };
  EXPECT_EQ(message(), "--confidence: the table alone does not say which numbers can occur");
  scenario.source->columns[0].clip = {Rational(1), Rational(2)};
  EXPECT_EQ(message(), "--confidence: the table alone does not say which numbers can occur");
  scenario.source->columns[0].step = Rational(1);
  EXPECT_EQ(message(), "proved");
  scenario.source->merged = {"g = 1", "g = 2"};
  EXPECT_EQ(message(), "--confidence: no bounds hold for groups that were merged for being small");
  scenario.source->merged.clear();
  scenario.source->columns[0].clip->second = Rational(40);  // what may lie so far out tells more
  EXPECT_EQ(message(), "not proved");
}

TEST(Boxed, ChannelsNeedARowForEveryCategory) {
  Scenario scenario{epsilon_of("1")};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"p", {Distribution::from_counts({1, 2}, {50, 50}), Distribution::from_counts({1, 2}, {60, 40})}});
  scenario.source.emplace();
  scenario.source->columns[0].labels = {"u", "v", "w"};
  const Channel two{{1, 2}, {1}, {{1}, {1}}}, three{{1, 2, 3}, {1}, {{1}, {1}, {1}}};
  EXPECT_TRUE(prove(scenario, two).holds);
  scenario.confidence = Rational(95, 100);
  EXPECT_THROW(prove(scenario, two), Error);
  EXPECT_TRUE(prove(scenario, three).holds);
}

}  // namespace
}  // namespace fugu
