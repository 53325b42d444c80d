// Rows that trade places: the proof against exact rationals, and what is forged is refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fugu/core/interval.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/proof/claimed_plan.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/verify/verify.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

using Counts = std::vector<std::vector<uint64_t>>;  // by secret, by value

Prior prior_of(const std::string& name, const Counts& counts, std::vector<std::string> known = {}) {
  Prior prior{.name = name, .by_secret = {}, .known = std::move(known)};
  for (const auto& secret : counts) {
    std::vector<int64_t> atoms;
    std::vector<uint64_t> positive;
    for (size_t x = 0; x < secret.size(); ++x) {
      if (secret[x] == 0) continue;
      atoms.push_back(static_cast<int64_t>(x));
      positive.push_back(secret[x]);
    }
    prior.by_secret.push_back(Distribution::from_counts(atoms, positive));
  }
  return prior;
}

Scenario scenario_of(const std::vector<Prior>& priors, const char* epsilon) {
  Scenario scenario{testing::epsilon_of(epsilon)};
  for (size_t s = 0; s < priors.front().by_secret.size(); ++s)
    scenario.secrets.push_back(std::string(1, static_cast<char>('A' + s)));
  scenario.priors = priors;
  return scenario;
}

// The same of several columns: the k-th value is the k-th of these points.
Scenario joint(Scenario scenario) {
  scenario.axes = {{{1, 0}}, {{Rational(1, 2), 0}}};
  for (const Prior& prior : scenario.priors) {
    for (const Distribution& law : prior.by_secret) {
      while (static_cast<int64_t>(scenario.points.size()) <= law.atoms().back()) {
        const auto k = static_cast<int64_t>(scenario.points.size());
        scenario.points.push_back({k / 2, 7 - k % 2});
      }
    }
  }
  std::sort(scenario.points.begin(), scenario.points.end());
  return scenario;
}

// P(y|s), exactly.
std::map<int64_t, Rational> law_after(const SwapStratum& swap, const Distribution& law) {
  std::map<int64_t, Rational> result;
  for (size_t k = 0; k < law.size(); ++k) {
    const auto x = static_cast<uint32_t>(
        std::lower_bound(swap.points.begin(), swap.points.end(), law.atoms()[k]) - swap.points.begin());
    Rational stays(1);
    for (const SwapFlow& flow : swap.flows) {
      if (flow.from != x) continue;
      const Rational share(Integer(flow.weight), Integer(swap.totals[x]));
      stays -= share;
      result[swap.points[flow.to]] += share * law.mass(k);
    }
    if (stays > 0) result[swap.points[x]] += stays * law.mass(k);
  }
  return result;
}

// The largest ratio of two secrets' masses over every output, prior and pair; nullopt where it is infinite.
std::optional<Rational> largest_ratio(const Scenario& scenario, const Swap& swap) {
  Rational largest(1);
  for (const Prior& prior : scenario.priors) {
    std::vector<std::map<int64_t, Rational>> laws;
    for (const Distribution& law : prior.by_secret)
      laws.push_back(law_after(*swap.stratum(prior.known), law));
    for (const auto& first : laws) {
      for (const auto& second : laws) {
        for (const auto& [output, mass] : first) {
          const auto other = second.find(output);
          if (other == second.end()) return std::nullopt;
          largest = std::max(largest, Rational(mass / other->second));
        }
      }
    }
  }
  return largest;
}

SwapStratum drawn_stratum(const std::vector<uint64_t>& counts, std::vector<std::string> known) {
  SwapStratum swap{std::move(known), {}, {}, {}};
  for (size_t x = 0; x < counts.size(); ++x) {
    if (counts[x] == 0) continue;
    swap.points.push_back(static_cast<int64_t>(x));
    swap.totals.push_back(counts[x] * 16);
  }
  // Cycles, each of a weight that all of its points can spare.
  std::vector<uint64_t> left = swap.totals;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> flows;
  const auto cycles = *rc::gen::inRange(0, 6);
  const auto size = static_cast<uint32_t>(swap.points.size());
  for (int c = 0; c < cycles && size > 1; ++c) {
    auto cycle =
        *rc::gen::resize(5, rc::gen::unique<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, size)));
    if (cycle.size() < 2) continue;
    uint64_t most = UINT64_MAX;
    for (uint32_t x : cycle) most = std::min(most, left[x]);
    const uint64_t weight = *rc::gen::inRange<uint64_t>(0, most + 1);
    if (weight == 0) continue;
    for (size_t k = 0; k < cycle.size(); ++k) {
      flows[{cycle[k], cycle[(k + 1) % cycle.size()]}] += weight;
      left[cycle[k]] -= weight;
    }
  }
  for (const auto& [ends, weight] : flows) swap.flows.push_back({ends.first, ends.second, weight});
  return swap;
}

struct Drawn {
  Scenario scenario;
  Swap swap;
};

Drawn drawn_case() {
  const size_t secrets = *rc::gen::inRange<size_t>(2, 4), values = *rc::gen::inRange<size_t>(2, 7);
  const size_t strata = *rc::gen::inRange<size_t>(1, 3);
  const bool known = strata > 1;
  std::vector<Prior> priors;
  Swap swap;
  for (size_t t = 0; t < strata; ++t) {
    Counts counts(secrets, std::vector<uint64_t>(values));
    std::vector<uint64_t> sums(values);
    for (auto& row : counts) {
      for (uint64_t& count : row) count = *rc::gen::inRange<uint64_t>(0, 9);
      row[0] += 1;
      if (t == 0 && &row == &counts[0]) {  // each value is some prior's
        for (uint64_t& count : row) count += 1;
      }
      for (size_t x = 0; x < values; ++x) sums[x] += row[x];
    }
    const std::vector<std::string> texts =
        known ? std::vector<std::string>{std::to_string(t)} : std::vector<std::string>{};
    priors.push_back(prior_of("p" + std::to_string(t), counts, texts));
    swap.strata.push_back(drawn_stratum(sums, texts));
    if (*rc::gen::arbitrary<bool>()) {  // another belief about the same rows
      for (auto& row : counts) std::rotate(row.begin(), row.begin() + 1, row.end());
      for (auto& row : counts) {
        for (size_t x = 0; x < values; ++x) row[x] = sums[x] == 0 ? 0 : row[x] + 1;
      }
      priors.push_back(prior_of("q" + std::to_string(t), counts, texts));
    }
  }
  Scenario scenario = scenario_of(priors, *rc::gen::element("0.1", "0.5", "1", "3"));
  return {*rc::gen::arbitrary<bool>() ? joint(std::move(scenario)) : std::move(scenario), std::move(swap)};
}

RC_GTEST_PROP(Swap, IsProvedExactlyWhereTheLargestRatioSaysSo, ()) {
  const auto [scenario, swap] = drawn_case();
  const Proof proof = prove(scenario, swap);
  const auto ratio = largest_ratio(scenario, swap);
  RC_ASSERT(proof.infinite == !ratio.has_value());
  if (!ratio) return;
  const Interval limit = exp(Interval(scenario.epsilon.value(), 512));
  RC_ASSERT(proof.holds == certainly_at_most(Interval(*ratio, 512), limit));
  RC_ASSERT(*proof.witness.loss >= log(Interval(*ratio, 512)).lower() - 1e-12);
}

RC_GTEST_PROP(Swap, LeavesEveryFrequencyAsItIs, ()) {
  const auto [scenario, swap] = drawn_case();
  RC_ASSERT(keeps_frequencies(scenario, swap));
  for (const Prior* own : scenario.own_priors()) {
    const SwapStratum& stratum = *swap.stratum(own->known);
    const auto rows = scenario.population(stratum.points, own->known);
    std::map<int64_t, Rational> after;
    for (size_t s = 0; s < own->by_secret.size(); ++s) {
      for (const auto& [output, mass] : law_after(stratum, own->by_secret[s]))
        after[output] += mass * own->by_secret[s].total();
    }
    for (size_t x = 0; x < rows.size(); ++x) RC_ASSERT(after[stratum.points[x]] == rows[x]);
  }
}

Plan plan_of(const Scenario& scenario, const Swap& swap) {
  Plan plan{scenario, "swap", swap, 0, {}, {}, {}, {}, {}};
  plan.mse = mean_square_error(scenario, plan.mechanism);
  plan.objective = {{.kind = ErrorMeasure::kZeroOne},
                    mean_error(scenario, swap, {.kind = ErrorMeasure::kZeroOne})};
  plan.unchanged = static_cast<double>(swap_facts(scenario, swap).unchanged);
  plan.sensitivity = measure_sensitivity(plan);
  plan.witness = prove(scenario, plan.mechanism).witness;
  plan.assumptions = assumptions_of(plan);
  return plan;
}

RC_GTEST_PROP(Swap, IsReadBackAsItWasWritten, ()) {
  const auto [scenario, swap] = drawn_case();
  const Plan plan = plan_of(scenario, swap);
  const Json file = plan_to_json(plan);
  const Plan again = plan_from_json(file, "plan");
  RC_ASSERT(again.mechanism == plan.mechanism);
  RC_ASSERT(again.unchanged == plan.unchanged);
  const auto claimed = read_claim(file, "plan");
  RC_ASSERT(claimed.has_value());
  RC_ASSERT(claimed->mechanism == plan.mechanism);
  RC_ASSERT(same_claim(claimed->claim, plan.scenario));
}

// A third of A's rows and a sixth of B's are at 0; half of what leaves 0 goes to 1 and comes back.
Plan small_plan() {
  return plan_of(scenario_of({prior_of("p", {{4, 8}, {2, 10}})}, "0.5"),
                 {{{{}, {0, 1}, {6 * 8, 18 * 8}, {{0, 1, 24}, {1, 0, 24}}}}});
}

std::string verdict(const Plan& plan) {
  try {
    verify(plan, plan_to_json(plan), "plan");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kGuarantee);
    return error.message().substr(std::string("the plan does not verify: ").size());
  }
  return "accepted";
}

Plan forged(const std::function<void(SwapStratum&)>& change) {
  Plan plan = small_plan();
  change(std::get<Swap>(plan.mechanism).strata.front());
  const Proof proof = prove(plan.scenario, plan.mechanism);
  Plan again = plan_of(plan.scenario, std::get<Swap>(plan.mechanism));
  again.witness = proof.witness;
  return again;
}

TEST(Swap, RefusesWhatIsForged) {
  EXPECT_EQ(verdict(small_plan()), "accepted");
  const std::string frequencies = "what comes to a row is not what leaves it: frequencies would change";
  EXPECT_EQ(verdict(forged([](SwapStratum& swap) { swap.flows[0].weight = 25; })), frequencies);
  EXPECT_EQ(verdict(forged([](SwapStratum& swap) { swap.totals[0] += 8; })), frequencies);
  EXPECT_TRUE(verdict(forged([](SwapStratum& swap) {
                swap.flows.clear();
              })).starts_with("an output tells two secrets apart by more than epsilon 0.5"));
  Plan share = small_plan();
  *share.unchanged += 0.01;
  EXPECT_EQ(verdict(share), "the unchanged share is not that of the flows");
  share = small_plan();
  share.method = "channel";
  EXPECT_EQ(verdict(share), "the scale is not that of the noise");
}

TEST(Swap, RefusesABudgetThatItDoesNotProve) {
  Plan plan = small_plan();
  plan.scenario.delta = Delta::parse("0.01", "test", ErrorKind::kData);
  EXPECT_THROW(prove(plan.scenario, plan.mechanism), Error);
}

TEST(Swap, RefusesAValueWithoutAPlace) {
  Plan plan = small_plan();
  plan.scenario.priors.push_back(prior_of("q", {{1, 1, 1}, {1, 1, 1}}));
  EXPECT_THROW(prove(plan.scenario, plan.mechanism), Error);
}

// What the reader refuses before anything is proved.
TEST(Swap, RefusesFlowsThatAreNone) {
  const std::string good = R"({"noise": "swap", "scale": null, "points": [0, 1], "totals": ["8", "8"],
    "flows": [[0, 1, "3"], [1, 0, "3"]]})";
  auto read = [](const std::string& text) { return mechanism_from_json(parse_json(text, "m"), {}, "m"); };
  EXPECT_NO_THROW(read(good));
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"[0, 1, \"3\"]", "[0, 2, \"3\"]"},
                                                        {"[0, 1, \"3\"]", "[0, 1, \"9\"]"},
                                                        {"[0, 1, \"3\"]", "[0, 0, \"3\"]"},
                                                        {"[0, 1, \"3\"]", "[0, 1, \"0\"]"},
                                                        {"[0, 1, \"3\"]", "[0, 1, \"-3\"]"},
                                                        {"[0, 1, \"3\"]", "[0, 1, \"18446744073709551619\"]"},
                                                        {"[0, 1, \"3\"]", "[1, 0, \"3\"]"},
                                                        {"[0, 1]", "[1, 0]"},
                                                        {"[0, 1]", "[0, 0.5]"},
                                                        {"\"8\", \"8\"", "\"8\", \"0\""},
                                                        {"\"8\", \"8\"", "\"8\""},
                                                        {"null", "1"}}) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    EXPECT_THROW(read(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace fugu
