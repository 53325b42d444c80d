#include "fugu/plan/leakage.h"

#include <map>

#include "tests/support/brute_force.h"
#include "tests/support/brute_leakage.h"
#include "tests/support/random_joint.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::brute_leakage;
using testing::BruteLeakage;
using testing::holds;
using testing::is_tight;

// A listed pair promises nothing of the others, so that nothing is concluded from epsilon.
Scenario asked(std::vector<std::map<int64_t, uint64_t>> laws) {
  Scenario scenario{testing::epsilon_of("0.5")};
  scenario.pairs = PairSet::of({{0, 1}});
  Prior prior{"empirical", {}};
  for (const auto& law : laws) {
    std::vector<int64_t> atoms;
    std::vector<uint64_t> counts;
    for (const auto& [atom, count] : law) {
      atoms.push_back(atom);
      counts.push_back(count);
    }
    prior.by_secret.push_back(Distribution::from_counts(atoms, counts));
    scenario.secrets.push_back("s" + std::to_string(scenario.secrets.size()));
  }
  scenario.priors = {prior};
  return scenario;
}

// By output, by secret: of every output that is an atom's within the reach or between, and both tails
// together; held within `range` where there is one.
std::vector<std::vector<Rational>> outputs_of(const Prior& prior, const Noise& noise,
                                              const std::optional<std::pair<int64_t, int64_t>>& range) {
  const auto mass = testing::brute_masses(prior, noise);
  const int64_t low = union_support(prior.by_secret).front() - noise.reach();
  const size_t secrets = mass.size(), count = mass.front().size();
  const Rational r = noise.tail.value(), beyond = r / (1 - r);
  std::map<int64_t, std::vector<Rational>> outputs;
  auto add = [&](int64_t y, size_t k, const Rational& factor) {
    const int64_t at = range ? std::clamp(y, range->first, range->second) : y;
    auto& here = outputs.try_emplace(at, secrets, Rational(0)).first->second;
    for (size_t s = 0; s < secrets; ++s) here[s] += mass[s][k] * factor;
  };
  for (size_t k = 0; k < count; ++k) add(low + static_cast<int64_t>(k), k, Rational(1));
  // Tails step by step up to the range, then all that is left together.
  for (const int side : {-1, 1}) {
    const size_t k = side < 0 ? 0 : count - 1;
    int64_t y = low + static_cast<int64_t>(k);
    Rational power(1);
    while (range && (side < 0 ? y > range->first : y < range->second)) add(y += side, k, power *= r);
    add(y + side, k, Rational(power * beyond));
  }
  std::vector<std::vector<Rational>> list;
  for (auto& [y, here] : outputs) list.push_back(std::move(here));
  return list;
}

void agrees(const Leakage& leakage, const BruteLeakage& own, const BruteLeakage& worst, double slack) {
  RC_ASSERT(holds(leakage.guessed_before, own.before));
  RC_ASSERT(holds(leakage.guessed_after, own.after));
  RC_ASSERT(holds(leakage.told, own.told, 1e-12L));
  const Within most{std::exp(leakage.maximal.low) * (1 - 1e-14),
                    std::exp(leakage.maximal.high) * (1 + 1e-14)};
  RC_ASSERT(holds(most, worst.most));
  RC_ASSERT(is_tight(leakage.guessed_before, 0));
  RC_ASSERT(is_tight(leakage.guessed_after, slack));
  RC_ASSERT(is_tight(leakage.told, slack));
  RC_ASSERT(is_tight(leakage.maximal, slack));
  // Nobody guesses worse for what was seen, nor better than by the true value.
  RC_ASSERT(leakage.guessed_after.high >= leakage.guessed_before.low);
  RC_ASSERT(leakage.guessed_after.high <= leakage.guessed_true.high);
  RC_ASSERT(leakage.told.low <= leakage.maximal.high / std::log(2.0));
}

Noise random_noise() {
  Noise noise = no_noise("optimal");
  const auto reach = *rc::gen::inRange<size_t>(0, 4);
  noise.weights.clear();
  for (size_t z = 0; z <= 2 * reach; ++z)
    noise.weights.emplace_back(*rc::gen::inRange(z == 0 || z == reach || z == 2 * reach ? 1 : 0, 9));
  noise.tail = {Integer(*rc::gen::inRange(0, 16)), 4};
  return noise;
}

RC_GTEST_PROP(Leakage, of_noise_holds_what_the_sums_over_all_outputs_are, ()) {
  Scenario scenario = testing::random_scenario(8, 4);
  scenario.pairs = PairSet::of({{0, 1}});
  for (Prior& prior : scenario.priors) prior.kind = Prior::Kind::kGroup;  // with shares of its own
  const Noise noise = random_noise();
  const Leakage leakage = leakage_of(scenario, noise);
  BruteLeakage own, worst;
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    const BruteLeakage one = brute_leakage(outputs_of(prior, noise, std::nullopt), testing::shares_of(prior));
    if (p == 0) own = one;
    worst.most = std::max(worst.most, one.most);
    worst.told = std::max(worst.told, one.told);
  }
  agrees(leakage, own, worst, 4e-3);
  RC_ASSERT(holds(leakage.most_told, worst.told, 1e-12L));
  RC_ASSERT(!leakage.bounded && !leakage.estimate);
}

RC_GTEST_PROP(Leakage, of_clamped_noise_is_that_of_what_is_written, ()) {
  Scenario scenario = testing::random_scenario(8, 3);
  scenario.lattice = Lattice{};
  scenario.priors.resize(1);
  scenario.pairs = PairSet::of({{0, 1}});
  scenario.source = Source{{"s"}, {"x"}};
  scenario.source->clamp = true;
  if (*rc::gen::arbitrary<bool>()) {
    const auto [low, high] = scenario.bounds();
    scenario.source->columns.front().clip = {Rational(low - *rc::gen::inRange(0, 5)),
                                             Rational(high + *rc::gen::inRange(0, 5))};
  } else {
    scenario.source->range_people = *rc::gen::inRange<uint64_t>(0, 12);
  }
  const Noise noise = random_noise();
  const BruteLeakage truth = brute_leakage(outputs_of(scenario.priors[0], noise, scenario.range()),
                                           testing::shares_of(scenario.priors[0]));
  agrees(leakage_of(scenario, noise), truth, truth, 4e-3);
}

RC_GTEST_PROP(Leakage, of_a_channel_holds_what_the_sums_are, ()) {
  Scenario scenario = testing::random_scenario(6, 4);
  scenario.priors.resize(1);
  scenario.pairs = PairSet::of({{0, 1}});
  const Prior& prior = scenario.priors[0];
  Channel channel;
  channel.inputs = union_support(prior.by_secret);
  for (int64_t y = 0; y < *rc::gen::inRange(1, 6); ++y) channel.outputs.push_back(y);
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    auto& row = channel.weights.emplace_back();
    for (size_t k = 0; k < channel.outputs.size(); ++k)
      row.emplace_back(*rc::gen::inRange(k == 0 ? 1 : 0, 5));
  }
  std::vector<std::vector<Rational>> masses(channel.outputs.size(),
                                            std::vector<Rational>(prior.by_secret.size(), Rational(0)));
  for (size_t s = 0; s < prior.by_secret.size(); ++s) {
    const Distribution& law = prior.by_secret[s];
    for (size_t k = 0; k < law.size(); ++k) {
      const auto i =
          static_cast<size_t>(std::lower_bound(channel.inputs.begin(), channel.inputs.end(), law.atoms()[k]) -
                              channel.inputs.begin());
      for (size_t y = 0; y < masses.size(); ++y)
        masses[y][s] += law.mass(k) * Rational(channel.weights[i][y], channel.row_total(i));
    }
  }
  const BruteLeakage truth = brute_leakage(masses, testing::shares_of(prior));
  agrees(leakage_of(scenario, channel), truth, truth, 1e-14);
}

RC_GTEST_PROP(Leakage, of_rows_that_trade_places_is_the_mean_over_the_strata, ()) {
  Scenario scenario{testing::epsilon_of("0.5")};
  scenario.secrets = {"a", "b", "c"};
  scenario.pairs = PairSet::of({{0, 1}});
  scenario.source = Source{{"s"}, {"x"}};
  scenario.source->known = {"g"};
  Swap swap;
  BruteLeakage own, worst;
  Rational people(0);
  for (const char* name : {"g=0", "g=1"}) {
    Prior prior{name, {}};
    prior.known = {name};
    const auto values = testing::random_values(5);
    for (size_t s = 0; s < 3; ++s) prior.by_secret.push_back(testing::random_distribution(values, 9));
    SwapStratum stratum{prior.known, union_support(prior.by_secret), {}, {}};
    const size_t points = stratum.points.size();
    std::vector<std::vector<Rational>> keeps(points, std::vector<Rational>(points, Rational(0)));
    for (uint32_t from = 0; from < points; ++from) {
      uint64_t total = 0;
      for (uint32_t to = 0; to < points; ++to) {
        const auto weight = *rc::gen::inRange<uint64_t>(0, 4);
        total += weight;
        if (from != to && weight > 0) stratum.flows.push_back({from, to, weight});
        if (from != to) keeps[from][to] = weight;
      }
      stratum.totals.push_back(total + 1);
      Rational left(0);
      for (Rational& weight : keeps[from]) {
        weight /= total + 1;
        left += weight;
      }
      keeps[from][from] = 1 - left;
    }
    std::vector<std::vector<Rational>> masses(points, std::vector<Rational>(3, Rational(0)));
    Rational here(0);
    for (size_t s = 0; s < 3; ++s) {
      const Distribution& law = prior.by_secret[s];
      here += Rational(law.total());
      for (size_t k = 0; k < law.size(); ++k) {
        const auto x = static_cast<size_t>(
            std::lower_bound(stratum.points.begin(), stratum.points.end(), law.atoms()[k]) -
            stratum.points.begin());
        for (size_t y = 0; y < points; ++y) masses[y][s] += law.mass(k) * keeps[x][y];
      }
    }
    const BruteLeakage one = brute_leakage(masses, testing::shares_of(prior));
    own.before += one.before * here;
    own.after += one.after * here;
    own.told += one.told * static_cast<long double>(here);
    worst.most = std::max(worst.most, one.most);
    people += here;
    scenario.priors.push_back(std::move(prior));
    swap.strata.push_back(std::move(stratum));
  }
  own.before /= people;
  own.after /= people;
  own.told /= static_cast<long double>(people);
  agrees(leakage_of(scenario, swap), own, worst, 1e-14);
}

RC_GTEST_PROP(Leakage, of_several_columns_is_no_less_than_the_sums_are, ()) {
  Scenario scenario = testing::random_joint_scenario(2, 6, 7, 3);
  scenario.priors.resize(1);
  scenario.pairs = PairSet::of({{0, 1}});
  const JointNoise noise = testing::random_joint_noise(2);
  const Leakage leakage = leakage_of(scenario, noise);
  Rational total(1);
  for (const Noise& column : noise.columns) total *= total_weight(column);
  std::vector<std::vector<Rational>> masses;
  std::vector<Rational> rest(scenario.secrets.size(), Rational(1));
  testing::for_each_in_box(scenario, 6, [&](const Point& y) {
    auto& here = masses.emplace_back();
    for (size_t s = 0; s < rest.size(); ++s) {
      here.push_back(testing::joint_mass(scenario, scenario.priors[0].by_secret[s], noise, y) / total);
      rest[s] -= here.back();
    }
  });
  masses.push_back(rest);  // all that is further away: together it says no more than one by one
  const BruteLeakage truth = brute_leakage(masses, testing::shares_of(scenario.priors[0]));
  RC_ASSERT(leakage.guessed_after.high >= truth.after);
  RC_ASSERT(std::exp(leakage.maximal.high) * (1 + 1e-14) >= static_cast<double>(truth.most));
  RC_ASSERT(leakage.told.high >= static_cast<double>(truth.told) - 1e-12);
  RC_ASSERT(leakage.guessed_after.high <= leakage.guessed_true.high);
  if (noise.is_none()) {
    RC_ASSERT(leakage.guessed_after.high - truth.after < Rational(1, 1000000));
  }
}

TEST(Leakage, of_a_plan_that_changes_nothing_is_what_the_value_says) {
  const Scenario scenario = asked({{{1, 30}, {2, 10}}, {{1, 5}, {2, 15}}});
  const Leakage leakage = leakage_of(scenario, no_noise("laplace"));
  EXPECT_TRUE(holds(leakage.guessed_before, Rational(2, 3)));
  EXPECT_TRUE(holds(leakage.guessed_true, Rational(3, 4)));
  EXPECT_TRUE(holds(leakage.guessed_after, Rational(3, 4)));
  EXPECT_NEAR(leakage.maximal.high, std::log(1.5), 1e-14);
  EXPECT_FALSE(leakage.equal_shares);
  EXPECT_EQ(leakage.maximal_prior, "empirical");
}

TEST(Leakage, of_a_channel_that_forgets_the_value_is_nothing) {
  const Scenario scenario = asked({{{1, 30}, {2, 10}}, {{1, 5}, {2, 15}}});
  const Channel channel{{1, 2}, {1, 2}, {{Integer(1), Integer(2)}, {Integer(3), Integer(6)}}};
  const Leakage leakage = leakage_of(scenario, channel);
  EXPECT_TRUE(holds(leakage.guessed_after, Rational(2, 3)));
  EXPECT_TRUE(is_tight(leakage.guessed_after, 0));
  EXPECT_TRUE(holds(leakage.maximal, Rational(0)) && leakage.maximal.high < 1e-15);
  EXPECT_TRUE(holds(leakage.told, Rational(0)) && leakage.told.high < 1e-15);
}

TEST(Leakage, of_wide_gaps_is_found_without_looking_at_each_output) {
  // Two values 10^9 steps apart, and noise that is as wide: the guess changes half way.
  const Scenario scenario = asked({{{0, 1}}, {{1'000'000'000, 1}}});
  Noise noise = no_noise("laplace");
  noise.tail = {(Integer(1) << 60) - (Integer(1) << 30), 60};  // 1 - 2^-30
  const Leakage leakage = leakage_of(scenario, noise);
  const double half = std::exp(-1e9 / 2 / std::pow(2.0, 30));
  EXPECT_NEAR(static_cast<double>(leakage.guessed_after.high), 1 - half / 2, 1e-3);
  EXPECT_LE(static_cast<double>(leakage.guessed_after.low), 1 - half / 2 + 1e-8);
  EXPECT_GE(static_cast<double>(leakage.guessed_after.high), 1 - half / 2 - 1e-8);
  EXPECT_TRUE(leakage.equal_shares);
}

TEST(Leakage, of_too_many_outputs_is_bounded_by_the_values_and_by_the_promise) {
  Scenario scenario = asked({{{0, 1}}, {{0, 1}}});
  std::vector<int64_t> atoms;
  for (int64_t x = 0; x < 300'000; ++x) atoms.push_back(x);
  scenario.priors[0].by_secret = {Distribution::from_counts(atoms, std::vector<uint64_t>(atoms.size(), 2)),
                                  Distribution::from_counts(atoms, std::vector<uint64_t>(atoms.size(), 1))};
  Noise noise = no_noise("laplace");
  noise.tail = {Integer(1), 1};
  Leakage leakage = leakage_of(scenario, noise);
  EXPECT_TRUE(leakage.bounded);
  EXPECT_TRUE(holds(leakage.guessed_before, Rational(2, 3)) && holds(leakage.guessed_after, Rational(2, 3)));
  EXPECT_TRUE(is_tight(leakage.guessed_after, 0));
  EXPECT_LT(leakage.told.high, 1e-12);
  scenario.priors[0].by_secret[1] = Distribution::from_counts({0}, {300'000});
  scenario.pairs = PairSet::all();  // which this noise does not keep: only what is concluded matters
  leakage = leakage_of(scenario, noise);
  const double growth = std::exp(0.5);
  EXPECT_NEAR(static_cast<double>(leakage.guessed_after.high), 2 * growth / (2 * growth + 1), 1e-12);
  EXPECT_NEAR(leakage.maximal.high, std::log(2 * growth / (1 + growth)), 1e-12);
  EXPECT_NEAR(leakage.told.high, 0.5 * std::tanh(0.25) / std::log(2.0), 1e-12);
}

TEST(Leakage, of_a_file_whose_mechanism_lacks_a_value_is_not_looked_for) {
  const Scenario scenario = asked({{{1, 30}, {2, 10}}, {{1, 5}, {2, 15}}});
  const Channel channel{{1}, {1}, {{Integer(1)}}};
  EXPECT_TRUE(leakage_of(scenario, channel).bounded);
  EXPECT_TRUE(leakage_of(scenario, Swap{{{{"other"}, {1, 2}, {1, 1}, {}}}}).bounded);
  EXPECT_TRUE(leakage_of(scenario, JointNoise{Scale{1}, {no_noise("laplace"), no_noise("laplace")}}).bounded);
}

TEST(Leakage, of_further_beliefs_counts_towards_the_worst_alone) {
  Scenario scenario = asked({{{1, 30}, {2, 10}}, {{1, 15}, {2, 5}}});
  Prior other{"sharper", {Distribution::from_counts({1}, {1}), Distribution::from_counts({2}, {1})}};
  scenario.priors.push_back(other);
  const Leakage leakage = leakage_of(scenario, no_noise("laplace"));
  EXPECT_TRUE(holds(leakage.guessed_after, Rational(2, 3)));
  EXPECT_LT(leakage.told.high, 1e-12);
  EXPECT_EQ(leakage.maximal_prior, "sharper");
  EXPECT_NEAR(leakage.maximal.high, std::log(2.0), 1e-14);
  EXPECT_EQ(leakage.most_told_prior, "sharper");
  // Their shares are the table's.
  EXPECT_NEAR(leakage.most_told.high, std::log2(3.0) - 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace fugu
