#include "fugu/ask/compare_question.h"

#include <algorithm>

#include "fugu/core/error.h"

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
    if (question.scenario.confidence) {
      scenario.confidence = comparison.confidence = question.scenario.confidence;
      comparison.robust = all_methods(scenario);
    }
    comparisons.push_back(std::move(comparison));
  }
  if (which == Compared::kOptima || (which == Compared::kDirect && question.scenario.is_joint()))
    return comparisons;  // another may still do
  for (const Comparison& comparison : comparisons) {
    const auto& rows = comparison.candidates;
    if (std::none_of(rows.begin(), rows.end(), [](const Candidate& row) { return row.mse.has_value(); })) {
      throw Error(ErrorKind::kGuarantee, "no method attains the budget here: " + rows.back().note,
                  "give --delta, raise --epsilon, or use --noise laplace");
    }
  }
  return comparisons;
}

}  // namespace fugu::inline in_ask
