#include "fugu/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/mechanism/family.h"
#include "fugu/transport/distances.h"

namespace fugu {
namespace {

Error refuse(const std::string& message) {
  return Error(ErrorKind::kGuarantee, "the plan does not verify: " + message,
               "do not release with it; calibrate again from the data");
}

}  // namespace

LossDecision prove_loss(const Scenario& scenario, const Noise& noise) {
  auto decision = decide_with_more_bits(
      [&](Bits bits) {
        return decide_loss(scenario, bounds_of(noise, bits), Interval(scenario.epsilon.value(), bits));
      },
      128, 1 << 16);
  if (!decision) {
    throw Error(ErrorKind::kGuarantee, "the loss is too close to epsilon to be decided", "change epsilon a little");
  }
  return *decision;
}

Witness witness_of(const Scenario& scenario, const LossDecision& decision) {
  const LossPeak& peak = decision.peak;
  Witness witness{scenario.priors[peak.prior].name,
                  {scenario.secrets[peak.pair.first], scenario.secrets[peak.pair.second]},
                  peak.output,
                  peak.upper};
  // Rounding the bound up to a double may step over epsilon; what is proved is that it does not exceed epsilon.
  if (decision.holds) witness.loss = std::min(peak.upper, static_cast<double>(scenario.epsilon.value()));
  return witness;
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
  if (!scenario.delta.is_zero()) throw refuse("delta above 0 is not proved by this version");
  const LossDecision decision = prove_loss(scenario, plan.noise);
  const Witness witness = witness_of(scenario, decision);
  if (!decision.holds) {
    throw refuse(fmt::format("under the prior \"{}\" the output {} tells '{}' from '{}' by {}, more than epsilon {}",
                             witness.prior, to_text(scenario.lattice.value(witness.output)), witness.pair.first,
                             witness.pair.second,
                             decision.peak.infinite ? "an infinite loss" : "a loss of " + for_people(witness.loss),
                             scenario.epsilon.text()));
  }
  if (plan.witness != witness) throw refuse("the witness is not where the loss is largest");
  if (plan.noise != family_named(plan.noise.family)->at(plan.noise.scale, scenario.lattice)) {
    throw refuse("the scale is not that of the noise");
  }
  if (plan.mse != mean_square_error(plan.noise, scenario.lattice)) throw refuse("the mse is not that of the noise");
  if (plan.sensitivity != measure_sensitivity(scenario)) throw refuse("the sensitivity is not that of the scenario");
  return witness;
}

}  // namespace fugu
