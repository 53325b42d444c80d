#include "fugu/compose/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "fugu/compose/compose_columns.h"
#include "fugu/compose/delta_bounds.h"
#include "fugu/compose/exchange.h"
#include "fugu/compose/joint_loss.h"
#include "fugu/compose/plan_bounds.h"
#include "fugu/compose/transfer_bound.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/proof/refusals.h"
#include "fugu/scenario/domain.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kBits = 128;
constexpr const char* kOnePlan =
    "two columns may reveal nothing alone and everything together; use one plan for both, or for all but one "
    "a --method that hides the values themselves: dp-laplace, randomized-response";

void check_source(const Source& first, const Source& other) {
  if (first.published != other.published || first.header != other.header)
    throw does_not_compose("they release different columns", kOnePlan);
  if (first.person != other.person) {
    throw does_not_compose(
        "they take other rows of the people (--person)",
        "rows of one person are different values: release by one plan, which keeps its draw");
  }
  auto differ = [&](auto ColumnShape::*... part) {
    if (first.columns.size() != other.columns.size()) return true;
    for (size_t c = 0; c < first.columns.size(); ++c) {
      if (((first.columns[c].*part != other.columns[c].*part) || ...)) return true;
    }
    return false;
  };
  if (differ(&ColumnShape::labels)) {
    throw does_not_compose("the categories are not the same in the same order",
                           "noise depends on the order: calibrate with the same --order");
  }
  if (first.na != other.na || first.missing != other.missing ||
      differ(&ColumnShape::map, &ColumnShape::reads, &ColumnShape::step)) {
    throw does_not_compose(
        "the column was not read in the same way (--na, --missing, --kind, --map or --step)",
        "calibrate with the same flags");
  }
  if (differ(&ColumnShape::clip))
    throw does_not_compose("their values are held within different ranges", "calibrate with the same clip");
  if (differ(&ColumnShape::bin, &ColumnShape::edges, &ColumnShape::rare)) {
    throw does_not_compose(
        "their values were not shaped in the same way (--bin, --bin-edges or --merge-rare)",
        "calibrate with the same flags");
  }
}

}  // namespace

void check_is_of_odds(const Scenario& scenario) {
  if (!scenario.is_of_belief()) return;
  throw does_not_compose("a promise in belief is about one release, and fugu knows no sum of several",
                         "calibrate with --promise odds; fugu compose says what several of those come to");
}

void check_same_known(const Scenario& first, const Scenario& other, Beliefs beliefs) {
  if (!first.source) return;
  if (beliefs == Beliefs::kSame && first.source->given != other.source->given) {
    throw does_not_compose(
        "they were calibrated against different columns that an adversary may know (--given)",
        "calibrate each with the same --given: neither plan covers somebody who knows more columns");
  }
  if (first.source->known != other.source->known) {
    throw does_not_compose("they were calibrated within groups of different known columns (--known)",
                           "calibrate each with the same --known");
  }
}

void check_same_promise(const Scenario& first, const Scenario& other) {
  for (const Scenario* one : {&first, &other}) check_is_of_odds(*one);
  const size_t secrets = first.secrets.size();
  const bool all = first.pairs.is_all() && other.pairs.is_all();
  if (!all && (first.secrets != other.secrets || first.pairs.list(secrets) != other.pairs.list(secrets)))
    throw does_not_compose("they protect different pairs of secrets", "calibrate with the same --pairs");
  if (first.lambda() != other.lambda())
    throw does_not_compose("they cover beliefs with different closeness",
                           "calibrate with the same --closeness");
  if (first.confidence != other.confidence)
    throw does_not_compose("they hold with different confidence", "calibrate with the same --confidence");
  if (first.bounded_by != other.bounded_by || first.sampling != other.sampling) {
    throw does_not_compose("they use different bounds of the counts",
                           "calibrate with the same --bounds, --population and --census");
  }
}

void check_same(const Scenario& first, const Scenario& other, Beliefs beliefs) {
  check_same_value(first, other);
  if (first.source && first.source->secret != other.source->secret)
    throw does_not_compose("they hide different secret columns", "compose plans of one secret");
  if (first.secrets != other.secrets)
    throw does_not_compose("their secrets are not the same in the same order",
                           "compose plans of one question");
  check_same_promise(first, other);
  check_same_known(first, other, beliefs);
  auto same_prior = [](const Prior& a, const Prior& b) {
    return a.by_secret == b.by_secret && a.known == b.known;
  };
  const bool same_priors =
      first.points == other.points && std::equal(first.priors.begin(), first.priors.end(),
                                                 other.priors.begin(), other.priors.end(), same_prior);
  if (beliefs == Beliefs::kSame && !same_priors) {
    throw does_not_compose(
        "their priors differ: they were made from different tables, or with different priors",
        "calibrate each on the same table; where it has only grown or shrunk and nobody's value has changed, "
        "say so with --values-unchanged; or keep a ledger, which counts changing tables");
  }
}

Scenario common_scenario(std::vector<Plan>& plans, Beliefs beliefs) {
  // What holds for every close belief holds under the priors themselves; together they are widened from
  // there.
  for (Plan& plan : plans) {
    check_is_of_odds(plan.scenario);
    plan.scenario.own_budgets.clear();  // epsilon is the largest
    if (plan.scenario.closeness) plan.scenario.closeness->by = Closeness::By::kBudget;
  }
  for (const Plan& plan : plans) check_same_value(plans.front().scenario, plan.scenario);
  if (plans.front().scenario.is_joint() && beliefs == Beliefs::kAny) share_points(plans);
  Scenario common = plans.front().scenario;
  for (const Plan& plan : plans) {
    check_same(common, plan.scenario, beliefs);
    std::vector<int64_t> unseen;
    std::set_union(common.unseen.begin(), common.unseen.end(), plan.scenario.unseen.begin(),
                   plan.scenario.unseen.end(), std::back_inserter(unseen));
    common.unseen = std::move(unseen);
    for (const Prior& prior : plan.scenario.priors) {
      const bool known = std::any_of(common.priors.begin(), common.priors.end(), [&](const Prior& one) {
        return one.by_secret == prior.by_secret && one.known == prior.known;
      });
      if (!known) common.priors.push_back(prior);
    }
  }
  return common;
}

namespace {

Composition own_guarantee(const Plan& plan) {
  check_is_of_odds(plan.scenario);
  const auto [epsilon, delta] = plan.scenario.stated();
  return {epsilon.value(), delta.value(), "single"};
}

// Beliefs close to a prior cost what section 9 says: 2 lambda more, and a delta e^lambda times as large.
void widen_for_close_beliefs(Composition& bound, const Rational& lambda) {
  if (lambda == 0) return;
  bound.epsilon += 2 * lambda;
  if (bound.delta > 0)
    bound.delta = exact((exp(Interval(lambda, kBits)) * Interval(bound.delta, kBits)).upper());
}

// The most that exchanging any value of the domain for any other can change the odds: whatever the law.
std::optional<Interval> range_bound(const std::vector<int64_t>& domain, std::vector<Exchange>& releases) {
  Interval least(Integer(1), kBits);
  for (int64_t from : domain) {
    for (int64_t to : domain) {
      Interval kept(Integer(1), kBits);
      for (Exchange& release : releases) kept *= release.kept(from, to);
      if (!kept.certainly_positive()) return std::nullopt;
      if (lower_less(kept, least)) least = kept;
    }
  }
  return log(Interval(Integer(1), kBits) / least);
}

// The ratios of the noise, when all of it is Laplace's (or none).
std::optional<std::vector<Rational>> laplace_ratios(const std::vector<Plan>& plans) {
  std::vector<Rational> ratios;
  for (const Plan& plan : plans) {
    const Noise* noise = std::get_if<Noise>(&plan.mechanism);
    if (!noise || noise->reach() != 0) return std::nullopt;
    ratios.push_back(noise->tail.value());
  }
  return ratios;
}

std::vector<Composition> prior_bounds(const Scenario& scenario, const std::vector<Plan>& plans,
                                      const std::optional<Rational>& asked) {
  const BudgetSum sum = sum_of(plans);
  std::vector<Composition> bounds;
  auto add = [&](const std::optional<Interval>& epsilon, const char* name) {
    if (epsilon) bounds.push_back({tidy(*epsilon, sum.epsilon), Rational(0), name});
  };
  std::vector<const Mechanism*> mechanisms;
  mechanisms.reserve(plans.size());
  for (const Plan& plan : plans) mechanisms.push_back(&plan.mechanism);
  if (scenario.confidence) {
    // The other bounds are of the table's own laws; these are of every law.
    std::vector<Exchange> releases;
    releases.reserve(plans.size());
    for (const Plan& plan : plans)
      releases.emplace_back(plan.mechanism, plan.scenario.epsilon.value(), kBits);
    add(range_bound(domain_of(scenario), releases), "range");
    add(transfer_bound(scenario, mechanisms, sum.epsilon, kBits), "transfer");
    add_delta_bounds(scenario, plans, asked, bounds);
    return bounds;
  }
  add(raw_loss(scenario, kBits), "raw");
  const auto joint = joint_loss(scenario, mechanisms, kBits);
  add(joint, "joint");

  std::vector<Exchange> releases;
  releases.reserve(plans.size());
  for (const Plan& plan : plans) releases.emplace_back(plan.mechanism, plan.scenario.epsilon.value(), kBits);
  // The exact loss is never above these three.
  if (!joint) add(transfer_bound(scenario, mechanisms, sum.epsilon, kBits), "transfer");
  const auto rows = joint ? std::nullopt : row_bound(scenario, releases, kBits);
  add(rows, "rows");
  const auto ratios = laplace_ratios(plans);
  if (!joint && !rows && ratios) add(distance_bound(scenario, *ratios, kBits), "distance");

  add_delta_bounds(scenario, plans, asked, bounds);
  return bounds;
}

}  // namespace

Rational tidy(const Interval& bound, const Rational& sum) {
  const Rational rounded = exact(std::max(0.0, bound.upper()));
  return rounded >= sum && certainly_at_most(bound, Interval(sum, kBits)) ? sum : rounded;
}

BudgetSum sum_of(const std::vector<Plan>& plans) {
  BudgetSum sum;
  for (const Plan& plan : plans) {
    sum.epsilon += plan.scenario.epsilon.value();
    sum.delta += plan.scenario.delta.value();
  }
  return sum;
}

void check_same_value(const Scenario& first, const Scenario& other) {
  if (first.is_joint() != other.is_joint())
    throw does_not_compose("one releases several columns together and one does not", kOnePlan);
  if (first.source.has_value() != other.source.has_value()) {
    throw does_not_compose("one is of a table's column and one is not", "compose plans of one column");
  }
  if (first.source) check_source(*first.source, *other.source);
  auto same_lattice = [](const Axis& a, const Axis& b) { return a.lattice == b.lattice; };
  if (first.lattice != other.lattice ||
      !std::equal(first.axes.begin(), first.axes.end(), other.axes.begin(), other.axes.end(), same_lattice))
    throw does_not_compose("their values lie on different lattices", "calibrate with the same --step");
}

std::vector<Composition> sound_bounds(std::vector<Plan> plans, Beliefs beliefs,
                                      const std::optional<Rational>& asked) {
  const Scenario scenario = common_scenario(plans, beliefs);
  const bool strata = std::any_of(plans.begin(), plans.end(), [](const Plan& plan) {
    return !plan.scenario.priors.front().known.empty() && std::holds_alternative<Swap>(plan.mechanism);
  });
  if (strata) {
    if (plans.size() == 1) return {own_guarantee(plans.front())};
    throw does_not_compose(
        "no bound is known for several releases of rows that trade places beside known columns",
        "release all columns once, together; further copies of that release cost nothing");
  }
  if (scenario.is_joint()) {
    if (plans.size() == 1) return {own_guarantee(plans.front())};
    std::vector<Composition> bounds = joint_bounds(scenario, plans);
    for (Composition& bound : bounds) widen_for_close_beliefs(bound, scenario.lambda());
    return bounds;
  }
  for (Plan& plan : plans) plan.mechanism = spelled_out(std::move(plan.mechanism));
  std::optional<Rational> within = asked;  // before close beliefs make it e^lambda times as large
  if (within && scenario.lambda() != 0)
    within = exact((Interval(*asked, kBits) / exp(Interval(scenario.lambda(), kBits))).lower());
  std::vector<Composition> bounds = prior_bounds(scenario, plans, within);
  for (Composition& bound : bounds) widen_for_close_beliefs(bound, scenario.lambda());
  if (plans.size() == 1) bounds.push_back(own_guarantee(plans.front()));
  return bounds;
}

const Composition* least_bound(const std::vector<Composition>& bounds, const Rational& delta) {
  const Composition* least = nullptr;
  for (const Composition& bound : bounds) {
    if (bound.delta > delta) continue;
    if (!least || bound.epsilon < least->epsilon ||
        (bound.epsilon == least->epsilon && bound.delta < least->delta)) {
      least = &bound;
    }
  }
  return least;
}

Composition compose(const std::vector<Plan>& plans, const std::optional<Rational>& asked, Beliefs beliefs) {
  if (plans.size() == 1 && !asked) return own_guarantee(plans.front());
  const auto bounds =
      of_one_value(plans) ? sound_bounds(plans, beliefs, asked) : bounds_across(plans, asked, beliefs);
  Rational stated(0);
  for (const Plan& plan : plans) stated += plan.scenario.stated().delta.value();
  const Composition* least = least_bound(bounds, asked ? *asked : stated);
  if (!least && asked && least_bound(bounds, Rational(1))) {
    throw does_not_compose("no bound with so small a delta is known",
                           "ask for a larger --delta, or for none");
  }
  if (!least) least = least_bound(bounds, Rational(1));
  if (!least) {
    throw does_not_compose("no finite bound of their joint loss is known",
                           "use noise with tails, such as laplace, in every plan: then one is");
  }
  return *least;
}

Json bound_number(const Rational& value) {
  const auto nearest = static_cast<double>(value);
  return exact(nearest) == value ? Json::number(nearest) : number_to_json(value);
}

Json composition_to_json(const Composition& composition) {
  Json json = Json::object();
  json.add("epsilon", bound_number(composition.epsilon));
  json.add("delta", bound_number(composition.delta));
  json.add("bound", Json::string(composition.bound));
  return json;
}

std::string in_words(const Composition& composition) {
  if (composition.epsilon == 0 && composition.delta == 0) return "nothing is revealed about the secrets";
  if (composition.epsilon > 100) return "that is as good as no promise";
  // Below what can be asked for, the least that can.
  auto at_least = [](const Rational& value, unsigned places) {
    return to_text(std::max(value, Rational(Integer(1), pow(Integer(10), places))));
  };
  const std::string delta = composition.delta == 0 ? "0" : at_least(composition.delta, 60);
  return in_words(Epsilon::parse(at_least(composition.epsilon, 15), "epsilon", ErrorKind::kBug),
                  Delta::parse(delta, "delta", ErrorKind::kBug));
}

}  // namespace fugu::inline in_compose
