#include "fugu/verify/quilt.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fugu/compose/compose_models.h"
#include "fugu/core/interval.h"
#include "fugu/verify/count_loss.h"
#include "fugu/verify/quilt_search.h"
#include "tests/support/enumerated_chain.h"
#include "tests/support/random_chain.h"

namespace fugu {
namespace {

using testing::brute_ratio;
using testing::enumerate;
using testing::power;
using testing::random_model;

using Matrix = std::vector<std::vector<Rational>>;

double log_down(const Rational& value) { return log(Interval(value, 128)).lower(); }

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix result(a.size(), std::vector<Rational>(a.size(), Rational(0)));
  for (size_t x = 0; x < a.size(); ++x)
    for (size_t w = 0; w < a.size(); ++w)
      for (size_t v = 0; v < a.size(); ++v) result[x][v] += a[x][w] * b[w][v];
  return result;
}

// The influence of a quilt as docs/math.md defines it, in rationals; infinite as HUGE_VAL.
double brute_influence(const std::vector<Rational>& law, const Matrix* before, const Matrix* after,
                       const std::vector<bool>& visited) {
  const size_t n = law.size();
  double worst = 0;
  for (size_t x = 0; x < n; ++x) {
    for (size_t y = 0; y < n; ++y) {
      if (x == y || law[x] == 0 || law[y] == 0) continue;
      Rational left(0), right(0);
      for (size_t u = 0; u < n; ++u) {
        if (before && visited[u] && (*before)[u][x] > 0) {
          if ((*before)[u][y] == 0) return HUGE_VAL;
          left = std::max(left, Rational((*before)[u][x] / (*before)[u][y]));
        }
        if (after && (*after)[x][u] > 0) {
          if ((*after)[y][u] == 0) return HUGE_VAL;
          right = std::max(right, Rational((*after)[x][u] / (*after)[y][u]));
        }
      }
      Rational ratio(1);
      if (before) ratio *= law[y] / law[x] * left;
      if (after) ratio *= right;
      worst = std::max(worst, log_down(ratio));
    }
  }
  return worst;
}

double brute_quilts(const ChainModel& model, double cost) {
  double worst = 0;
  for (const MarkovChain& chain : model.chains) {
    const size_t n = model.states.size(), length = model.length;
    std::vector<std::vector<Rational>> laws{start_law(chain)};
    std::vector<bool> visited(n, false);
    for (size_t t = 0; t < length + n; ++t) {
      std::vector<Rational> next(n, Rational(0));
      for (size_t x = 0; x < n; ++x) {
        if (laws[t][x] > 0) visited[x] = true;
        for (size_t y = 0; y < n; ++y) next[y] += laws[t][x] * chain.transition[x][y];
      }
      laws.push_back(next);
    }
    std::vector<Matrix> powers{{}, chain.transition};
    for (size_t a = 2; a <= length; ++a) powers.push_back(multiply(powers.back(), chain.transition));
    for (size_t time = 1; time <= length; ++time) {
      const auto& law = laws[time - 1];
      if (std::count_if(law.begin(), law.end(), [](const Rational& mass) { return mass > 0; }) < 2) continue;
      double best = HUGE_VAL;
      for (size_t a = 0; a < time; ++a) {
        for (size_t b = 0; b <= length - time; ++b) {
          const auto near = static_cast<double>((a ? a : time) + (b ? b : length - time + 1) - 1);
          best = std::min(best, near * cost + brute_influence(law, a ? &powers[a] : nullptr,
                                                              b ? &powers[b] : nullptr, visited));
        }
      }
      worst = std::max(worst, best);
    }
  }
  return worst;
}

RC_GTEST_PROP(Quilts, AreTheBestOfTheirDefinition, ()) {
  const ChainModel model = random_model(12);
  const double cost = *rc::gen::element(0.01, 0.1, 0.5, 2.0);
  const double found = quilt_loss(model, cost, {}), truth = brute_quilts(model, cost);
  RC_ASSERT(found >= truth * (1 - 1e-15));
  RC_ASSERT(found <= truth * (1 + 1e-11));
  RC_ASSERT(loss_by_one_quilt(model, cost, {}).loss >= found * (1 - 1e-11));
}

RC_GTEST_PROP(Quilts, NeverPromiseMoreThanEnumerationShows, ()) {
  ChainModel model = random_model(5);
  if (model.states.size() < 3 && *rc::gen::inRange(0, 2)) model.counted.reset();
  const Rational ratio(*rc::gen::inRange(1, 64), 64);
  const double truth = log_down(brute_ratio(model, ratio)),
               cost = cost_of_one_state(model, ratio, 128).upper();
  RC_ASSERT(quilt_loss(model, cost, {}) >= truth);
  RC_ASSERT(loss_by_one_quilt(model, cost, {}).loss >= truth);
  RC_ASSERT(static_cast<double>(model.length) * cost * (1 + 1e-15) >= truth);
}

RC_GTEST_PROP(ExactCount, IsWhatEnumerationShows, ()) {
  const ChainModel model = random_model(6);
  const Rational ratio(*rc::gen::inRange(1, 64), 64);
  const double truth = log_down(brute_ratio(model, ratio)), found = count_loss(model, ratio, {}, {}).loss;
  RC_ASSERT(found >= truth);
  RC_ASSERT(found <= truth + 1e-14);
}

// Where no noise suffices is a matter of supports.
RC_GTEST_PROP(ExactCount, WithoutNoiseComparesTheLawsThemselves, ()) {
  const ChainModel model = random_model(6);
  double truth = 0;
  for (const MarkovChain& chain : model.chains) {
    for (const auto& at : enumerate(model, chain)) {
      for (const auto& one : at) {
        for (const auto& other : at) {
          Rational sum(0), rest(0);
          for (const auto& [key, mass] : one) sum += mass;
          for (const auto& [key, mass] : other) rest += mass;
          if (sum == 0 || rest == 0) continue;
          for (const auto& [key, mass] : one) {
            const auto found = other.find(key);
            truth = std::max(truth,
                             found == other.end() ? HUGE_VAL : log_down(mass / sum * rest / found->second));
          }
        }
      }
    }
  }
  const double found = count_loss(model, Rational(0), {}, {}).loss;
  RC_ASSERT(found >= truth);
  RC_ASSERT(std::isinf(truth) || found <= truth + 1e-14);
}

// Counts of two states, one after the other, by enumeration of every sequence and every pair of outputs.
RC_GTEST_PROP(Quilts, ComposeToNoLessThanEnumerationShows, ()) {
  ChainModel both = random_model(4);
  both.counted.reset();
  const int length = static_cast<int>(both.length);
  std::vector<ModelPlan> plans;
  std::vector<Rational> ratios;
  for (size_t state : {0, 1}) {
    ChainModel one = both;
    one.counted = state;
    Noise noise = no_noise("laplace");
    noise.tail = {Integer(*rc::gen::inRange(1, 64)), 6};
    ratios.push_back(noise.tail.value());
    plans.push_back(
        {one, {Epsilon::parse("1", "epsilon", ErrorKind::kUsage), {}}, "quilt", noise, 0, {}, {}, {}});
  }
  Rational worst(1);
  for (const MarkovChain& chain : both.chains) {
    for (const auto& at : enumerate(both, chain)) {
      for (int y = 0; y <= length; ++y) {
        for (int z = 0; z <= length; ++z) {
          std::vector<Rational> masses;
          for (const auto& law : at) {
            Rational sum(0), whole(0);
            for (const auto& [key, mass] : law) {
              sum += mass * power(ratios[0], std::abs(key[0] - y)) * power(ratios[1], std::abs(key[1] - z));
              whole += mass;
            }
            if (whole > 0) masses.push_back(sum / whole);
          }
          const auto [low, high] = std::minmax_element(masses.begin(), masses.end());
          worst = std::max(worst, Rational(*high / *low));
        }
      }
    }
  }
  const Composition together = compose(plans);
  RC_ASSERT(together.bound == "transfer");
  RC_ASSERT(together.delta == 0);
  RC_ASSERT(static_cast<double>(together.epsilon) >= log_down(worst));
}

TEST(Quilts, OfDifferentChainsDoNotCompose) {
  ChainModel model{{"0", "1"},
                   {{"chain", {{Rational(1, 3), Rational(2, 3)}, {Rational(1, 2), Rational(1, 2)}}, {}}},
                   5,
                   0};
  Noise noise = no_noise("laplace");
  noise.tail = {Integer(3), 2};
  const Budget budget{Epsilon::parse("1", "epsilon", ErrorKind::kUsage), {}};
  const ModelPlan first{model, budget, "quilt", noise, 0, {}, {}, {}};
  ModelPlan longer = first, other = first, raw = first;
  std::get<ChainModel>(longer.model).length = 6;
  std::get<ChainModel>(other.model).chains[0].transition[0] = {Rational(1, 4), Rational(3, 4)};
  raw.noise = no_noise("laplace");
  EXPECT_EQ(compose(std::vector{first}).bound, "single");
  EXPECT_THROW(compose(std::vector{first, longer}), Error);
  EXPECT_THROW(compose(std::vector{first, other}), Error);
  EXPECT_THROW(compose(std::vector{first, raw}), Error);
}

MarkovChain chain_of(Matrix transition, std::optional<std::vector<Rational>> start) {
  return {"chain", std::move(transition), std::move(start)};
}

// Long after the start all times share one bound; it is that of the stationary chain, and of the definition.
TEST(Quilts, OfAChainThatSettlesAreThoseOfTheDefinition) {
  const Matrix matrix{{Rational(7, 10), Rational(3, 10)}, {Rational(2, 10), Rational(8, 10)}};
  const std::vector<Rational> first{Rational(1), Rational(0)};
  ChainModel model{{"0", "1"}, {chain_of(matrix, first)}, 50, 0};
  const double found = quilt_loss(model, 0.1, {}), truth = brute_quilts(model, 0.1);
  EXPECT_NEAR(found, truth, 1e-10);
  EXPECT_GE(found, truth * (1 - 1e-15));
  model.length = 1'000'000;
  ChainModel still{{"0", "1"}, {chain_of(matrix, std::nullopt)}, 1'000'000, 0};
  EXPECT_NEAR(quilt_loss(model, 0.1, {}), quilt_loss(still, 0.1, {}), 1e-10);
}

// A chain that returns to where it was every second step never forgets: only the whole sequence is a quilt.
TEST(Quilts, OfAPeriodicChainAreTheWholeSequence) {
  const Matrix matrix{{Rational(0), Rational(1)}, {Rational(1), Rational(0)}};
  ChainModel model{{"0", "1"}, {chain_of(matrix, std::nullopt)}, 1000, 0};
  EXPECT_NEAR(quilt_loss(model, 0.001, {}), 1, 1e-12);
  EXPECT_NEAR(loss_by_one_quilt(model, 0.001, {}).loss, 1, 1e-12);
}

// The loss of the whole sequence is its length times log 1/ratio, and what is stated is not below it by the
// last bit. At these ratios and lengths it would be, were the logarithm rounded down.
TEST(Quilts, AreRoundedUp) {
  const Matrix matrix{{Rational(0), Rational(1)}, {Rational(1), Rational(0)}};
  const Budget budget{Epsilon::parse("50", "epsilon", ErrorKind::kUsage), {}};
  for (auto [numerator, bits, length] : {std::tuple{165, 9, 7}, {177, 9, 7}, {177, 9, 15}, {77, 7, 15}}) {
    const ChainModel model{
        {"0", "1"}, {chain_of(matrix, std::nullopt)}, static_cast<uint64_t>(length), size_t{0}};
    Noise noise = no_noise("laplace");
    noise.tail = {Integer(numerator), static_cast<uint64_t>(bits)};
    const Interval truth =
        Interval(Integer(length), 400) * log(Interval(Rational(1 / noise.tail.value()), 400));
    auto bounds = [&](const Rational& stated, const Interval& loss) {
      return certainly_at_most(loss, Interval(stated, 400)) &&
             certainly_less(Interval(stated, 400), loss * Interval(Rational(1 + exact(0x1p-49)), 400));
    };
    for (const char* method : {"quilt", "quilt-approx", "group"})
      EXPECT_TRUE(bounds(exact(*prove_chain(model, budget, method, noise, nullptr, {}).witness.loss), truth))
          << method;
    const ModelPlan plan{model, budget, "quilt", noise, 0, {}, {}, {}};
    EXPECT_TRUE(bounds(compose({plan, plan}).epsilon, truth + truth));
  }
}

// A chain that forgets at once: one near state, no influence.
TEST(Quilts, OfIndependentStatesCostOneState) {
  const Matrix matrix{{Rational(1, 3), Rational(2, 3)}, {Rational(1, 3), Rational(2, 3)}};
  ChainModel model{{"0", "1"}, {chain_of(matrix, std::nullopt)}, 1000, 0};
  EXPECT_NEAR(quilt_loss(model, 1.0, {}), 1, 1e-12);
  EXPECT_NEAR(loss_by_one_quilt(model, 1.0, {}).loss, 1, 1e-12);
}

// Two states the first of which is certain: nothing is secret, so nothing is lost, even without noise.
TEST(Quilts, WhereNothingIsSecretNeedNoNoise) {
  const Matrix matrix{{Rational(1), Rational(0)}, {Rational(1), Rational(0)}};
  ChainModel model{{"0", "1"}, {chain_of(matrix, std::nullopt)}, 10, 0};
  EXPECT_EQ(quilt_loss(model, HUGE_VAL, {}), 0);
}

TEST(ProveChain, RefusesWhatItDoesNotProve) {
  const Matrix matrix{{Rational(1, 3), Rational(2, 3)}, {Rational(1, 3), Rational(2, 3)}};
  ChainModel model{{"0", "1"}, {chain_of(matrix, std::nullopt)}, 5, 0};
  const Epsilon epsilon = Epsilon::parse("1", "epsilon", ErrorKind::kUsage);
  const Delta delta = Delta::parse("0.1", "delta", ErrorKind::kUsage);
  Noise noise = no_noise("laplace");
  noise.tail = {Integer(3), 2};
  EXPECT_THROW(prove_chain(model, {epsilon, delta}, "quilt", noise, nullptr, {}), Error);
  EXPECT_THROW(prove_chain(model, {epsilon, {}}, "best", noise, nullptr, {}), Error);
  EXPECT_TRUE(prove_chain(model, {epsilon, {}}, "quilt", noise, nullptr, {}).holds);
  EXPECT_FALSE(prove_chain(model, {epsilon, {}}, "group", noise, nullptr, {}).holds);
  noise.tail = {Integer(1), 2};
  EXPECT_FALSE(prove_chain(model, {epsilon, {}}, "quilt", noise, nullptr, {}).holds);
  EXPECT_FALSE(prove_chain(model, {epsilon, {}}, "exact", noise, nullptr, {}).holds);
  noise.weights = {Integer(1), Integer(2), Integer(1)};
  EXPECT_THROW(prove_chain(model, {epsilon, {}}, "quilt", noise, nullptr, {}), Error);
}

}  // namespace
}  // namespace fugu
