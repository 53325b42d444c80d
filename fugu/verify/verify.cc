#include "fugu/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/scenario/columns.h"
#include "fugu/scenario/domain.h"
#include "fugu/transport/bottleneck.h"
#include "fugu/transport/distances.h"
#include "fugu/proof/hockey.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/proof/loss.h"
#include "fugu/proof/refusals.h"
#include "fugu/proof/stated.h"

namespace fugu {
namespace {

constexpr Bits kFirstBits = 128, kLastBits = 1 << 16;
// Where masses are known within a blur, more digits soon tell no more: then "cannot tell" is a no.
constexpr Bits kLastBlurredBits = 512;

Witness witness_at(const Scenario& scenario, size_t prior, SecretPair pair, int64_t output) {
  return {scenario.priors[prior].name,
          {scenario.secrets[pair.first], scenario.secrets[pair.second]},
          output,
          {},
          {},
          {}};
}

Proof prove_pure(const Scenario& scenario, const Mechanism& mechanism, const Progress& progress) {
  const bool blurred = scenario.blur() != 0;
  auto decision = decide_with_more_bits(
      [&](Bits bits) {
        return decide_loss(scenario, bounds_of(mechanism, bits, progress),
                           Interval(scenario.epsilon.value(), bits), blurred && bits == kLastBlurredBits,
                           progress);
      },
      kFirstBits, blurred ? kLastBlurredBits : kLastBits);
  if (!decision) {
    throw Error(ErrorKind::kGuarantee, "the loss is too close to epsilon to be decided",
                "change epsilon a little");
  }
  const LossPeak& peak = decision->peak;
  Proof proof{decision->holds, peak.infinite, witness_at(scenario, peak.prior, peak.pair, peak.output)};
  if (scenario.is_joint()) {
    proof.witness.output = 0;
    proof.witness.point =
        ProductGrid(scenario, scenario.priors[peak.prior]).point(static_cast<size_t>(peak.output));
  }
  proof.witness.loss = proof.holds ? at_most(peak.upper, scenario.epsilon.value()) : peak.upper;
  return proof;
}

Proof prove_with_delta(const Scenario& scenario, const Mechanism& mechanism, const Progress& progress) {
  const bool blurred = scenario.blur() != 0;
  auto bounds = decide_with_more_bits(
      [&](Bits bits) -> std::optional<HockeyBounds> {
        HockeyBounds result =
            bound_hockey(scenario, bounds_of(mechanism, bits, progress), &mechanism, bits, progress);
        if (!result.holds && blurred && bits == kLastBlurredBits) result.holds = false;
        return result.holds ? std::optional(result) : std::nullopt;
      },
      kFirstBits, blurred ? kLastBlurredBits : kLastBits);
  if (!bounds) {
    throw Error(ErrorKind::kGuarantee, "the hockey-stick is too close to delta to be decided",
                "change delta a little");
  }
  const HockeyPeak& peak = bounds->peak;
  Proof proof{*bounds->holds, false, witness_at(scenario, peak.prior, peak.pair, peak.output)};
  proof.witness.delta = proof.holds ? at_most(peak.upper, scenario.delta.value()) : peak.upper;
  return proof;
}

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
  const Noise* noise = std::get_if<Noise>(&plan.mechanism);
  if (!noise) return plan.method == "channel" || plan.method == "randomized-response";
  if (!noise->scale) return plan.method == "optimal" && noise->family == "optimal";
  return scale_makes_noise(*noise, plan.scenario.lattice);
}

void check_objective(const Plan& plan) {
  const bool is_optimum = plan.method == "optimal" || plan.method == "channel";
  if (is_optimum != plan.objective.has_value())
    throw does_not_verify("the objective does not go with the method");
  if (!plan.objective) return;
  const ErrorMeasure& measure = plan.objective->measure;
  const Channel* channel = std::get_if<Channel>(&plan.mechanism);
  if (channel ? !measure.covers(channel->inputs, channel->outputs) : measure.kind == ErrorMeasure::kTable)
    throw does_not_verify("the objective does not cover the mechanism");
  if (plan.objective->error != mean_error(plan.scenario, plan.mechanism, measure))
    throw does_not_verify("the error is not that of the mechanism");
}

// What a plan says of its groups must be what its priors show: each has as many people as it says, none was
// taken away, and those that were merged are there.
void check_groups(const Scenario& scenario) {
  if (!scenario.source || scenario.source->given.empty()) return;
  const Source& source = *scenario.source;
  if (names_group(source, scenario.priors.front().name))
    throw does_not_verify("the first prior is not the whole table");
  std::vector<std::map<int64_t, Integer>> sums(scenario.secrets.size());
  bool merged = false, any = false;
  for (size_t p = 1; p < scenario.priors.size(); ++p) {
    const Prior& prior = scenario.priors[p];
    if (!names_group(source, prior.name)) continue;  // added from a file
    any = true;
    merged = merged || prior.name == kOtherGroups;
    for (size_t s = 0; s < prior.given.size(); ++s) {
      if (prior.given[s].total() < source.min_group)
        throw does_not_verify("a group has fewer people than the plan says");
      for (size_t k = 0; k < prior.given[s].size(); ++k)
        sums[s][prior.given[s].atoms()[k]] += prior.given[s].weights().at(k);
    }
  }
  if (merged != !source.merged.empty() || !any)
    throw does_not_verify("the groups are not those that the plan speaks of");
  for (size_t s = 0; s < sums.size(); ++s) {
    const Distribution& all = scenario.priors.front().given[s];
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

// Several columns have noise on each of them, one column has not.
void check_columns_have_noise(const Scenario& scenario, const Mechanism& mechanism) {
  const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
  if ((joint ? joint->columns.size() : 0) != scenario.axes.size())
    throw does_not_verify("the noise is not that of the scenario's columns");
  if (!joint) return;
  if (std::any_of(joint->columns.begin(), joint->columns.end(),
                  [](const Noise& column) { return column.reach() != 0; }))
    throw does_not_verify("the noise of several columns must be laplace");
  check_columns(scenario, ErrorKind::kGuarantee);
  check_grid(scenario);
}

// Every value of every prior must have a row.
void check_rows(const Scenario& scenario, const Channel& channel) {
  if (scenario.confidence) {
    const auto domain = domain_of(scenario);
    if (!std::includes(channel.inputs.begin(), channel.inputs.end(), domain.begin(), domain.end()))
      throw does_not_verify("the channel has no row for a value that may occur");
  }
  for (const Prior& prior : scenario.priors) {
    for (const Distribution& secret : prior.given) {
      if (!std::includes(channel.inputs.begin(), channel.inputs.end(), secret.atoms().begin(),
                         secret.atoms().end())) {
        throw does_not_verify("the channel has no row for a value that may occur");
      }
    }
  }
}

}  // namespace

Proof prove(const Scenario& scenario, const Mechanism& mechanism, const Progress& progress) {
  check_columns_have_noise(scenario, mechanism);
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) check_rows(scenario, *channel);
  return scenario.delta.is_zero() ? prove_pure(scenario, mechanism, progress)
                                  : prove_with_delta(scenario, mechanism, progress);
}

Sensitivity measure_sensitivity(const Scenario& scenario) {
  if (scenario.is_joint()) return {largest_joint_range(scenario), Rational(0), 0};
  int64_t range = 0, w_inf = 0;
  Rational w_1(0);
  for (const Prior& prior : scenario.priors) {
    range = std::max(range, largest_range(prior.given, scenario.pairs));
    w_inf = std::max(w_inf, most_w_inf(prior.given, scenario.pairs));
    w_1 = std::max(w_1, largest_w_1(prior.given, scenario.pairs));
  }
  const Rational& step = scenario.lattice.step;
  return {Rational(step * range), Rational(step * w_inf), static_cast<double>(Rational(step * w_1))};
}

Witness verify(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const Proof proof = prove(scenario, plan.mechanism);
  const Witness& witness = proof.witness;
  if (!proof.holds) {
    std::string what = proof.infinite ? "an infinite loss, more than epsilon " + scenario.epsilon.text()
                       : witness.loss
                           ? fmt::format("a loss of {}, more than epsilon {}", to_text(*witness.loss),
                                         scenario.epsilon.text())
                           : fmt::format("{} beyond epsilon {}, more than delta {}", to_text(*witness.delta),
                                         scenario.epsilon.text(), scenario.delta.text());
    if (scenario.closeness) what += ", which is what the closeness leaves";
    throw does_not_verify(fmt::format("under the prior \"{}\" the output {} tells '{}' from '{}' by {}",
                                      witness.prior,
                                      scenario.is_joint() ? "(" + point_text(scenario, witness.point) + ")"
                                                          : to_text(scenario.lattice.value(witness.output)),
                                      witness.pair.first, witness.pair.second, what));
  }
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
  check_groups(scenario);
  if (plan.sensitivity != measure_sensitivity(scenario))
    throw does_not_verify("the sensitivity is not that of the scenario");
  if (plan.assumptions != assumptions_of(scenario))
    throw does_not_verify("the assumptions are not those of the scenario");
  return witness;
}

}  // namespace fugu
