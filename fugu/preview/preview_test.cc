// The averages of a preview against exact expectations. A check of a share over n simulated rows allows 6.5
// standard deviations and 10 rows: by Bernstein's inequality a right one fails with a chance below 10^-7, and
// there are fewer than 300 of them. Every mechanism has a control with less noise and one with more, which
// must fail.
#include "fugu/preview/preview.h"

#include <cmath>
#include <map>

#include "fugu/core/error.h"
#include "fugu/plan/row_facts.h"
#include "fugu/preview/plan_rows.h"
#include "fugu/scenario/bags.h"
#include "tests/support/brute_force.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using Law = std::map<int64_t, double>;

Distribution counts_of(const std::map<int64_t, uint64_t>& law) {
  std::vector<int64_t> atoms;
  std::vector<uint64_t> counts;
  for (const auto& [atom, count] : law) {
    atoms.push_back(atom);
    counts.push_back(count);
  }
  return Distribution::from_counts(atoms, counts);
}

Plan plan_of(Mechanism mechanism, std::vector<std::map<int64_t, uint64_t>> laws) {
  Plan plan{Scenario{testing::epsilon_of("1")}, "exact", std::move(mechanism), 0, {}, {}, {}, {}, {}};
  Prior prior{kWholeTable, {}};
  for (const auto& law : laws) {
    prior.by_secret.push_back(counts_of(law));
    plan.scenario.secrets.push_back("s" + std::to_string(plan.scenario.secrets.size()));
  }
  plan.scenario.priors = {prior};
  plan.scenario.source = Source{.secret = {"race"}, .published = {"job"}};
  return plan;
}

Noise laplace(int64_t tail_of_16) {
  return {"laplace", Scale{1}, {Integer(1)}, Dyadic{Integer(tail_of_16), 4}};
}

// What becomes of a value, by itself; of swaps the stratum says it.
Law law_of(const Mechanism& mechanism, int64_t x, const std::vector<std::string>& known = {}) {
  Law law;
  if (const Noise* noise = std::get_if<Noise>(&mechanism)) {
    const auto tail = static_cast<double>(noise->tail.value());
    for (int64_t z = -400; z <= 400; ++z)
      law[x + z] += std::pow(tail, std::abs(static_cast<double>(z))) * (1 - tail) / (1 + tail);
  } else if (const Channel* channel = std::get_if<Channel>(&mechanism)) {
    const auto row = static_cast<size_t>(std::find(channel->inputs.begin(), channel->inputs.end(), x) -
                                         channel->inputs.begin());
    for (size_t k = 0; k < channel->outputs.size(); ++k)
      law[channel->outputs[k]] +=
          static_cast<double>(Rational(channel->weights[row][k], channel->row_total(row)));
  } else {
    const SwapStratum& stratum = *std::get<Swap>(mechanism).stratum(known);
    const auto at = static_cast<uint32_t>(std::find(stratum.points.begin(), stratum.points.end(), x) -
                                          stratum.points.begin());
    double stays = 1;
    for (const SwapFlow& flow : stratum.flows) {
      if (flow.from != at) continue;
      const double share = static_cast<double>(flow.weight) / static_cast<double>(stratum.totals[at]);
      law[stratum.points[flow.to]] += share;
      stays -= share;
    }
    law[x] += stays;
  }
  return law;
}

// K p: the expected share of every value of one column.
Law expected_of(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  Law expected;
  double total = 0;
  for (const Prior* prior : scenario.own_priors()) {
    for (const Distribution& law : prior->by_secret) {
      for (size_t k = 0; k < law.size(); ++k) {
        const auto count = static_cast<double>(law.weights().at(k));
        total += count;
        for (const auto& [y, p] : law_of(plan.mechanism, law.atoms()[k], prior->known)) {
          const auto [low, high] = scenario.range();
          expected[scenario.clamps() ? std::clamp(y, low, high) : y] += count * p;
        }
      }
    }
  }
  for (auto& [y, share] : expected) share /= total;
  return expected;
}

// Whether all shares of a column are as expected; labels of numbers are the values, here.
bool agrees(const PreviewColumn& column, const Law& expected, double rows, const Scenario& scenario) {
  Law left = expected;
  for (size_t k = 0; k < column.labels.size(); ++k) {
    double wanted = 0;
    for (auto& [y, share] : left) {
      const std::string& label = column.labels[k];
      const bool here = label == scenario.value_text(y) ||
                        (label.starts_with("below ") && y < std::stoll(label.substr(6))) ||
                        (label.starts_with("above ") && y > std::stoll(label.substr(6)));
      if (!here) continue;
      wanted += share;
      share = 0;
    }
    const double off = 6.5 * std::sqrt(wanted * (1 - wanted) / rows) + 10 / rows;
    if (std::abs(column.after[k] - wanted) > off) return false;
  }
  return true;
}

struct Case {
  std::string name;
  Plan plan, less, more;  // the same with less noise and with more
};

Swap swap_of(uint64_t weight) {
  return {{{.points = {1, 2, 3},
            .totals = {60, 60, 60},
            .flows = {{0, 1, weight}, {1, 2, weight}, {2, 0, weight}}}}};
}

Channel channel_of(int64_t stays) {
  const Integer other = (100 - stays) / 2;
  return {{1, 2, 3}, {1, 2, 3}, {{stays, other, other}, {other, stays, other}, {other, other, stays}}};
}

std::vector<Case> one_column() {
  const std::vector<std::map<int64_t, uint64_t>> laws{{{1, 60}, {2, 15}, {3, 5}},
                                                      {{1, 20}, {2, 45}, {3, 35}}};
  auto with = [&](Mechanism mechanism, bool labels, bool clamp) {
    Plan plan = plan_of(std::move(mechanism), laws);
    if (labels) plan.scenario.source->columns.front().labels = {"low", "mid", "high"};
    if (clamp) plan.scenario.source->clamp = true;
    return plan;
  };
  auto noise = [&](const std::string& name, bool labels, bool clamp) {
    return Case{name, with(laplace(8), labels, clamp), with(laplace(7), labels, clamp),
                with(laplace(9), labels, clamp)};
  };
  return {noise("noise", false, false),
          noise("clamped noise", false, true),
          noise("ordered categories", true, false),
          {"channel", with(channel_of(60), true, false), with(channel_of(66), true, false),
           with(channel_of(54), true, false)},
          {"swap", with(swap_of(20), true, false), with(swap_of(16), true, false),
           with(swap_of(24), true, false)}};
}

TEST(Preview, AveragesAreTheExactExpectations) {
  for (const Case& one : one_column()) {
    const Preview preview = preview_of(one.plan, {});
    const auto rows = static_cast<double>(preview.draws * preview.simulated);
    EXPECT_EQ(preview.rows, 180U);
    EXPECT_GT(rows, 150'000);
    const PreviewColumn& column = preview.columns.at(0);
    EXPECT_TRUE(agrees(column, expected_of(one.plan), rows, one.plan.scenario)) << one.name;
    EXPECT_FALSE(agrees(column, expected_of(one.less), rows, one.plan.scenario)) << one.name;
    EXPECT_FALSE(agrees(column, expected_of(one.more), rows, one.plan.scenario)) << one.name;
    double total = 0;
    for (double share : column.after) total += share;
    EXPECT_NEAR(total, 1, 1e-9);
    const double stays = row_facts(one.plan.scenario, one.plan.mechanism).unchanged;
    // Results beyond the ends come back to them.
    const bool held = one.plan.scenario.clamps() && adds_noise(one.plan.mechanism);
    EXPECT_NEAR(preview.unchanged, stays, held ? 0.3 : 0.01) << one.name;
    EXPECT_GE(preview.unchanged, stays - 0.01) << one.name;
    EXPECT_EQ(preview.unchanged, column.unchanged);
  }
}

TEST(Preview, DeviationsAreThoseOfARelease) {
  const Case noise = one_column()[0], channel = one_column()[3];
  const PreviewColumn column = preview_of(noise.plan, {}).columns.at(0);
  const double mse = static_cast<double>(mean_square(std::get<Noise>(noise.plan.mechanism)));
  EXPECT_NEAR(column.numbers->mean_deviation / std::sqrt(mse / 180), 1, 0.06);
  EXPECT_NEAR(column.numbers->mean_before, (80 + 60 * 2 + 40 * 3) / 180.0, 1e-12);
  EXPECT_NEAR(column.numbers->mean_after, column.numbers->mean_before, 0.03);
  EXPECT_NEAR(column.numbers->spread_before, std::sqrt(50.0 / 81), 1e-9);
  EXPECT_NEAR(column.numbers->spread_after, std::sqrt(50.0 / 81 + mse), 0.05);
  // Each of 80 rows stays with 0.6, each of 100 comes with 0.2.
  const PreviewColumn replaced = preview_of(channel.plan, {}).columns.at(0);
  const double wanted = std::sqrt(80 * 0.6 * 0.4 + 100 * 0.2 * 0.8) / 180;
  EXPECT_NEAR(replaced.deviation.at(0) / wanted, 1, 0.06);
}

TEST(Preview, BeforeIsExactWhereTheTableIsScaledDown) {
  Plan plan = one_column()[3].plan;
  Prior& prior = plan.scenario.priors.front();
  prior.by_secret = {counts_of({{1, 400'000}, {2, 150'001}}), counts_of({{1, 7}, {3, 599'992}})};
  const Preview preview = preview_of(plan, {});
  EXPECT_EQ(preview.rows, 1'150'000U);
  EXPECT_EQ(preview.draws, 20U);
  EXPECT_EQ(preview.simulated, 10'000U);
  EXPECT_EQ(preview.columns.at(0).before,
            (std::vector<double>{400'007 / 1.15e6, 150'001 / 1.15e6, 599'992 / 1.15e6}));
  EXPECT_TRUE(agrees(preview.columns.at(0), expected_of(plan), 200'000, plan.scenario));
  EXPECT_NE(std::find(preview.notes.begin(), preview.notes.end(),
                      "each draw is of 10000 rows in the proportions of the table's 1150000"),
            preview.notes.end());
}

TEST(Preview, ValuesThatVanishAreNamed) {
  Plan plan = one_column()[3].plan;
  plan.mechanism = Channel{{1, 2, 3}, {1, 2}, {{3, 1}, {1, 3}, {1, 1}}};
  const PreviewColumn column = preview_of(plan, {}).columns.at(0);
  EXPECT_EQ(column.vanished, std::vector<std::string>{"high"});
  EXPECT_EQ(column.after.at(2), 0);
  EXPECT_TRUE(preview_of(one_column()[4].plan, {}).columns.at(0).vanished.empty());
}

Plan two_columns(Mechanism mechanism) {
  Plan plan = plan_of(std::move(mechanism), {{{0, 30}, {3, 30}}, {{0, 10}, {1, 20}, {2, 20}, {3, 70}}});
  plan.scenario.axes = {Axis{}, Axis{}};
  plan.scenario.points = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};
  plan.scenario.source->published = {"job", "pay"};
  plan.scenario.source->columns = {ColumnShape{.labels = {"a", "b"}}, ColumnShape{}};
  return plan;
}

// The law of two columns, each by its own noise, is that of one after the other.
TEST(Preview, AssociationsAreThoseOfTheExpectedTable) {
  const Plan plan = two_columns(JointNoise{Scale{1}, {laplace(8), laplace(10)}});
  const Preview preview = preview_of(plan, {.cross = std::pair("job", "pay")});
  Coded job{.groups = 2}, pay, secret{.groups = 2}, none{.groups = 2};
  std::vector<double> weights;
  const double counts[2][4] = {{30, 0, 0, 30}, {10, 20, 20, 70}};
  for (uint32_t s = 0; s < 2; ++s) {
    for (size_t k = 0; k < 4; ++k) {
      const Point& point = plan.scenario.points[k];
      for (const auto& [y, p] : law_of(laplace(8), point[0])) {
        for (const auto& [z, q] : law_of(laplace(10), point[1])) {
          if (p * q < 1e-12) continue;
          job.codes.push_back(y <= 1 ? 0 : 1);
          pay.numbers.push_back(static_cast<double>(z));
          secret.codes.push_back(s);
          weights.push_back(counts[s][k] * p * q);
        }
      }
    }
  }
  EXPECT_EQ(preview.names, (std::vector<std::string>{"job", "pay", "race"}));
  EXPECT_EQ(preview.measures[0][1], Measure::kRatio);
  EXPECT_NEAR(*preview.after[0][1], *association(job, pay, weights), 0.015);
  EXPECT_NEAR(*preview.after[0][2], *association(job, secret, weights), 0.015);
  EXPECT_NEAR(*preview.after[1][2], *association(pay, secret, weights), 0.015);
  EXPECT_GT(*preview.before[0][1], *preview.after[0][1] + 0.1);  // which a preview of no noise would show
  EXPECT_EQ(preview.after[1][0], preview.after[0][1]);
  EXPECT_NEAR(*preview.after[0][0], 1, 1e-9);
  double sum = 0;
  for (const auto& line : preview.cross->before) {
    for (double share : line) sum += share;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(preview.cross->before[0][static_cast<size_t>(
                  std::find(preview.cross->column_labels.begin(), preview.cross->column_labels.end(), "1") -
                  preview.cross->column_labels.begin())],
              40 / 180.0, 1e-12);
}

// Three hundred categories of few rows each: where values stay, so does the association, and where all become
// the same draw nothing is left, though each draw has chance cells (by squares: 0.039).
TEST(Preview, ChanceIsNoAssociation) {
  std::map<int64_t, uint64_t> first, second;
  std::vector<std::string> labels;
  Channel any;
  for (int64_t k = 1; k <= 300; ++k) {
    first[k] = 1 + static_cast<uint64_t>(k % 3);
    second[k] = 1 + static_cast<uint64_t>(k % 2);
    labels.push_back("v" + std::to_string(k));
    any.inputs.push_back(k);
  }
  any.outputs = any.inputs;
  any.weights.assign(300, std::vector<Integer>(300, Integer(1)));
  Plan plan = plan_of(any, {first, second});
  plan.scenario.source->columns.front().labels = labels;
  const Preview drawn = preview_of(plan, {});
  EXPECT_GT(*drawn.before[0][1], 0.2);
  EXPECT_LT(*drawn.after[0][1], 0.03);
  plan.mechanism = identity_channel(any.inputs);
  const Preview same = preview_of(plan, {});
  EXPECT_NEAR(*same.after[0][1], *same.before[0][1], 1e-9);
  EXPECT_EQ(same.unchanged, 1);
}

TEST(Preview, KnownColumnsAreShownAsTheyAre) {
  auto stratum = [](const std::string& city, uint64_t weight) {
    return SwapStratum{
        .known = {city}, .points = {0, 3}, .totals = {100, 100}, .flows = {{0, 1, weight}, {1, 0, weight}}};
  };
  Plan plan = two_columns(Swap{{stratum("Bonn", 30), stratum("Kiel", 10)}});
  plan.scenario.source->known = {"city"};
  auto prior = [](const std::string& city, uint64_t first, uint64_t second) {
    Prior result{"city = " + city, {counts_of({{0, first}, {3, 10}}), counts_of({{0, 10}, {3, second}})}};
    result.known = {city};
    return result;
  };
  plan.scenario.priors = {prior("Bonn", 90, 90), prior("Kiel", 40, 40)};
  const Preview preview = preview_of(plan, {});
  EXPECT_EQ(preview.rows, 300U);
  const PreviewColumn& city = preview.columns.at(2);
  EXPECT_TRUE(city.known);
  EXPECT_EQ(city.labels, (std::vector<std::string>{"Bonn", "Kiel"}));
  EXPECT_EQ(city.before, (std::vector<double>{200 / 300.0, 100 / 300.0}));
  EXPECT_EQ(city.after, city.before);
  EXPECT_EQ(city.unchanged, 1);
  EXPECT_EQ(preview.before[2][3], preview.after[2][3]);  // the known column and the secret
  EXPECT_NEAR(preview.unchanged, (200 * 0.7 + 100 * 0.9) / 300, 0.01);
  for (size_t row = 0; row < preview.sample.before.size(); ++row)
    EXPECT_EQ(preview.sample.before[row][0], preview.sample.after[row][0]);
  EXPECT_EQ(preview.sample.columns, (std::vector<std::string>{"city", "job", "pay"}));
}

// Bags of at most two rows of a column: the second row of a person with one is padding, and counts for
// nothing.
TEST(Preview, SeveralRowsOfAPersonCountOneByOne) {
  Plan plan = plan_of(JointNoise{Scale{1}, {laplace(8), laplace(8)}}, {{{0, 1}}, {{0, 1}}});
  plan.scenario.axes = {Axis{}, Axis{}};
  plan.scenario.points = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};
  plan.scenario.source->person = Person{"id", std::string(64, '0'), 2};
  plan.scenario.source->columns = {ColumnShape{}, ColumnShape{}};
  Prior one{name_of_rows(1), {counts_of({{0, 30}}), counts_of({{2, 30}})}};
  one.known = {"1"};
  Prior two{name_of_rows(2), {counts_of({{1, 20}}), counts_of({{3, 20}})}};
  two.known = {"2"};
  plan.scenario.priors = {one, two};
  const PlanRows rows = plan_rows(plan.scenario);
  EXPECT_EQ(rows.rows, 60U + 80U);
  const Preview preview = preview_of(plan, {});
  const PreviewColumn& column = preview.columns.at(0);
  EXPECT_EQ(preview.columns.size(), 1U);
  const auto one_at =
      static_cast<size_t>(std::find(column.labels.begin(), column.labels.end(), "1") - column.labels.begin());
  EXPECT_NEAR(column.before.at(one_at), 50 / 140.0,
              1e-12);  // thirty people's only row, twenty people's first
  EXPECT_EQ(preview.sample.columns, std::vector<std::string>{"job"});
}

TEST(Preview, DatesAreWrittenAsDates) {
  Plan plan = plan_of(laplace(8), {{{12'000, 50}}, {{12'010, 50}}});
  plan.scenario.source->columns.front().reads.date = DateReading{};
  const PreviewColumn column = preview_of(plan, {}).columns.at(0);
  EXPECT_TRUE(column.date);
  EXPECT_EQ(column.numbers->mean_before_text, "2002-11-14");
  EXPECT_TRUE(column.labels.at(1).find("2002-1") != std::string::npos) << column.labels.at(1);
  EXPECT_EQ(preview_of(plan, {}).sample.before.at(0).at(0).substr(0, 6), "2002-1");
}

TEST(Preview, AScenarioThatCountsNoRowsHasFrequencies) {
  Plan plan = plan_of(laplace(8), {{{1, 1}, {2, 3}}, {{1, 1}, {2, 1}}});
  plan.scenario.source.reset();
  const Preview preview = preview_of(plan, {});
  EXPECT_FALSE(preview.rows);
  EXPECT_EQ(preview.simulated, 10'000U);
  EXPECT_EQ(preview.notes.at(1),
            "the plan does not count rows: before are its frequencies, and a release is one of 10000 rows");
  EXPECT_EQ(preview.sample.columns, std::vector<std::string>{"column 1"});
  EXPECT_EQ(preview.sample.before.at(0).size(), 1U);
  plan.scenario.source = Source{};  // which names no column
  EXPECT_EQ(preview_of(plan, {}).sample.columns, std::vector<std::string>{"column 1"});
}

TEST(Preview, ManyCategoriesAreShownTogether) {
  std::map<int64_t, uint64_t> law;
  std::vector<std::string> labels;
  for (int64_t k = 1; k <= 5'000; ++k) {
    law[k] = k == 77 ? 9'000 : 2;
    labels.push_back("v" + std::to_string(k));
  }
  Plan plan = plan_of(laplace(2), {law, law});
  plan.scenario.source->columns.front().labels = labels;
  const PreviewColumn column = preview_of(plan, {}).columns.at(0);
  EXPECT_EQ(column.labels.size(), 40U);
  EXPECT_EQ(column.labels.back(), "(4961 others)");
  EXPECT_NE(std::find(column.labels.begin(), column.labels.end(), "v77"), column.labels.end());
}

TEST(Preview, WhatIsAskedWronglyIsSaid) {
  const Plan plan = one_column()[3].plan;
  auto refused = [&](const PreviewOptions& options, const std::string& message, const std::string& hint) {
    try {
      preview_of(plan, options);
      ADD_FAILURE() << message;
    } catch (const Error& error) {
      testing::expect_error(error, ErrorKind::kUsage, message, hint);
    }
  };
  refused({.cross = std::pair("job", "pay")}, "--cross: the plan has no column 'pay'",
          "name two of its columns: released, known, or the secret");
  refused({.cross = std::pair("race", "secret")}, "--cross: a column is named twice",
          "name two of the plan's columns");
  refused({.draws = 0}, "--draws: this must be from 1 to 1000", "leave it out, or write 20");
}

}  // namespace
}  // namespace fugu
