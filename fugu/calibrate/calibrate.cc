#include "fugu/calibrate/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/close_beliefs.h"
#include "fugu/calibrate/methods.h"
#include "fugu/core/search.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/scenario/domain.h"
#include "fugu/transport/distances.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr std::string_view kNoNoise = "no noise is needed: the column keeps the promise as it is";

constexpr std::string_view kNoNoises = "no noise is needed: the columns keep the promise as they are";

constexpr std::string_view kBounded =
    "the rows of a person have too many combinations of values to look at each: the loss is bounded by how "
    "far "
    "apart people's rows lie, which takes more noise than their joint law may need";

struct Proved {
  Mechanism mechanism;
  Witness witness;
  std::string note;
  std::optional<double> bound;
  bool unfinished = false;
  std::optional<Scenario> reading = {};  // what was proved, where that is not the question as it stands
};

int64_t farthest_steps(const Scenario& scenario) {
  int64_t steps = 0;
  if (scenario.is_joint()) return steps;  // only noise with a table needs to know
  if (scenario.confidence) {
    // Other laws may move mass farther than the table's.
    const auto domain = domain_of(scenario, ErrorKind::kUsage);
    return domain.back() - domain.front();
  }
  for (const Prior& prior : scenario.priors)
    steps = std::max(steps, largest_w_inf(prior.by_secret, scenario.pairs));
  return steps;
}

// The least scale above `scale` whose drawn noise is proved, found by widening and then halving. The theorems
// speak of ideal noise: rounded weights, and with a Gaussian the lattice itself, may need a little more, or a
// good deal.
Scale widen(const Task& task, Scale scale) {
  auto proved = [&](double value) {
    return prove(task.scenario, task.released(Scale{value}), task.progress).holds;
  };
  double more = 0x1p-48;
  auto widened = [&] { return scale.value * (1 + more); };
  for (; !proved(widened()); more *= more < 0.01 ? 16 : 1.5) {
    if (more > 16) {
      throw Error(
          ErrorKind::kGuarantee,
          fmt::format("the scale for {} noise could not be widened until it was proved", task.family.name()),
          "use --method exact or --noise laplace");
    }
  }
  return Scale{smallest_accepted(proved, widened(), widened(), 40)};
}

Proved run_whole(const Task& task, const Method& method) {
  Found found = method.mechanism(task);
  Proof proof = prove(task.scenario, found.mechanism, task.progress);
  if (!proof.holds)
    throw Error(ErrorKind::kBug, "a mechanism that was proved is refused", "please report this");
  if (changes_nothing(found.mechanism)) found.note = kNoNoise;
  return {std::move(found.mechanism), std::move(proof.witness), std::move(found.note), found.bound,
          found.unfinished};
}

void check_limits_served(const Scenario& scenario, const Method& method) {
  if (scenario.is_plain()) return;
  if (!method.is(kLimits)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--method {} is for one epsilon and the odds between secrets", method.name),
                "with --promise belief, or budgets of their own, use exact, optimal, channel, swap, "
                "sensitivity or a baseline");
  }
  if (scenario.has_boxes() && method.is_optimum()) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--method {}: with a confidence or a closeness it is for one epsilon and the odds "
                    "between secrets",
                    method.name),
        "use --method exact, or leave out --confidence and --closeness");
  }
}

Proved run_one(const Task& task, const Method& method) {
  check_limits_served(task.scenario, method);
  if (task.scenario.has_boxes() && !method.is(kRobust)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--method {} takes the table's frequencies as the truth", method.name),
                "with --confidence use exact, sharp, optimal, channel, swap, sensitivity or a baseline");
  }
  if (method.makes_mechanism()) return run_whole(task, method);
  Scale scale = method.scale(task);
  Mechanism drawn = task.released(scale);
  Proof proof = prove(task.scenario, drawn, task.progress);
  Proved result;
  if (!proof.holds) {
    const Scale wider = widen(task, scale);
    if (wider.value > scale.value * (1 + 1e-9)) {
      result.note =
          fmt::format("the lattice needs a scale {} % above the continuous theorem's {}",
                      for_people(100 * (wider.value / scale.value - 1), 3), for_people(scale.value));
    }
    drawn = task.released(wider);
    proof = prove(task.scenario, drawn, task.progress);
  }
  if (proof.bounded) result.note = kBounded;
  if (changes_nothing(drawn)) result.note = task.scenario.released_columns() > 1 ? kNoNoises : kNoNoise;
  result.mechanism = std::move(drawn);
  result.witness = std::move(proof.witness);
  return result;
}

Proved run(const Task& task, const Method& method) {
  if (!closeness_is_open(task.scenario)) return run_one(task, method);
  std::optional<Proved> best;
  for (Scenario& reading : readings_of(task, method)) {
    const Task one{reading, task.family, task.progress, farthest_steps(reading), task.optimum};
    Proved proved = run_one(one, method);
    if (best &&
        mean_square_error(reading, proved.mechanism) >= mean_square_error(*best->reading, best->mechanism))
      continue;
    proved.reading = std::move(reading);
    best = std::move(proved);
  }
  return std::move(*best);
}

}  // namespace

Plan calibrate(const Scenario& scenario, std::string_view method, std::string_view noise,
               const Progress& progress, const OptimumOptions& optimum) {
  return calibrate(scenario, method, *family_named(noise), progress, optimum);
}

Plan calibrate(const Scenario& scenario, std::string_view method, const NoiseFamily& family,
               const Progress& progress, const OptimumOptions& optimum) {
  const Method chosen = method_named(method, family);
  check_columns_served(scenario, family);
  check_columns_served(scenario, chosen);
  Proved proved = run({scenario, family, progress, farthest_steps(scenario), optimum}, chosen);
  Plan plan{proved.reading ? std::move(*proved.reading) : scenario,
            std::string(chosen.name),
            std::move(proved.mechanism),
            0,
            {},
            {},
            std::move(proved.witness),
            {},
            {}};
  plan.mse = mean_square_error(scenario, plan.mechanism);
  if (chosen.is_optimum()) {
    const ErrorMeasure measure = chosen.name == "swap" ? measure_of_swap(scenario, optimum) : optimum.measure;
    plan.objective = {measure, measure.kind == ErrorMeasure::kSquared
                                   ? plan.mse
                                   : mean_error(scenario, plan.mechanism, measure)};
  }
  if (const Swap* swap = std::get_if<Swap>(&plan.mechanism))
    plan.unchanged = static_cast<double>(swap_facts(scenario, *swap).unchanged);
  if (chosen.name == "sharp" && !plan.noise().is_none()) plan.influence = influence_of(plan.noise());
  if (!std::isfinite(plan.mse)) {
    throw Error(ErrorKind::kGuarantee, "the noise would be wider than any number that can be written",
                "the values lie too far apart for this epsilon: rescale them, or raise --epsilon");
  }
  plan.sensitivity = measure_sensitivity(plan);
  plan.assumptions = assumptions_of(plan);
  plan.notes = notes_of(scenario);
  if (!proved.note.empty()) plan.notes.push_back(std::move(proved.note));
  return plan;
}

namespace {

// One row of a comparison, or why there is none.
Candidate candidate_of(const Task& task, const Method& method) {
  Candidate candidate{.method = std::string(method.name),
                      .title = std::string(method.title),
                      .noise = method.makes_mechanism() ? std::string(method.name) : task.family.name(),
                      .baseline = method.is(kBaseline)};
  try {
    check_columns_served(task.scenario, method);
    Proved proved = run(task, method);
    if (const Noise* noise = std::get_if<Noise>(&proved.mechanism)) candidate.scale = noise->scale;
    if (const JointNoise* joint = std::get_if<JointNoise>(&proved.mechanism)) candidate.scale = joint->scale;
    if (method.makes_mechanism()) candidate.noise = mechanism_name(proved.mechanism);
    candidate.changes_nothing = changes_nothing(proved.mechanism);
    // Of bags of rows harmonic is a mean over people, which does not add up.
    const bool adds = method.is(kAdds) && !task.scenario.is_of_belief() &&
                      !(task.scenario.is_joint() && method.name == "harmonic");
    // These hide the value itself from whoever knows what the other releases say of it.
    const bool to_any = method.is(kBaseline) || method.name == "sensitivity";
    candidate.repeated = candidate.changes_nothing ? Repeated::kNothing
                         : adds && to_any          ? Repeated::kAddsToAny
                         : adds                    ? Repeated::kAddsUp
                         : method.name == "sharp"  ? Repeated::kInfluence
                                                   : Repeated::kAsk;
    candidate.mse = mean_square_error(task.scenario, proved.mechanism);
    candidate.column_mse = column_errors(task.scenario, proved.mechanism);
    candidate.rows = row_facts(task.scenario, proved.mechanism);
    if (proved.reading && proved.reading->closeness->by == Closeness::By::kBudget)
      candidate.for_close_beliefs = 2 * static_cast<double>(task.scenario.lambda());
    candidate.loss = proved.witness.loss;
    candidate.delta = proved.witness.delta;
    candidate.bound = proved.bound;
    if (task.scenario.released_columns() > 1 && method.name == "exact")
      candidate.title = "least noise with these weights";
    candidate.unfinished = proved.unfinished;
    if (proved.unfinished) candidate.title += ", as far as found";
    candidate.note = std::move(proved.note);
    candidate.mechanism = std::make_shared<const Mechanism>(std::move(proved.mechanism));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee && error.kind() != ErrorKind::kUsage) throw;
    candidate.note = error.message();
  }
  return candidate;
}

// Progress of the k-th part of several.
Progress part_of(const Progress& progress, size_t k, size_t parts, std::string_view name) {
  if (!progress) return {};
  return [&progress, k, parts, name](double fraction, std::string_view) {
    progress((static_cast<double>(k) + fraction) / static_cast<double>(parts), name);
  };
}

}  // namespace

Candidate compare_one(const Scenario& scenario, const Method& method, const NoiseFamily& family,
                      const OptimumOptions& optimum, const Progress& progress) {
  return candidate_of({scenario, family, progress, farthest_steps(scenario), optimum}, method);
}

std::vector<Candidate> compare(const Scenario& scenario, const std::vector<std::string>& noises,
                               const Progress& progress) {
  std::vector<Candidate> candidates;
  const int64_t farthest = farthest_steps(scenario);
  for (size_t n = 0; n < noises.size(); ++n) {
    const auto family = family_named(noises[n]);
    check_columns_served(scenario, *family);
    auto methods = methods_for(*family);
    if (scenario.is_joint())
      std::erase_if(methods, [&](const Method& method) { return !serves_joint(method, scenario); });
    for (size_t m = 0; m < methods.size(); ++m) {
      const Progress part =
          part_of(progress, n * methods.size() + m, noises.size() * methods.size(), methods[m].name);
      candidates.push_back(candidate_of({scenario, *family, part, farthest, {}}, methods[m]));
    }
  }
  return candidates;
}

namespace {

// Methods that need no family to be named.
std::vector<Candidate> compare_these(const std::vector<Method>& methods, const Scenario& scenario,
                                     const OptimumOptions& optimum, const Progress& progress) {
  std::vector<Candidate> candidates;
  for (size_t m = 0; m < methods.size(); ++m) {
    if (scenario.is_joint() && !methods[m].is(kJoint)) continue;
    const Progress part = part_of(progress, m, methods.size(), methods[m].name);
    candidates.push_back(
        candidate_of({scenario, Laplace(), part, farthest_steps(scenario), optimum}, methods[m]));
  }
  return candidates;
}

}  // namespace

std::vector<Candidate> compare_optima(const Scenario& scenario, const OptimumOptions& optimum,
                                      const Progress& progress) {
  return compare_these(optimum_methods(), scenario, optimum, progress);
}

std::vector<Candidate> compare_baselines(const Scenario& scenario, const std::vector<std::string>& noises,
                                         const Progress& progress) {
  const bool laplace = std::find(noises.begin(), noises.end(), Laplace().name()) != noises.end();
  std::vector<Method> methods = baseline_methods();
  std::erase_if(methods, [&](const Method& method) { return !laplace && !method.makes_mechanism(); });
  return compare_these(methods, scenario, {}, progress);
}

std::vector<Candidate> compare_all(const Scenario& scenario, const std::vector<std::string>& noises,
                                   const OptimumOptions& optimum, const Progress& progress) {
  std::vector<Candidate> candidates = compare(scenario, noises, progress);
  auto append = [&](std::vector<Candidate> more) {
    for (Candidate& candidate : more) candidates.push_back(std::move(candidate));
  };
  append(compare_optima(scenario, optimum, progress));
  append(compare_baselines(scenario, noises, progress));
  return candidates;
}

}  // namespace fugu::inline in_calibrate
