#include "fugu/ask/compare_question.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fugu/ask/plan_options.h"
#include "fugu/core/error.h"
#include "fugu/law/promise_words.h"
#include "fugu/scenario/domain.h"

namespace fugu::inline in_ask {
namespace {

std::vector<Candidate> candidates_of(Compared which, const Scenario& scenario,
                                     const std::vector<std::string>& noises, const OptimumOptions& optimum,
                                     const Progress& progress) {
  if (which == Compared::kAll) return compare_all(scenario, noises, optimum, progress);
  if (which == Compared::kOptima) return compare_optima(scenario, optimum, progress);
  std::vector<Candidate> candidates = compare(scenario, noises, progress);
  for (Candidate& baseline : compare_baselines(scenario, noises, progress))
    candidates.push_back(std::move(baseline));
  return candidates;
}

double spread_of(const Scenario& scenario) {
  const std::vector<int64_t> values = scenario.own_support();
  const std::vector<Integer> people = scenario.population(values);
  double total = 0, sum = 0, squares = 0;
  const double step = static_cast<double>(scenario.lattice.step);
  for (size_t k = 0; k < values.size(); ++k) {
    const double count = static_cast<double>(people[k]),
                 value = step * static_cast<double>(values[k] - values[0]);
    total += count;
    sum += count * value;
    squares += count * value * value;
  }
  return std::sqrt(std::max(0.0, squares / total - sum / total * (sum / total)));
}

const Candidate* exact_of(const std::vector<Candidate>& candidates, const std::string& noise) {
  const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& row) {
    return row.method == "exact" && row.noise == noise;
  });
  return found == candidates.end() ? nullptr : &*found;
}

// What was found already is not looked for again.
std::vector<ReadingCost> costs_of_readings(const Comparison& comparison, Scenario scenario,
                                           const std::string& noise, const Progress& progress) {
  const auto family = family_named(noise);
  const Method exact = method_named("exact", *family);
  const BoundKind asked = scenario.bounded_by;
  std::vector<ReadingCost> readings;
  if (const Candidate* truth = exact_of(comparison.candidates, noise)) readings.push_back({{}, *truth});
  for (BoundKind kind : {BoundKind::kBoxes, BoundKind::kBand, BoundKind::kBoth}) {
    if (kind != BoundKind::kBand && domain_kind(scenario) == DomainKind::kRange) continue;
    scenario.bounded_by = kind;
    const Candidate* found = kind == asked ? exact_of(comparison.robust, noise) : nullptr;
    readings.push_back({kind, found ? *found : compare_one(scenario, exact, *family, {}, progress)});
  }
  return readings;
}

}  // namespace

std::vector<Comparison> compare_question(const Question& question, const QuestionOptions& options,
                                         const OptimumOptions& optimum, const Progress& progress,
                                         Compared which) {
  std::vector<Epsilon> epsilons = options.epsilons();
  if (epsilons.empty()) epsilons.push_back(question.scenario.stated().epsilon);
  std::vector<std::string> noises = options.noises();
  if (noises.empty()) {
    noises = question.scenario.delta.is_zero() ? std::vector<std::string>{"laplace"}
                                               : std::vector<std::string>{"laplace", "gaussian"};
  }
  std::vector<Comparison> comparisons;
  auto all_methods = [&](const Scenario& scenario) {
    return candidates_of(which, scenario, noises, optimum, progress);
  };
  for (const Epsilon& epsilon : epsilons) {
    const Budget stated{epsilon, question.scenario.stated().delta};
    Scenario scenario = question.scenario;
    scenario.promise(stated, scenario.lambda());
    scenario.confidence.reset();
    Comparison comparison{epsilon, stated.delta, all_methods(scenario)};
    Scenario asked = question.scenario;
    asked.promise(stated, asked.lambda());
    comparison.taken = method_for(asked, options, {});
    comparison.words = in_words(scenario);
    if (!scenario.is_plain()) comparison.budget = budget_text(scenario);
    if (question.scenario.confidence) {
      scenario.confidence = comparison.confidence = question.scenario.confidence;
      comparison.robust = all_methods(scenario);
      if (which != Compared::kOptima) {
        comparison.readings = costs_of_readings(comparison, scenario, noises.front(), progress);
        comparison.spread = spread_of(scenario);
      }
    }
    comparisons.push_back(std::move(comparison));
  }
  if (which == Compared::kOptima || (which == Compared::kDirect && question.scenario.is_joint()))
    return comparisons;  // another may still do
  for (const Comparison& comparison : comparisons) {
    const auto& rows = comparison.candidates;
    if (std::none_of(rows.begin(), rows.end(), [](const Candidate& row) { return row.mse.has_value(); })) {
      throw Error(ErrorKind::kGuarantee, "no method can keep the promise here: " + rows.back().note,
                  "give --delta, raise --epsilon, or use --noise laplace");
    }
  }
  return comparisons;
}

}  // namespace fugu::inline in_ask
