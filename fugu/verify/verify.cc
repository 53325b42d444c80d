#include "fugu/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "fugu/mechanism/joint_laplace.h"
#include "fugu/plan/one_row.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/proof/claimed_plan.h"
#include "fugu/proof/refusals.h"
#include "fugu/rows/field_values.h"
#include "fugu/rows/joined_label.h"
#include "fugu/rows/strata.h"
#include "fugu/scenario/bags.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/domain.h"
#include "fugu/scenario/further_priors.h"
#include "fugu/transport/bottleneck.h"
#include "fugu/transport/distances.h"
#include "fugu/transport/transfer.h"
#include "fugu/verify/stated.h"

namespace fugu::inline in_verify {
namespace {

// Whether the stated family makes these very integers at the stated scale. Where no scale is stated there is
// nothing to hold the integers against.
bool scale_makes_noise(const Plan& plan) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism)) {
    std::vector<Lattice> lattices;
    std::vector<Rational> weights;
    for (const Axis& axis : plan.scenario.axes) {
      lattices.push_back(axis.lattice);
      weights.push_back(axis.weight);
    }
    const bool possible = std::all_of(lattices.begin(), lattices.end(), [&](const Lattice& lattice) {
      return is_possible(joint->scale, lattice);
    });
    if (!possible && !changes_nothing(plan.mechanism)) return false;
    try {
      return *joint == joint_laplace(joint->scale, lattices, weights);
    } catch (const Error&) {
      return false;  // no such noise
    }
  }
  if (std::holds_alternative<Swap>(plan.mechanism)) return plan.method == "swap";
  const Noise* noise = std::get_if<Noise>(&plan.mechanism);
  if (!noise) return plan.method == "channel" || plan.method == "randomized-response";
  if (!noise->scale) return plan.method == "optimal" && noise->family == "optimal";
  return scale_makes_noise(*noise, plan.scenario.lattice);
}

void check_objective(const Plan& plan) {
  const bool is_optimum = plan.method == "optimal" || plan.method == "channel" || plan.method == "swap";
  if (is_optimum != plan.objective.has_value())
    throw does_not_verify("the objective does not go with the method");
  if (!plan.objective) return;
  const ErrorMeasure& measure = plan.objective->measure;
  const Channel* channel = std::get_if<Channel>(&plan.mechanism);
  const Swap* swap = std::get_if<Swap>(&plan.mechanism);
  const bool covered = channel ? measure.covers(channel->inputs, channel->outputs)
                       : swap && !plan.scenario.is_joint()
                           ? std::all_of(swap->strata.begin(), swap->strata.end(),
                                         [&](const SwapStratum& stratum) {
                                           return measure.covers(stratum.points, stratum.points);
                                         })
                           : measure.kind != ErrorMeasure::kTable;
  if (!covered) throw does_not_verify("the objective does not cover the mechanism");
  if (plan.objective->error != mean_error(plan.scenario, plan.mechanism, measure))
    throw does_not_verify("the error is not that of the mechanism");
}

// That rows which trade places leave every frequency as it was, and how many stay.
void check_swap(const Plan& plan) {
  const Swap* swap = std::get_if<Swap>(&plan.mechanism);
  if ((swap != nullptr) != plan.unchanged.has_value())
    throw does_not_verify("the unchanged share does not go with the mechanism");
  if (!swap) return;
  if (!keeps_frequencies(plan.scenario, *swap))
    throw does_not_verify("what comes to a row is not what leaves it: frequencies would change");
  if (*plan.unchanged != static_cast<double>(swap_facts(plan.scenario, *swap).unchanged))
    throw does_not_verify("the unchanged share is not that of the flows");
}

// That the influence is that of the noise, and that it keeps the promise however it is spent.
void check_influence(const Plan& plan) {
  const Noise* noise = std::get_if<Noise>(&plan.mechanism);
  const bool states = plan.method == "sharp" && !(noise && noise->is_none());
  if (states != plan.influence.has_value())
    throw does_not_verify("the influence does not go with the method");
  if (!states) return;
  if (!plan.scenario.is_plain())
    throw does_not_verify("an influence goes with one epsilon for the odds between secrets");
  if (!noise || noise->reach() != 0 || noise->tail.numerator == 0 || *plan.influence != influence_of(*noise))
    throw does_not_verify("the influence is not that of the noise");
  const LineTransfer transfer(plan.scenario);
  const auto holds = decide_with_more_bits(
      [&](Bits bits) {
        return transfer.holds(Interval(noise->tail.value(), bits),
                              exp(Interval(plan.scenario.epsilon.value(), bits)));
      },
      128, 1024);
  if (holds != true) throw does_not_verify("releases of this influence together do not keep epsilon");
}

// Of weights a plan does not tell how many people have them: a release counts these (release/count_check.cc).
void check_size(const Source& source, const Prior& prior) {
  const uint64_t least = source.weight ? 1 : std::max<uint64_t>(source.min_group, 1);
  for (const Distribution& secret : prior.by_secret) {
    if (secret.total() < least) throw does_not_verify("a group has fewer people than the plan says");
  }
}

// What a plan says of its strata must be what its priors show: whose belief each is, that it has as many
// people as it says, and that small ones were merged where it says so.
void check_strata(const Scenario& scenario) {
  if (scenario.rows_per_person() > 1) return;
  const Source* source = scenario.source ? &*scenario.source : nullptr;
  if (!source || !source->has_strata()) {
    const bool known = std::any_of(scenario.priors.begin(), scenario.priors.end(),
                                   [](const Prior& prior) { return !prior.known.empty(); });
    if (source && known) throw does_not_verify("a prior is of known columns, and the plan names none");
    return;
  }
  const std::vector<std::string> others{kOtherGroups};
  std::set<std::string> names;
  bool merged = false;
  for (const Prior* prior : scenario.own_priors()) {
    const bool other = prior->known == others;
    merged = merged || other;
    const bool named = other ? prior->name == kOtherGroups
                             : prior->known.size() == source->known.size() &&
                                   prior->name == group_name(source->known, source->header, prior->known);
    if (!named || !names.insert(prior->name).second)
      throw does_not_verify("a prior is not that of a group of the known columns");
    check_size(*source, *prior);
  }
  for (const auto* small : {&source->merged, &source->left_out}) {
    for (const std::string& name : *small) {
      if (!names.insert(name).second)
        throw does_not_verify("the groups are not those that the plan speaks of");
    }
  }
  if (merged != !source->merged.empty())
    throw does_not_verify("the groups are not those that the plan speaks of");
}

// Bags of rows must be what they are said to be, and each row's noise the same, because that is how rows are
// released.
void check_bags(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  if (scenario.rows_per_person() == 1) return;
  if (const std::string fault = fault_of_bags(scenario); !fault.empty()) throw does_not_verify(fault);
  if (!rows_are_alike(plan)) throw does_not_verify("the rows of a person do not have the same noise");
  for (const Prior& prior : scenario.priors) check_size(*scenario.source, prior);
}

// Of a column that is a part of the secret: the value that people with this secret have in it. Nullopt where
// the label does not tell, as 'a & b & c' of two columns.
std::optional<Placed> value_of_secret(const Scenario& column, size_t part, const std::string& secret) {
  const Source& source = *column.source;
  const auto texts = texts_of_label(secret, std::vector<std::string>(source.secret.size()));
  if (!texts) return std::nullopt;
  const FieldValues values(source, column.lattice, {INT64_MIN, INT64_MAX});
  const bool missing = source.missing == Missing::kKeep && (*texts)[part] == kMissingLabel;
  return values.place(missing ? "" : (*texts)[part]);
}

// A part of the secret that is itself released has no other law than the one value that the secret says. By
// any other a forged plan would have the secret written with noise for something else, or with none.
void check_released_secrets(const Scenario& scenario) {
  if (!scenario.source || !scenario.source->releases_secret()) return;
  const Source& source = *scenario.source;
  if (source.published.size() != scenario.released_columns())
    throw does_not_verify("the plan does not name each of the columns that it releases");
  for (size_t c = 0; c < source.published.size(); ++c) {
    const auto named = std::find(source.secret.begin(), source.secret.end(), source.published[c]);
    if (named == source.secret.end()) continue;
    const auto part = static_cast<size_t>(named - source.secret.begin());
    const Scenario column = released_column(scenario, c);
    for (const Prior* prior : column.own_priors()) {
      for (size_t s = 0; s < column.secrets.size(); ++s) {
        const Distribution& law = prior->by_secret[s];
        const auto said = value_of_secret(column, part, column.secrets[s]);
        const bool is_it = !said || (said->kind == Placed::kValue && said->index == law.atoms().front());
        if (law.size() != 1 || !is_it)
          throw does_not_verify("a released column is the secret, and has other values than the secrets say");
      }
    }
  }
}

// Beliefs beside the table's own must be those that the plan says in words.
void check_beliefs(const Scenario& scenario) {
  if (!scenario.source || scenario.source->also.empty()) return;
  for (const std::string& text : scenario.source->also) {
    const auto belief = belief_named(text);
    if (!belief || (belief->kind == Belief::kIndependent && !scenario.is_joint()) || scenario.blur() != 0)
      throw does_not_verify("the plan names a belief that it cannot have");
  }
  for (const Prior& belief : further_priors(scenario)) {
    if (std::find(scenario.priors.begin(), scenario.priors.end(), belief) == scenario.priors.end())
      throw does_not_verify("a belief beside the table's own is not the one that the plan speaks of");
  }
}

// What a plan says of its groups must be what its priors show: each has as many people as it says, none was
// taken away, and those that were merged are there.
void check_groups(const Scenario& scenario) {
  if (!scenario.source || scenario.source->given.empty()) return;
  const Source& source = *scenario.source;
  if (scenario.priors.front().is_group()) throw does_not_verify("the first prior is not the whole table");
  std::vector<std::map<int64_t, Integer>> sums(scenario.secrets.size());
  bool merged = false, any = false;
  for (size_t p = 1; p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    if (!prior.is_group()) continue;  // added from a file
    any = true;
    merged = merged || prior.name == kOtherGroups;
    check_size(source, prior);
    for (size_t s = 0; s < prior.by_secret.size(); ++s) {
      for (size_t k = 0; k < prior.by_secret[s].size(); ++k)
        sums[s][prior.by_secret[s].atoms()[k]] += prior.by_secret[s].weights().at(k);
    }
  }
  if (merged != !source.merged.empty() || !any)
    throw does_not_verify("the groups are not those that the plan speaks of");
  for (size_t s = 0; s < sums.size(); ++s) {
    const Distribution& all = scenario.priors.front().by_secret[s];
    bool same = true, within = true;
    for (size_t k = 0; k < all.size(); ++k) {
      const Integer& sum = sums[s][all.atoms()[k]];
      same = same && sum == all.weights().at(k);
      within = within && sum <= all.weights().at(k);
    }
    if (!within || sums[s].size() > all.size() || (source.left_out.empty() && !same))
      throw does_not_verify("the groups do not add up to the table");
  }
}

}  // namespace

Proof prove(const Scenario& scenario, const Mechanism& mechanism, const Progress& progress) {
  return prove(scenario, boxes_if_any(scenario), mechanism, progress);
}

Sensitivity measure_sensitivity(const Scenario& scenario) {
  if (scenario.is_joint()) return {largest_joint_range(scenario), Rational(0), 0};
  int64_t range = 0, w_inf = 0;
  Rational w_1(0);
  for (const Prior& prior : scenario.priors) {
    range = std::max(range, largest_range(prior.by_secret, scenario.pairs));
    w_inf = std::max(w_inf, most_w_inf(prior.by_secret, scenario.pairs));
    w_1 = std::max(w_1, largest_w_1(prior.by_secret, scenario.pairs));
  }
  const Rational& step = scenario.lattice.step;
  return {Rational(step * range), Rational(step * w_inf), static_cast<double>(Rational(step * w_1))};
}

Sensitivity measure_sensitivity(const Plan& plan) {
  const bool states_none = plan.scenario.is_joint() && std::holds_alternative<Swap>(plan.mechanism);
  return states_none ? Sensitivity{} : measure_sensitivity(plan.scenario);
}

namespace {

// Errors are logged: it says neither at which output, nor of which secrets, nor how much.
Error unproved(const Scenario& scenario, const Proof& proof) {
  std::string more = proof.infinite ? "an infinite loss, more than " : "more than ";
  if (!scenario.is_plain()) {
    more += "is promised";
  } else {
    more += "epsilon " + scenario.epsilon.text();
    if (!proof.infinite && !proof.witness.loss) more += fmt::format(" with delta {}", scenario.delta.text());
  }
  if (scenario.closeness && scenario.closeness->by == Closeness::By::kBudget)
    more += ", which is what the closeness leaves";
  return does_not_verify((proof.bounded ? "the values lie so far apart that two secrets may be told apart by "
                                        : "an output tells two secrets apart by ") +
                         more);
}

// Every number that the plan states besides its privacy, and its words.
void check_facts(const Plan& plan, const Witness& witness) {
  const Scenario& scenario = plan.scenario;
  if (plan.witness != witness) throw does_not_verify("the witness is not where the loss is largest");
  if (const Channel* channel = std::get_if<Channel>(&plan.mechanism); channel && scenario.clamps()) {
    const auto [low, high] = scenario.range();
    if (channel->outputs.front() < low || channel->outputs.back() > high)
      throw does_not_verify("the channel's outputs leave the range that released values are held in");
  }
  if (!scale_makes_noise(plan)) throw does_not_verify("the scale is not that of the noise");
  if (plan.mse != mean_square_error(scenario, plan.mechanism))
    throw does_not_verify("the mse is not that of the mechanism");
  check_objective(plan);
  check_swap(plan);
  check_influence(plan);
  check_groups(scenario);
  check_strata(scenario);
  check_released_secrets(scenario);
  check_beliefs(scenario);
  if (plan.sensitivity != measure_sensitivity(plan))
    throw does_not_verify("the sensitivity is not that of the scenario");
  if (plan.assumptions != assumptions_of(plan))
    throw does_not_verify("the assumptions are not those of the scenario");
}

Witness checked(const Plan& plan, const Proof& proof) {
  check_bags(plan);
  if (!proof.holds) throw unproved(plan.scenario, proof);
  check_facts(plan, proof.witness);
  return proof.witness;
}

}  // namespace

Witness verify(const Plan& plan) { return checked(plan, prove(plan.scenario, plan.mechanism)); }

Witness verify(const Plan& plan, const Json& file, const std::string& place) {
  const auto claimed = read_claim(file, place);
  if (!claimed) return verify(plan);
  if (!same_claim(claimed->claim, plan.scenario) || claimed->mechanism != plan.mechanism)
    throw does_not_verify("it is read in two ways");
  return checked(plan, prove(claimed->claim, claimed->boxed, claimed->mechanism));
}

}  // namespace fugu::inline in_verify
