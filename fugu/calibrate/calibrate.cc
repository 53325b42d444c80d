#include "fugu/calibrate/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/methods.h"
#include "fugu/core/search.h"
#include "fugu/transport/distances.h"
#include "fugu/verify/verify.h"

namespace fugu {
namespace {

constexpr std::string_view kNoNoise = "no noise is needed: the column as it is already attains the budget";

struct Proved {
  Noise noise;
  Witness witness;
  std::string note;
};

int64_t farthest_steps(const Scenario& scenario) {
  int64_t steps = 0;
  for (const Prior& prior : scenario.priors)
    steps = std::max(steps, largest_w_inf(prior.given, scenario.pairs));
  return steps;
}

// The least scale above `scale` whose drawn noise is proved, found by widening and then halving. The theorems
// speak of ideal noise: rounded weights, and with a Gaussian the lattice itself, may need a little more, or a
// good deal.
Scale widen(const Task& task, Scale scale) {
  auto proved = [&](double value) {
    return prove(task.scenario, task.drawn(Scale{value}), task.progress).holds;
  };
  double known = scale.value;
  for (double more = 0x1p-48; !proved(known = scale.value * (1 + more)); more *= more < 0.01 ? 16 : 1.5) {
    if (more > 16) {
      throw Error(
          ErrorKind::kGuarantee,
          fmt::format("the scale for {} noise could not be widened until it was proved", task.family.name()),
          "use --method exact or --noise laplace");
    }
  }
  return Scale{smallest_accepted(proved, known, known, 40)};
}

Proved run(const Task& task, const Method& method) {
  Scale scale = method.scale(task);
  Noise noise = task.drawn(scale);
  Proof proof = prove(task.scenario, noise, task.progress);
  Proved result;
  if (!proof.holds) {
    const Scale wider = widen(task, scale);
    if (wider.value > scale.value * (1 + 1e-9)) {
      result.note =
          fmt::format("the lattice needs a scale {} % above the continuous theorem's {}",
                      for_people(100 * (wider.value / scale.value - 1), 3), for_people(scale.value));
    }
    noise = task.drawn(wider);
    proof = prove(task.scenario, noise, task.progress);
  }
  if (noise.is_none()) result.note = kNoNoise;
  result.noise = std::move(noise);
  result.witness = std::move(proof.witness);
  return result;
}

}  // namespace

Plan calibrate(const Scenario& scenario, std::string_view method, std::string_view noise,
               const Progress& progress) {
  return calibrate(scenario, method, *family_named(noise), progress);
}

Plan calibrate(const Scenario& scenario, std::string_view method, const NoiseFamily& family,
               const Progress& progress) {
  const Method chosen = method_named(method, family);
  Proved proved = run({scenario, family, progress, farthest_steps(scenario)}, chosen);
  Plan plan{scenario, std::string(chosen.name), std::move(proved.noise), 0, {}, std::move(proved.witness), {},
            {}};
  plan.mse = mean_square_error(plan.noise, scenario.lattice);
  if (!std::isfinite(plan.mse)) {
    throw Error(ErrorKind::kGuarantee, "the noise would be wider than any number that can be written",
                "the values lie too far apart for this epsilon: rescale them, or raise --epsilon");
  }
  plan.sensitivity = measure_sensitivity(scenario);
  plan.assumptions = assumptions_of(scenario);
  if (!proved.note.empty()) plan.notes.push_back(std::move(proved.note));
  return plan;
}

std::vector<Candidate> compare(const Scenario& scenario, const std::vector<std::string>& noises,
                               const Progress& progress) {
  std::vector<Candidate> candidates;
  const int64_t farthest = farthest_steps(scenario);
  for (size_t n = 0; n < noises.size(); ++n) {
    const auto family = family_named(noises[n]);
    const auto methods = methods_for(*family);
    for (size_t m = 0; m < methods.size(); ++m) {
      const double share = 1.0 / static_cast<double>(noises.size() * methods.size());
      const double before = share * static_cast<double>(n * methods.size() + m);
      Progress part;
      if (progress)
        part = [&](double fraction, std::string_view) {
          progress(before + share * fraction, methods[m].name);
        };
      Candidate candidate{
          std::string(methods[m].name), std::string(methods[m].title), family->name(), {}, {}, {}, {}, {}};
      try {
        Proved proved = run({scenario, *family, part, farthest}, methods[m]);
        candidate.scale = proved.noise.scale;
        candidate.mse = mean_square_error(proved.noise, scenario.lattice);
        candidate.loss = proved.witness.loss;
        candidate.delta = proved.witness.delta;
        candidate.note = std::move(proved.note);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kGuarantee && error.kind() != ErrorKind::kUsage) throw;
        candidate.note = error.message();
      }
      candidates.push_back(std::move(candidate));
    }
  }
  return candidates;
}

}  // namespace fugu
