#include "fugu/report/compared.h"

#include "fugu/report/rows_compared.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/shaping.h"

namespace fugu::inline in_report {
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

}  // namespace

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
  for (const Comparison& comparison : comparisons)
    out += "\n" + comparison_text(comparison) + rows_text(question.scenario, comparison.released());
  const std::string clamped = clamped_sentence(question.scenario);
  if (!clamped.empty()) out += "\n" + clamped + "\n";
  return out + "\n" + truth_sentence(question.scenario, question.rows.has_value()) + "\n" +
         hint_of(question, comparisons).text();
}

}  // namespace fugu::inline in_report
