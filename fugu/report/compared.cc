#include "fugu/report/compared.h"

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/shaping.h"

namespace fugu {
namespace {

// What exact Laplace noise costs at each epsilon, where the column is shaped.
std::vector<ShapedError> shaped_errors_of(const Question& question,
                                          const std::vector<Comparison>& comparisons) {
  if (question.before.effect.steps.empty()) return {};
  std::vector<Epsilon> epsilons;
  for (const Comparison& comparison : comparisons) epsilons.push_back(comparison.epsilon);
  return shaped_errors(question.scenario, question.before, epsilons);
}

// For the first budget that the exact method needs so much noise for.
ShapingHint hint_of(const Question& question, const std::vector<Comparison>& comparisons) {
  if (!question.rows) return {};
  for (const Comparison& comparison : comparisons) {
    for (const Candidate& candidate : comparison.candidates) {
      if (candidate.method != "exact" || !candidate.mse) continue;
      Scenario scenario = question.scenario;
      scenario.promise({comparison.epsilon, comparison.delta}, scenario.lambda());
      ShapingHint hint = shaping_hint(scenario, candidate.column_mse);
      if (!hint.what.empty()) return hint;
    }
  }
  return {};
}

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
  if (which == Compared::kOptima) return comparisons;
  for (const Comparison& comparison : comparisons) {
    const auto& rows = comparison.candidates;
    if (std::none_of(rows.begin(), rows.end(), [](const Candidate& row) { return row.mse.has_value(); })) {
      throw Error(ErrorKind::kGuarantee, "no method attains the budget here: " + rows.back().note,
                  "give --delta, raise --epsilon, or use --noise laplace");
    }
  }
  return comparisons;
}

Json compared_to_json(const Question& question, const std::vector<Comparison>& comparisons) {
  Json json = Json::object();
  if (comparisons.size() == 1) {
    json = comparison_to_json(comparisons.front());
  } else {
    Json list = Json::array();
    for (const Comparison& comparison : comparisons)
      list.if_array()->push_back(comparison_to_json(comparison));
    json.add("comparisons", std::move(list));
  }
  json.add("scenario", facts_to_json(question.scenario, facts_of(question.scenario), question.rows));
  const std::vector<ShapedError> shaped = shaped_errors_of(question, comparisons);
  if (!shaped.empty()) json.add("shaping", shaping_to_json(question.before, shaped));
  const std::string hint = hint_of(question, comparisons).sentence();
  if (!hint.empty()) json.add("hint", Json::string(hint));
  return json;
}

std::string compared_text(const Question& question, const std::vector<Comparison>& comparisons) {
  std::string out = facts_text(question.scenario, facts_of(question.scenario), question.rows);
  const std::vector<ShapedError> shaped = shaped_errors_of(question, comparisons);
  if (!shaped.empty()) out += shaping_text(question.before, shaped);
  for (const Comparison& comparison : comparisons) out += "\n" + comparison_text(comparison);
  return out + "\n" + truth_sentence(question.scenario, question.rows.has_value()) + "\n" +
         hint_of(question, comparisons).text();
}

}  // namespace fugu
