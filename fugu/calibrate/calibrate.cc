#include "fugu/calibrate/calibrate.h"

#include <fmt/format.h>

#include "fugu/calibrate/methods.h"
#include "fugu/verify/verify.h"

namespace fugu {
namespace {

struct Proved {
  Noise noise;
  Witness witness;
};

Proved run(const Scenario& scenario, const Method& method, const NoiseFamily& family, const Progress& progress) {
  if (!scenario.delta.is_zero()) {
    throw Error(ErrorKind::kUsage, "--delta: this version calibrates pure epsilon only", "leave --delta out, or give 0");
  }
  const Scale scale = method.scale({scenario, family, progress});
  Noise noise = family.at(scale, scenario.lattice);
  const LossDecision decision = prove_loss(scenario, noise);
  if (!decision.holds) {
    throw Error(ErrorKind::kGuarantee,
                fmt::format("the {} scale could not be proved to attain epsilon {}", method.name, scenario.epsilon.text()),
                "this should not happen: please report it; --method sensitivity needs no search");
  }
  return {std::move(noise), witness_of(scenario, decision)};
}

constexpr std::string_view kNoNoise = "no noise is needed: the column as it is already attains epsilon";

}  // namespace

Plan calibrate(const Scenario& scenario, std::string_view method, std::string_view noise, const Progress& progress) {
  const Method& chosen = method_named(method);
  Proved proved = run(scenario, chosen, *family_named(noise), progress);
  Plan plan{scenario, std::string(chosen.name), std::move(proved.noise), 0, {}, std::move(proved.witness), {}, {}};
  plan.mse = mean_square_error(plan.noise, scenario.lattice);
  plan.sensitivity = measure_sensitivity(scenario);
  plan.assumptions = assumptions_of(scenario);
  if (plan.noise.is_none()) plan.notes.emplace_back(kNoNoise);
  return plan;
}

std::vector<Candidate> compare(const Scenario& scenario, std::string_view noise, const Progress& progress) {
  const auto family = family_named(noise);
  std::vector<Candidate> candidates;
  const double share = 1.0 / static_cast<double>(methods().size());
  for (const Method& method : methods()) {
    const double before = share * static_cast<double>(candidates.size());
    Progress part;
    if (progress) part = [&](double fraction, std::string_view) { progress(before + share * fraction, method.name); };
    Proved proved = run(scenario, method, *family, part);
    Candidate candidate{std::string(method.name), std::string(method.title), family->name(), proved.noise.scale,
                        mean_square_error(proved.noise, scenario.lattice), proved.witness.loss, {}};
    if (proved.noise.is_none()) candidate.note = kNoNoise;
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace fugu
