// What is proved of a table's rate (docs/math.md, section 12). The losses themselves are held against brute
// force in tests/cli/rate_test.py.
#include "fugu/verify/rate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/error.h"
#include "fugu/mechanism/family.h"
#include "fugu/verify/rate_laws.h"
#include "fugu/verify/rate_sticks.h"
#include "tests/support/random_crowd.h"

namespace fugu {
namespace {

using testing::budget_of;

RateModel sums(std::vector<int64_t> values, std::vector<std::vector<Rational>> laws, uint64_t rows,
               uint64_t within) {
  RateModel model;
  model.secrets = {"no", "yes"};
  model.query = RateQuery::kSum;
  model.rows = rows;
  model.within = within;
  model.values = std::move(values);
  model.laws = std::move(laws);
  check_rate(model, "m");
  return model;
}

RateModel random_sums(uint64_t most) {
  std::vector<std::vector<Rational>> laws(2);
  for (auto& law : laws)
    for (int k = 0; k < 3; ++k) law.emplace_back(*rc::gen::inRange(1, 9));
  const auto rows = *rc::gen::inRange<uint64_t>(1, most + 1);
  return sums({0, 1, *rc::gen::inRange(2, 5)}, laws, rows, *rc::gen::inRange<uint64_t>(1, rows + 1));
}

Noise unit_laplace(double scale) { return family_named("laplace")->at(Scale{scale}, Lattice{}, 0); }

// The law of the sum as polynomials, one row at a time.
TEST(RateLaws, AreThoseOfRowsAddedOneByOne) {
  const RateModel model = sums({-1, 0, 2}, {{1, 2, 3}, {5, 1, 1}}, 4, 1);
  const Claim claim = claim_of_rows(model, budget_of("1").epsilon, 4, 1);
  ASSERT_EQ(claim.secrets.size(), 5u);
  for (uint64_t k = 0; k <= 4; ++k) {
    std::map<int64_t, Rational> law{{0, Rational(1)}};
    for (uint64_t row = 0; row < 4; ++row) {
      std::map<int64_t, Rational> next;
      const auto& masses = model.laws[row < k ? 1 : 0];
      const Rational total(row < k ? 7 : 6);
      for (const auto& [sum, mass] : law)
        for (size_t v = 0; v < 3; ++v) next[sum + model.values[v]] += mass * masses[v] / total;
      law = std::move(next);
    }
    const Distribution& found = claim.priors[0].by_secret[k];
    ASSERT_EQ(found.size(), law.size());
    for (size_t j = 0; j < found.size(); ++j) EXPECT_EQ(found.mass(j), law[found.atoms()[j]]) << k;
  }
}

RC_GTEST_PROP(Rate, MoreOfTheRowsNeverSayMore, ()) {
  const RateModel model = random_sums(6);
  const Noise noise = unit_laplace(*rc::gen::element(0.5, 1.0, 3.0));
  const Budget budget = budget_of("100");
  const double rows = *prove_rate(model, budget, "rows", noise, {}).witness.loss;
  const double exactly = *prove_rate(model, budget, "exact", noise, {}).witness.loss;
  RC_ASSERT(exactly <= rows * (1 + 1e-12) + 1e-30);
  RC_ASSERT(rows <= *prove_rate(model, budget, "group", noise, {}).witness.loss * (1 + 1e-12) + 1e-30);
  if (model.rows == 1) return;
  const double part = *prove_rate(model, budget, "part", noise, {}).witness.loss;
  RC_ASSERT(exactly <= part * (1 + 1e-12) + 1e-30);
  RC_ASSERT(part <= rows * (1 + 1e-12) + 1e-30);
}

// Tables further from each other are told apart better where the laws are ordered.
RC_GTEST_PROP(Rate, OrderedLawsTellMostAtTheFarthest, ()) {
  RateModel model = random_sums(7);
  model.query = RateQuery::kCount;
  model.values = {0, 1};
  for (auto& law : model.laws) law.resize(2);
  const Budget budget = budget_of("0.3", "0.001");
  const Noise noise = unit_laplace(*rc::gen::element(0.3, 1.0));
  const double farthest = RateSticks(model, budget).peak(noise).upper;
  for (model.within -= 1; model.within > 0; --model.within)
    RC_ASSERT(RateSticks(model, budget).peak(noise).upper <= farthest * (1 + 1e-9) + 1e-15);
}

TEST(Rate, NothingIsToldBySameLawsOrByValuesThatAllRowsShare) {
  const Noise none = no_noise("laplace");
  EXPECT_TRUE(prove_rate(sums({0, 1}, {{1, 2}, {2, 4}}, 9, 9), budget_of("0.01"), "rows", none, {}).holds);
  EXPECT_TRUE(prove_rate(sums({3}, {{1}, {5}}, 9, 9), budget_of("0.01"), "group", none, {}).holds);
  EXPECT_FALSE(prove_rate(sums({0, 1}, {{1, 2}, {2, 4}}, 9, 9), budget_of("9"), "group", none, {}).holds);
}

TEST(Rate, AValueThatOneSecretAloneHasNeedsNoise) {
  const RateModel model = sums({0, 1}, {{1, 0}, {1, 1}}, 5, 1);
  EXPECT_FALSE(prove_rate(model, budget_of("50"), "rows", no_noise("laplace"), {}).holds);
  EXPECT_FALSE(prove_rate(model, budget_of("50"), "exact", no_noise("laplace"), {}).holds);
  EXPECT_TRUE(prove_rate(model, budget_of("1"), "rows", unit_laplace(1), {}).holds);
}

RateModel histogram(std::vector<std::vector<Rational>> laws) {
  RateModel model;
  model.query = RateQuery::kHistogram;
  model.rows = 1;
  model.within = 1;
  for (size_t s = 0; s < laws.size(); ++s)
    model.secrets.push_back(std::string(1, static_cast<char>('a' + s)));
  for (size_t k = 0; k < laws[0].size(); ++k) {
    model.values.push_back(static_cast<int64_t>(k));
    model.labels.push_back(std::string(1, static_cast<char>('p' + k)));
  }
  model.laws = std::move(laws);
  check_rate(model, "m");
  return model;
}

// Of every set of cells that lie high: the odds of two secrets, the noise falling by the ratio with each
// step.
double largest_loss(const RateModel& model, const Rational& ratio) {
  Rational worst(1);
  const Rational square(ratio * ratio);
  for (const auto& p : model.laws) {
    for (const auto& q : model.laws) {
      Rational total_p(0), total_q(0);
      for (size_t k = 0; k < p.size(); ++k) {
        total_p += p[k];
        total_q += q[k];
      }
      for (unsigned set = 0; set < 1u << p.size(); ++set) {
        Rational in_p(0), in_q(0);
        for (size_t k = 0; k < p.size(); ++k) {
          if ((set >> k & 1) == 0) continue;
          in_p += p[k] / total_p;
          in_q += q[k] / total_q;
        }
        worst = std::max(worst, Rational((square + (1 - square) * in_p) / (square + (1 - square) * in_q)));
      }
    }
  }
  return std::log(worst.convert_to<double>());
}

double stated_loss(const RateModel& model, const Noise& noise) {
  return *prove_rate(model, budget_of("100"), "rows", noise, {}).witness.loss;
}

// A category that neither of two secrets has says nothing of them, wherever it stands.
TEST(Rate, AHistogramCountsCategoriesThatOnlyAThirdSecretHas) {
  const RateModel model = histogram({{100, 0, 100}, {199, 0, 1}, {180, 1, 19}});
  for (const double scale : {0.1, 0.3, 1.0, 5.0}) {
    const Noise noise = unit_laplace(scale);
    const double truth = largest_loss(model, noise.tail.value());
    EXPECT_NEAR(stated_loss(model, noise), truth, 1e-9);
  }
  EXPECT_GT(largest_loss(model, Rational(1, 1000)), 4.5);
}

RC_GTEST_PROP(Rate, AHistogramLosesWhatItsWorstSetDoes, ()) {
  const auto cells = *rc::gen::inRange<size_t>(2, 8), secrets = *rc::gen::inRange<size_t>(2, 5);
  std::vector<std::vector<Rational>> laws(secrets, std::vector<Rational>(cells));
  for (auto& law : laws)
    for (Rational& mass : law) mass = *rc::gen::element(0, 0, 0, 1, 2, 7, 100);
  for (size_t k = 0; k < cells; ++k) laws[k % secrets][k] += 1;  // each occurs
  for (auto& law : laws) law[0] += 1;                            // each secret does
  const RateModel model = histogram(std::move(laws));
  const Noise noise = unit_laplace(*rc::gen::element(0.1, 0.5, 1.0, 3.0));
  const double truth = largest_loss(model, noise.tail.value()), stated = stated_loss(model, noise);
  RC_ASSERT(stated >= truth - 1e-12 && stated <= truth + 1e-9);
}

TEST(Rate, OtherNoiseAndOtherMethodsAreRefused) {
  const RateModel model = sums({0, 1}, {{1, 2}, {2, 1}}, 5, 1);
  const Noise gaussian = family_named("gaussian")->at(Scale{2}, Lattice{}, 30);
  EXPECT_THROW(prove_rate(model, budget_of("1"), "rows", gaussian, {}), Error);
  EXPECT_THROW(prove_rate(model, budget_of("1"), "lemma2", unit_laplace(1), {}), Error);
  EXPECT_THROW(prove_rate(model, budget_of("1", "0.1"), "part", unit_laplace(1), {}), Error);
}

}  // namespace
}  // namespace fugu
