#include "fugu/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/mechanism/family.h"
#include "fugu/transport/distances.h"
#include "fugu/verify/hockey.h"
#include "fugu/verify/loss.h"

namespace fugu {
namespace {

constexpr Bits kFirstBits = 128, kLastBits = 1 << 16;

Error refuse(const std::string& message) {
  return Error(ErrorKind::kGuarantee, "the plan does not verify: " + message,
               "do not release with it; calibrate again from the data");
}

Witness witness_at(const Scenario& scenario, size_t prior, SecretPair pair, int64_t output) {
  return {scenario.priors[prior].name,
          {scenario.secrets[pair.first], scenario.secrets[pair.second]},
          output,
          {},
          {}};
}

// Rounding a proved bound up to a double may step over the limit; what is proved is that it does not exceed
// it.
// A limit that is a decimal is written as itself; another, such as 1/3, as the next double above.
double at_most(double bound, const Rational& limit) {
  return std::min(bound, decimal_places(limit) ? static_cast<double>(limit) : round_up(limit));
}

Proof prove_pure(const Scenario& scenario, const Noise& noise) {
  auto decision = decide_with_more_bits(
      [&](Bits bits) {
        return decide_loss(scenario, bounds_of(noise, bits), Interval(scenario.epsilon.value(), bits));
      },
      kFirstBits, kLastBits);
  if (!decision) {
    throw Error(ErrorKind::kGuarantee, "the loss is too close to epsilon to be decided",
                "change epsilon a little");
  }
  const LossPeak& peak = decision->peak;
  Proof proof{decision->holds, peak.infinite, witness_at(scenario, peak.prior, peak.pair, peak.output)};
  proof.witness.loss = proof.holds ? at_most(peak.upper, scenario.epsilon.value()) : peak.upper;
  return proof;
}

Proof prove_with_delta(const Scenario& scenario, const Noise& noise, const Progress& progress) {
  auto bounds = decide_with_more_bits(
      [&](Bits bits) -> std::optional<HockeyBounds> {
        HockeyBounds result = bound_hockey(scenario, bounds_of(noise, bits), &noise, bits, progress);
        return result.holds ? std::optional(result) : std::nullopt;
      },
      kFirstBits, kLastBits);
  if (!bounds) {
    throw Error(ErrorKind::kGuarantee, "the hockey-stick is too close to delta to be decided",
                "change delta a little");
  }
  const HockeyPeak& peak = bounds->peak;
  Proof proof{*bounds->holds, false, witness_at(scenario, peak.prior, peak.pair, peak.output)};
  proof.witness.delta = proof.holds ? at_most(peak.upper, scenario.delta.value()) : peak.upper;
  return proof;
}

// Whether the stated family makes these very integers at the stated scale.
bool scale_makes_noise(const Plan& plan) {
  try {
    const auto family = family_named(plan.noise.family);
    return plan.noise == family->at(plan.noise.scale, plan.scenario.lattice, plan.noise.reach());
  } catch (const Error&) {
    return false;  // no such family
  }
}

}  // namespace

Proof prove(const Scenario& scenario, const Noise& noise, const Progress& progress) {
  return scenario.delta.is_zero() ? prove_pure(scenario, noise) : prove_with_delta(scenario, noise, progress);
}

Sensitivity measure_sensitivity(const Scenario& scenario) {
  int64_t range = 0, w_inf = 0;
  Rational w_1(0);
  for (const Prior& prior : scenario.priors) {
    range = std::max(range, largest_range(prior.given, scenario.pairs));
    w_inf = std::max(w_inf, largest_w_inf(prior.given, scenario.pairs));
    w_1 = std::max(w_1, largest_w_1(prior.given, scenario.pairs));
  }
  const Rational& step = scenario.lattice.step;
  return {Rational(step * range), Rational(step * w_inf), static_cast<double>(Rational(step * w_1))};
}

Witness verify(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const Proof proof = prove(scenario, plan.noise);
  const Witness& witness = proof.witness;
  if (!proof.holds) {
    const std::string what =
        proof.infinite ? "an infinite loss, more than epsilon " + scenario.epsilon.text()
        : witness.loss ? fmt::format("a loss of {}, more than epsilon {}", to_text(*witness.loss),
                                     scenario.epsilon.text())
                       : fmt::format("{} beyond epsilon {}, more than delta {}", to_text(*witness.delta),
                                     scenario.epsilon.text(), scenario.delta.text());
    throw refuse(fmt::format("under the prior \"{}\" the output {} tells '{}' from '{}' by {}", witness.prior,
                             to_text(scenario.lattice.value(witness.output)), witness.pair.first,
                             witness.pair.second, what));
  }
  if (plan.witness != witness) throw refuse("the witness is not where the loss is largest");
  if (!scale_makes_noise(plan)) throw refuse("the scale is not that of the noise");
  if (plan.mse != mean_square_error(plan.noise, scenario.lattice))
    throw refuse("the mse is not that of the noise");
  if (plan.sensitivity != measure_sensitivity(scenario))
    throw refuse("the sensitivity is not that of the scenario");
  if (plan.assumptions != assumptions_of(scenario))
    throw refuse("the assumptions are not those of the scenario");
  return witness;
}

}  // namespace fugu
