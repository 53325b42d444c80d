#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "fugu/compose/compose_columns.h"
#include "fugu/compose/transfer_bound.h"
#include "fugu/compose/transfer_programme.h"
#include "fugu/compose/value_range.h"
#include "fugu/core/error.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/transport/transfer.h"
#include "tests/support/joint_brute.h"
#include "tests/support/random_joint.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::laplace_tail;

constexpr Bits kTransferTestBits = 160;

Plan transfer_plan(const Scenario& scenario, Mechanism mechanism) {
  return {scenario, "exact", std::move(mechanism), 0, {}, {}, {}, {}, {}};
}

std::vector<Rational> random_law(size_t count) {
  std::vector<Rational> masses;
  Rational total(0);
  for (size_t k = 0; k < count; ++k) {
    masses.emplace_back(*rc::gen::weightedElement<int>({{1, 0}, {1, 1}, {2, 3}, {1, 40}}));
    total += masses.back();
  }
  if (total == 0) masses[0] = total = 1;
  for (Rational& mass : masses) mass /= total;
  return masses;
}

KeptTable bounds_of_table(const std::vector<std::vector<Rational>>& kept) {
  KeptTable table;
  for (const auto& row : kept) {
    table.emplace_back();
    for (const Rational& one : row) table.back().emplace_back(one, kTransferTestBits);
  }
  return table;
}

RC_GTEST_PROP(TransferProgrammeProperty, FindsWhatTheRecursionFindsOnALine, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 9);
  TransferLine<Rational> line{random_law(count), random_law(count), {}};
  for (size_t k = 0; k + 1 < count; ++k) line.kept.emplace_back(*rc::gen::inRange(4, 65), 64);
  std::vector<std::vector<Rational>> kept(count, std::vector<Rational>(count, Rational(1)));
  for (size_t x = 0; x < count; ++x) {
    for (size_t to = x + 1; to < count; ++to) kept[x][to] = kept[to][x] = kept[x][to - 1] * line.kept[to - 1];
  }
  const auto found = transfer_by_programme(line.first, line.second, bounds_of_table(kept), count);
  const Rational lambda = least_transfer(line);
  RC_ASSERT(found.has_value());
  RC_ASSERT(!certainly_less(*found, Interval(lambda, kTransferTestBits)));
  RC_ASSERT(found->upper() <= static_cast<double>(lambda) * (1 + 1e-6));
  // With fewer cells to choose from it is a bound still.
  const auto few = transfer_by_programme(line.first, line.second, bounds_of_table(kept), 2);
  RC_ASSERT(few && !certainly_less(*few, Interval(lambda, kTransferTestBits)));
}

// Any g with g(x) <= g(x') / kept(x, x') is what some set of outputs looks like: none may exceed the bound.
RC_GTEST_PROP(TransferProgrammeProperty, BoundsEveryFunctionThatTheTableAllows, ()) {
  const auto count = *rc::gen::inRange<size_t>(2, 7);
  std::vector<std::vector<Rational>> kept(count, std::vector<Rational>(count, Rational(1)));
  for (size_t x = 0; x < count; ++x) {
    for (size_t to = 0; to < count; ++to) {
      if (to != x) kept[x][to] = Rational(*rc::gen::inRange(0, 33), 32);
    }
  }
  KeptTable table = bounds_of_table(kept);
  take_best_paths(table);
  const auto first = random_law(count), second = random_law(count);
  const auto found = transfer_by_programme(first, second, table, count);
  if (!found) return;
  // The largest g below given starts: shortest paths, in exact rationals. g(x) <= g(x') / kept(x, x').
  for (int tries = 0; tries < 10; ++tries) {
    std::vector<Rational> g;
    for (size_t x = 0; x < count; ++x) g.emplace_back(*rc::gen::element(1, 2, 5, 100, 10000, 10000000));
    for (size_t round = 0; round < count; ++round) {
      for (size_t x = 0; x < count; ++x) {
        for (size_t to = 0; to < count; ++to) {
          if (kept[x][to] > 0) g[x] = std::min(g[x], Rational(g[to] / kept[x][to]));
        }
      }
    }
    Rational above(0), below(0);
    for (size_t x = 0; x < count; ++x) {
      above += first[x] * g[x];
      below += second[x] * g[x];
    }
    RC_ASSERT(
        !certainly_less(*found * Interval(below, kTransferTestBits), Interval(above, kTransferTestBits)));
  }
}

TEST(TransferProgramme, ExchangesInStepsMayKeepMore) {
  KeptTable table = bounds_of_table(
      {{1, Rational(1, 2), Rational(1, 100)}, {Rational(1, 2), 1, Rational(1, 2)}, {0, Rational(1, 2), 1}});
  take_best_paths(table);
  EXPECT_EQ(table[0][2].lower(), 0.25);
  EXPECT_EQ(table[2][0].lower(), 0.25);
  const auto found = transfer_by_programme({1, 0, 0}, {0, 0, 1}, table, 3);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->upper(), 4, 1e-9);
  // Where nothing is kept there is no bound.
  EXPECT_FALSE(transfer_by_programme({1, 0}, {0, 1}, bounds_of_table({{1, 0}, {0, 1}}), 2));
}

// --- releases ----------------------------------------------------------------------------------------------

Scenario few_values(size_t most) {
  Scenario scenario{epsilon_of("0.5")};
  scenario.secrets = {"a", "b"};
  std::vector<int64_t> values{0};
  const auto count = *rc::gen::inRange<size_t>(2, most + 1);
  while (values.size() < count) values.push_back(values.back() + *rc::gen::element<int64_t>(1, 1, 2, 3));
  scenario.priors = {
      {"p", {testing::random_distribution(values, 9), testing::random_distribution(values, 9)}}};
  return scenario;
}

Mechanism random_release(const Scenario& scenario) {
  const auto kind = *rc::gen::inRange(0, 4);
  if (kind >= 2) return laplace_tail(*rc::gen::inRange(1, 16), 4);
  if (kind == 1) {
    Noise noise = no_noise("test");
    noise.weights = {Integer(*rc::gen::inRange(1, 9)), Integer(*rc::gen::inRange(1, 9)),
                     Integer(*rc::gen::inRange(1, 9))};
    noise.tail = {Integer(*rc::gen::inRange(1, 8)), 3};
    return noise;
  }
  Channel channel{union_support(scenario.priors[0].by_secret), {0, 1, 5}, {}};
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    channel.weights.emplace_back();
    for (int k = 0; k < 3; ++k) channel.weights.back().emplace_back(*rc::gen::inRange(1, 9));
  }
  return channel;
}

RC_GTEST_PROP(TransferProperty, TwoAndThreeReleasesNeverTellMore, ()) {
  const auto count = *rc::gen::inRange<size_t>(2, 4);
  const Scenario scenario = few_values(count == 2 ? 5 : 3);
  std::vector<Mechanism> releases;
  for (size_t k = 0; k < count; ++k) releases.push_back(random_release(scenario));
  std::vector<const Mechanism*> pointers;
  for (const Mechanism& release : releases) pointers.push_back(&release);
  const testing::BruteLoss brute = testing::brute_joint(scenario, pointers);
  const auto bound = transfer_bound(scenario, pointers, Rational(0), kTransferTestBits);
  RC_ASSERT(bound && !brute.infinite);
  RC_ASSERT(!certainly_less(*bound, log(Interval(brute.ratio, kTransferTestBits))));
}

// The second ratio is chosen by the first output, the third by the second, which may also be the last: only
// the product of the ratios is bounded on every path. Transcripts in exact rationals.
RC_GTEST_PROP(TransferProperty, AdaptiveReleasesWithinAnInfluenceNeverTellMore, ()) {
  const Scenario scenario = few_values(4);
  const Prior& prior = scenario.priors[0];
  const auto values = union_support(prior.by_secret);
  const int halves = *rc::gen::inRange(2, 7);  // the least product is 2^-halves
  const Interval lambda = exp(*LineTransfer(scenario).bound(
      Interval(Rational(Integer(1), Integer(1) << halves), kTransferTestBits), Rational(0)));
  const auto first = *rc::gen::inRange(1, halves);
  const int64_t low = values.front() - 2, high = values.back() + 2;
  auto choice = *rc::gen::container<std::vector<int>>(60, rc::gen::inRange(0, 6));
  // P(transcript|x) up to a factor that no x changes.
  auto kernel = [](int power, int64_t y, int64_t x) {
    return Rational(Integer(1), Integer(1) << static_cast<unsigned>(power * std::llabs(y - x)));
  };
  auto told = [&](const std::vector<Rational>& transcript) {
    Rational p(0), q(0);
    for (size_t k = 0; k < values.size(); ++k) {
      for (size_t s = 0; s < 2; ++s) {
        const Distribution& law = prior.by_secret[s];
        const auto at = std::find(law.atoms().begin(), law.atoms().end(), values[k]);
        if (at != law.atoms().end())
          (s == 0 ? p : q) += law.mass(static_cast<size_t>(at - law.atoms().begin())) * transcript[k];
      }
    }
    const Rational most = std::max(Rational(p / q), Rational(q / p));
    RC_ASSERT(!certainly_less(lambda, Interval(most, kTransferTestBits)));
  };
  for (int64_t y1 = low; y1 <= high; ++y1) {
    std::vector<Rational> one;
    for (int64_t x : values) one.push_back(kernel(first, y1, x));
    told(one);
    const int second = std::min(choice[static_cast<size_t>(y1 - low)], halves - first);
    if (second == 0) continue;  // it stops here
    for (int64_t y2 = low; y2 <= high; ++y2) {
      std::vector<Rational> two = one;
      for (size_t k = 0; k < values.size(); ++k) two[k] *= kernel(second, y2, values[k]);
      told(two);
      const int third =
          std::min(choice[static_cast<size_t>(30 + (y1 + y2 - 2 * low) % 30)], halves - first - second);
      if (third == 0) continue;
      for (int64_t y3 = low; y3 <= high; ++y3) {
        std::vector<Rational> three = two;
        for (size_t k = 0; k < values.size(); ++k) three[k] *= kernel(third, y3, values[k]);
        told(three);
      }
    }
  }
}

// Which release comes second is chosen by the first one's output, among noise and channels alike: what was
// seen tells no more than the bound of the two releases that were made. Transcripts in exact rationals.
RC_GTEST_PROP(TransferProperty, AnyReleaseMayBeChosenByTheOutputBefore, ()) {
  const Scenario scenario = few_values(4);
  const Prior& prior = scenario.priors[0];
  const auto values = union_support(prior.by_secret);
  const Mechanism first = random_release(scenario);
  const std::vector<Mechanism> others{random_release(scenario), random_release(scenario)};
  std::vector<Rational> bounds;
  for (const Mechanism& second : others) {
    const auto all = sound_bounds({transfer_plan(scenario, first), transfer_plan(scenario, second)});
    const Composition* least = least_bound(all, Rational(0));
    RC_ASSERT(least != nullptr);
    bounds.push_back(least->epsilon);
  }
  const auto choice = *rc::gen::container<std::vector<size_t>>(40, rc::gen::inRange<size_t>(0, 2));
  const auto one = testing::release_kernel(first, values, 2);
  for (size_t y = 0; y < one.outputs.size(); ++y) {
    const size_t chosen = choice[y % choice.size()];
    const auto two = testing::release_kernel(others[chosen], values, 2);
    for (int64_t z : two.outputs) {
      std::vector<Rational> told;
      for (const Distribution& law : prior.by_secret) {
        Rational sum(0);
        for (size_t k = 0; k < law.size(); ++k)
          sum += law.mass(k) * one.mass(one.outputs[y], law.atoms()[k]) * two.mass(z, law.atoms()[k]);
        told.push_back(sum);
      }
      const Rational most = std::max(told[0], told[1]), least = std::min(told[0], told[1]);
      RC_ASSERT(!certainly_less(
          exp(Interval(bounds[chosen], kTransferTestBits)) * Interval(least, kTransferTestBits),
          Interval(most, kTransferTestBits)));
    }
  }
}

// Several columns, released several times: every joint output of both, by definition.
RC_GTEST_PROP(TransferProperty, SeveralColumnsReleasedTwiceNeverTellMore, ()) {
  const Scenario scenario = testing::random_joint_scenario(2, 3, 3, 2);
  std::vector<Plan> plans;
  for (int k = 0; k < 2; ++k) {
    JointNoise noise{Scale{1},
                     {laplace_tail(*rc::gen::inRange(1, 8), 3), laplace_tail(*rc::gen::inRange(1, 8), 3)}};
    plans.push_back(transfer_plan(scenario, noise));
  }
  Rational worst(1);
  for (const Prior& prior : scenario.priors) {
    // By section 11 each coordinate may stay on the atoms' range.
    for (int64_t code = 0; code < 81; ++code) {
      const int64_t outputs[4] = {code % 3, code / 3 % 3, code / 9 % 3, code / 27};
      std::vector<Rational> masses;
      for (const Distribution& law : prior.by_secret) {
        Rational sum(0);
        for (size_t k = 0; k < law.size(); ++k) {
          const auto& point = scenario.points[static_cast<size_t>(law.atoms()[k])];
          Rational mass = law.mass(k);
          for (size_t c = 0; c < 4; ++c) {
            const Noise& noise = std::get<JointNoise>(plans[c / 2].mechanism).columns[c % 2];
            mass *= testing::weight_at(noise, outputs[c] - point[c % 2]);
          }
          sum += mass;
        }
        masses.push_back(sum);
      }
      for (auto [a, b] : scenario.pairs.list(scenario.secrets.size()))
        worst = std::max({worst, Rational(masses[a] / masses[b]), Rational(masses[b] / masses[a])});
    }
  }
  const auto bounds = sound_bounds(plans);
  bool found = false;
  for (const Composition& bound : bounds) {
    found |= bound.bound == "transfer";
    RC_ASSERT(
        !certainly_less(Interval(bound.epsilon, kTransferTestBits), log(Interval(worst, kTransferTestBits))));
  }
  RC_ASSERT(found);
}

// A table of several columns that grew: against the beliefs of either, whatever points each has.
TEST(Transfer, SeveralColumnsOfATableThatGrew) {
  using testing::JointCounts;
  const JointNoise noise{Scale{1}, {laplace_tail(7, 3), laplace_tail(6, 3)}};
  const Plan small =
      transfer_plan(testing::joint_scenario(
                        {{JointCounts{{{0, 0}, 3}, {{1, 1}, 1}}, JointCounts{{{0, 0}, 1}, {{1, 1}, 3}}}}, 2),
                    noise);
  const Plan grown = transfer_plan(
      testing::joint_scenario(
          {{JointCounts{{{0, 0}, 3}, {{0, 2}, 1}, {{1, 1}, 1}}, JointCounts{{{0, 0}, 1}, {{1, 1}, 4}}}}, 2),
      noise);
  auto transfer = [](const std::vector<Plan>& plans, Beliefs beliefs) {
    for (const Composition& bound : sound_bounds(plans, beliefs)) {
      if (bound.bound == "transfer") return static_cast<double>(bound.epsilon);
    }
    return -1.0;
  };
  EXPECT_THROW(sound_bounds({small, grown}), Error);
  const double both = transfer({small, grown}, Beliefs::kAny);
  EXPECT_NEAR(both,
              std::max(transfer({small, small}, Beliefs::kSame), transfer({grown, grown}, Beliefs::kSame)),
              1e-6);
  EXPECT_EQ(transfer({grown, small}, Beliefs::kAny), both);
}

// --- the paper's column ------------------------------------------------------------------------------------

Scenario papers_column() {
  std::ifstream file(FUGU_SOURCE_DIR "/tests/data/cases.json");
  std::stringstream text;
  text << file.rdbuf();
  const Json cases = parse_json(text.str(), "cases.json");
  ScenarioOverrides overrides;
  overrides.epsilon = epsilon_of("0.1");
  return scenario_from_json(*cases.find("adult_occupation")->find("scenario"), "golden", overrides);
}

TEST(Transfer, ReleasesOfThePapersColumn) {
  const Scenario scenario = papers_column();
  const Plan plan = transfer_plan(scenario, Laplace().at(Scale{2.54}, scenario.lattice, 0));
  for (auto [count, most] : {std::pair{2, 0.2647}, std::pair{3, 0.4044}, std::pair{10, 0.66}}) {
    const std::vector<Plan> plans(static_cast<size_t>(count), plan);
    const std::vector<const Mechanism*> releases(plans.size(), &plan.mechanism);
    const auto bound = transfer_bound(scenario, releases, Rational(0), kTransferTestBits);
    ASSERT_TRUE(bound);
    // The figures are rounded to as many digits as are written.
    EXPECT_NEAR(bound->upper(), most, count == 10 ? 5e-3 : 5e-5) << count;
    const Composition together = compose(plans);
    EXPECT_EQ(together.bound, count == 10 ? "transfer" : "joint");
    EXPECT_LE(static_cast<double>(together.epsilon), bound->upper() + 1e-12);
  }
}

// --- other columns
// ------------------------------------------------------------------------------------------

Plan column_plan(const std::string& column, Mechanism mechanism) {
  Scenario scenario{epsilon_of("0.5")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {
      {"p",
       {Distribution::from_counts({0, 1, 2}, {1, 2, 1}), Distribution::from_counts({0, 1, 2}, {3, 2, 3})}}};
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {column};
  return transfer_plan(scenario, std::move(mechanism));
}

TEST(ComposeColumns, AllButOneCountByTheirRanges) {
  const Plan one = column_plan("x", laplace_tail(1, 1)), other = column_plan("y", laplace_tail(3, 2));
  const Composition together = compose({one, other});
  EXPECT_EQ(together.bound, "values");
  // Each alone by its own bound, the other by its range: the lesser of the two ways.
  double least = HUGE_VAL;
  for (const auto& [own, rest] : {std::pair{one, other}, std::pair{other, one}}) {
    const auto bounds = sound_bounds({own});
    const double alone = static_cast<double>(least_bound(bounds, Rational(0))->epsilon);
    least = std::min(least, alone + static_cast<double>(*value_range(rest)));
  }
  EXPECT_NEAR(static_cast<double>(together.epsilon), least, 1e-12);
  // A release without noise has no range, but may be the one that counts by its own bounds; two have none.
  EXPECT_EQ(compose({one, column_plan("z", no_noise("laplace"))}).bound, "values");
  EXPECT_THROW(compose({column_plan("x", no_noise("laplace")), column_plan("z", no_noise("laplace"))}),
               Error);
  // Rows that are left out tell something whatever the noise.
  Plan dropping = column_plan("y", laplace_tail(3, 2)), bare = column_plan("x", no_noise("laplace"));
  dropping.scenario.source->missing = Missing::kDrop;
  EXPECT_THROW(compose({bare, dropping}), Error);
  // Another secret, or another table, is another question.
  Plan asks_else = other;
  asks_else.scenario.source->secret = {"t"};
  EXPECT_THROW(compose({one, asks_else}), Error);
  Plan later = one;
  later.scenario.priors[0].by_secret[0] = Distribution::from_counts({0, 1, 2}, {1, 2, 2});
  EXPECT_THROW(compose({one, later, other}), Error);
}

}  // namespace
}  // namespace fugu
