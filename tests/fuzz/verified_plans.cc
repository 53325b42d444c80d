#include "tests/fuzz/verified_plans.h"

#include <tbb/global_control.h>

#include <algorithm>

#include "fugu/plan/published.h"
#include "fugu/plan/statement.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/verify/verify.h"
#include "fugu/verify/verify_model.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/brute_force.h"

namespace fugu::fuzz {
namespace {

constexpr size_t kMostMasses = 200, kMostLaws = 12;
constexpr int64_t kMostSteps = 300, kMostBruteSteps = 40;

bool is_small(const Integer& number) { return number < (Integer(1) << 400); }
bool is_small(const Rational& number) { return is_small(numerator(number)) && is_small(denominator(number)); }

bool is_small(const Noise& noise) {
  return noise.reach() <= kMostSteps && noise.tail.bits <= 400 &&
         std::all_of(noise.weights.begin(), noise.weights.end(),
                     [](const Integer& w) { return is_small(w); });
}

bool is_small(const Mechanism& mechanism) {
  if (const Noise* noise = std::get_if<Noise>(&mechanism)) return is_small(*noise);
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism))
    return std::all_of(joint->columns.begin(), joint->columns.end(),
                       [](const Noise& noise) { return is_small(noise); });
  if (const Channel* channel = std::get_if<Channel>(&mechanism))
    return channel->inputs.size() * channel->outputs.size() <= 400 &&
           std::all_of(channel->weights.begin(), channel->weights.end(), [](const auto& row) {
             return std::all_of(row.begin(), row.end(), [](const Integer& w) { return is_small(w); });
           });
  const auto& strata = std::get<Swap>(mechanism).strata;
  return strata.size() <= kMostLaws && std::all_of(strata.begin(), strata.end(), [](const auto& stratum) {
           return stratum.points.size() <= 60 && stratum.flows.size() <= 400;
         });
}

// How many outputs there are, at least: of several columns of the whole grid.
int64_t span_of(const Scenario& scenario) {
  if (!scenario.is_joint()) {
    const auto [low, high] = scenario.bounds();
    return std::min(high - low, kMostSteps * kMostSteps);
  }
  int64_t cells = 1;
  for (size_t axis = 0; axis < scenario.axes.size(); ++axis) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (const auto& point : scenario.points) {
      low = std::min(low, point[axis]);
      high = std::max(high, point[axis]);
    }
    cells = std::min((high - low + 1) * cells, kMostSteps * kMostSteps);
  }
  return cells;
}

bool is_small(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  size_t masses = 0;
  bool small = scenario.priors.size() * scenario.secrets.size() <= kMostLaws && scenario.axes.size() <= 6 &&
               is_small(scenario.epsilon.value()) && is_small(scenario.delta.value());
  for (const Prior& prior : scenario.priors) {
    for (const Distribution& law : prior.by_secret) {
      masses += law.size();
      small = small && is_small(law.total());
    }
    for (const Rational& share : prior.shares) small = small && is_small(share);
  }
  return small && masses <= kMostMasses && span_of(scenario) <= kMostSteps && is_small(plan.mechanism);
}

bool is_small(const Model& model) {
  const auto all_small = [](const auto& rows) {
    return std::all_of(rows.begin(), rows.end(), [](const auto& row) {
      return std::all_of(row.begin(), row.end(), [](const Rational& mass) { return is_small(mass); });
    });
  };
  if (const Crowd* crowd = std::get_if<Crowd>(&model)) {
    const auto short_values = [](int64_t value) { return value >= -20 && value <= 20; };
    return crowd->size() <= 20 && crowd->letters.size() <= 5 &&
           std::all_of(crowd->users.begin(), crowd->users.end(), [&](const CrowdUsers& users) {
             return std::all_of(users.values.begin(), users.values.end(), short_values) &&
                    std::all_of(users.masses.begin(), users.masses.end(),
                                [](const Rational& mass) { return is_small(mass); });
           });
  }
  if (const ChainModel* chain = std::get_if<ChainModel>(&model))
    return chain->states.size() <= 4 && chain->chains.size() <= 3 && chain->length <= 60 &&
           std::all_of(chain->chains.begin(), chain->chains.end(),
                       [&](const MarkovChain& one) { return all_small(one.transition); });
  const RateModel& rate = std::get<RateModel>(model);
  return rate.rows <= 40 && rate.secrets.size() <= 3 && rate.values.size() <= 4 &&
         rate.values.back() - rate.values.front() <= 20 && all_small(rate.laws);
}

// What the verifier says: nothing, or why not.
template <class AnyWitness>
struct Verdict {
  std::optional<AnyWitness> witness;
  std::string refusal;
  friend bool operator==(const Verdict&, const Verdict&) = default;
};
template <class Verify>
auto verdict_of(Verify verify) -> Verdict<decltype(verify())> {
  try {
    return {verify(), ""};
  } catch (const Error& error) {
    insist(error.kind() != ErrorKind::kBug, "no plan is a mistake of ours");
    insist(!error.message().empty(), "a refusal says what is wrong");
    return {std::nullopt, error.message()};
  }
}

Verdict<Witness> verdict_of(const Plan& plan, const Json& file) {
  const auto verdict = verdict_of([&] { return verify(plan, file, "plan"); });
  insist(verdict.refusal.find("it is read in two ways") == std::string::npos, "two readers see one claim");
  insist(verdict == verdict_of([&] { return verify(plan); }), "a plan is what its file says, time and again");
  return verdict;
}

// By secret the probabilities of what a channel gives out, in the order of its outputs.
std::vector<std::vector<Rational>> brute_masses(const Prior& prior, const Channel& channel) {
  std::vector<std::vector<Rational>> mass;
  for (const Distribution& law : prior.by_secret) {
    mass.emplace_back(channel.outputs.size());
    for (size_t k = 0; k < law.size(); ++k) {
      const auto at = std::lower_bound(channel.inputs.begin(), channel.inputs.end(), law.atoms()[k]);
      insist(at != channel.inputs.end() && *at == law.atoms()[k], "what is proved has a row for each value");
      const auto row = static_cast<size_t>(at - channel.inputs.begin());
      for (size_t out = 0; out < channel.outputs.size(); ++out)
        mass.back()[out] += law.mass(k) * Rational(channel.weights[row][out], channel.row_total(row));
    }
  }
  return mass;
}

// Whether more than delta of what one secret gives out is beyond `growth` times what the other does.
bool tells_more(const Prior& prior, const PairSet& pairs, const Mechanism& mechanism, const Rational& growth,
                const Rational& delta) {
  const Noise* noise = std::get_if<Noise>(&mechanism);
  if (noise && noise->tail.numerator > 0) return testing::brute_hockey(prior, pairs, *noise, growth) > delta;
  const auto mass =
      noise ? testing::brute_masses(prior, *noise) : brute_masses(prior, std::get<Channel>(mechanism));
  for (const auto& [a, b] : pairs.list(mass.size())) {
    for (const auto& [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
      Rational beyond(0);
      for (size_t k = 0; k < mass[i].size(); ++k)
        beyond += std::max(Rational(0), Rational(mass[i][k] - growth * mass[j][k]));
      if (beyond > delta) return true;
    }
  }
  return false;
}

// By definition, where that is quick: one column, exact masses, one budget.
void check_loss(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  if (scenario.is_joint() || scenario.has_boxes() || scenario.blur() != 0 || !scenario.is_plain()) return;
  const Mechanism mechanism = spelled_out(plan.mechanism);
  const Noise* noise = std::get_if<Noise>(&mechanism);
  if (!noise && !std::holds_alternative<Channel>(mechanism)) return;
  if (span_of(scenario) + 2 * (noise ? noise->reach() : 0) > kMostBruteSteps) return;
  if (scenario.epsilon.value() > 50) return;
  const Rational growth = testing::exp_bounds(scenario.epsilon.value()).high;
  for (const Prior& prior : scenario.priors)
    insist(!tells_more(prior, scenario.pairs, mechanism, growth, scenario.delta.value()),
           "what is verified keeps its promise");
}

void check_statement(const Plan& plan) {
  for (const uint64_t least : {kPublishMin, uint64_t{1}}) {
    const auto statement =
        read_or_refuse([&] { return statement_to_json({.plan = plan, .publish_min = least}); });
    if (!statement) continue;
    const std::string text = statement->pretty();
    const Json again = parse_json(text, "statement");
    insist(again.pretty() == text, "a statement is written in one way");
    const auto swap = read_or_refuse([&] { return published_swap_from_json(again, "statement"); });
    insist(swap.has_value(), "a statement says whether rows trade places");
    if (*swap) continue;
    const auto columns = read_or_refuse([&] { return published_from_json(again, "statement"); });
    insist(columns.has_value(), "a statement can be read");
  }
}

// The same with every fact that is stated beside what is proved.
Plan with_facts(Plan plan, const Witness& witness) {
  const Scenario& scenario = plan.scenario;
  const Noise* noise = std::get_if<Noise>(&plan.mechanism);
  plan.witness = witness;
  plan.mse = mean_square_error(scenario, plan.mechanism);
  if (plan.objective && plan.objective->measure.kind != ErrorMeasure::kTable)
    plan.objective->error = mean_error(scenario, plan.mechanism, plan.objective->measure);
  if (const Swap* swap = std::get_if<Swap>(&plan.mechanism))
    plan.unchanged = static_cast<double>(swap_facts(scenario, *swap).unchanged);
  if (plan.influence && noise && noise->reach() == 0 && noise->tail.numerator > 0)
    plan.influence = influence_of(*noise);
  plan.sensitivity = measure_sensitivity(plan);
  plan.assumptions = assumptions_of(plan);
  return plan;
}

bool check_if_verified(const Plan& plan) {
  const Json file = plan_to_json(plan);
  const auto verdict = verdict_of(plan, file);
  if (!verdict.witness) return false;
  const Plan again = plan_from_json(parse_json(file.pretty(), "written"), "written");
  insist(again == plan, "a plan that is verified reads back as itself");
  insist(plan_to_json(again).pretty() == file.pretty(), "a plan that is verified is written in one way");
  check_loss(plan);
  check_statement(plan);
  return true;
}

// One thread: a finding is then found again.
void take_one_thread() { static tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1); }

}  // namespace

void check_verified(const Plan& plan) {
  take_one_thread();
  if (!is_small(plan) || check_if_verified(plan)) return;
  const auto proof = read_or_refuse([&] { return prove(plan.scenario, plan.mechanism); });
  if (!proof || !proof->holds) return;
  const auto truthful = read_or_refuse([&] { return with_facts(plan, proof->witness); });
  if (truthful) check_if_verified(*truthful);
}

void check_verified(const ModelPlan& plan) {
  take_one_thread();
  if (!is_small(plan.model) || !is_small(plan.noise) || !is_small(plan.budget.epsilon.value())) return;
  const auto verdict = verdict_of([&] { return verify(plan); });
  insist(verdict == verdict_of([&] { return verify(plan); }), "a plan is verified as before");
  if (!verdict.witness) return;
  read_or_refuse([&] { return parse_json(model_statement_to_json(plan).pretty(), "statement").pretty(); });
}

}  // namespace fugu::fuzz
