#include "fugu/ask/open_question.h"

#include <utility>

#include "fugu/ask/plan_options.h"
#include "fugu/core/error.h"
#include "fugu/law/budget_list.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_ask {
namespace {

constexpr double kCompareSeconds = 60;
constexpr const char* kAnyEpsilon = "0.000001";  // so small that a promise in belief says something

// The first of several epsilons; budgets by secret as they are.
std::string promised_text(const QuestionOptions& options) {
  if (names_budgets(options.epsilon)) return options.epsilon;
  const auto epsilons = options.epsilons();
  return epsilons.empty() ? "" : epsilons.front().text();
}

}  // namespace

Scenario OpenQuestion::promised(const std::string& epsilon, const std::string& delta) const {
  if (epsilon.empty() && !has_budget)
    throw usage("--epsilon: no epsilon is given",
                "add epsilon=, for example epsilon=0.5; smaller hides more");
  Scenario scenario = question.scenario;
  Budget budget = scenario.stated();
  if (!epsilon.empty()) {
    budget.epsilon = common_budget(epsilon);
    scenario.own_budgets.clear();
  }
  if (!delta.empty()) budget.delta = Delta::parse(delta, "--delta", ErrorKind::kUsage);
  if (scenario.is_joint() && !budget.delta.is_zero())
    throw usage("--delta: this works with one released column only",
                "leave out --delta, or release one column");
  scenario.promise(budget, has_budget ? scenario.lambda() : closeness);
  if (!epsilon.empty()) scenario.own_budgets = parse_own_budgets(epsilon, scenario.secrets);
  check_promise(scenario, ErrorKind::kUsage);
  return scenario;
}

Scenario OpenQuestion::promised(const QuestionOptions& options) const {
  return promised(promised_text(options), options.delta);
}

Json OpenQuestion::to_json() const {
  Json json = scenario_to_json(question.scenario);
  if (has_budget) return json;
  Json open = Json::object();
  for (const auto& [key, value] : *json.if_object()) {
    if (key != "epsilon" && key != "delta") open.add(key, value);
  }
  return open;
}

OpenQuestion open_question(QuestionOptions options, const Progress& progress) {
  const bool has_budget = !options.epsilon.empty();
  Rational closeness(0);
  if (!has_budget) {
    // Any epsilon will do for counting: promised() puts the true one in its place.
    closeness = read_closeness(std::exchange(options.closeness, ""));
    options.epsilon = kAnyEpsilon;
  }
  return {read_question(options, progress), has_budget, closeness};
}

OpenQuestion open_scenario(const std::string& text, const std::string& place) {
  const Json json = parse_json(text, place);
  const bool has_budget = json.find("epsilon") != nullptr;
  ScenarioOverrides overrides;
  if (!has_budget) {
    if (json.find("closeness"))
      throw usage(place + ": a closeness needs an epsilon beside it", "give the scenario an epsilon");
    overrides.epsilon = Epsilon::parse(kAnyEpsilon, "epsilon", ErrorKind::kUsage);
  }
  return {{scenario_from_json(json, place, overrides), std::nullopt, {}}, has_budget};
}

std::vector<std::string> released_columns(const Texts& texts, const std::vector<std::string>& header) {
  const TableHead head{.file = "the table", .columns = header.size(), .header = header};
  return released_columns(options_of<QuestionOptions>(texts), head);
}

ComparedQuestion compare(const OpenQuestion& open, const Texts& texts, const Progress& progress) {
  const QuestionOptions options = options_of<QuestionOptions>(texts);
  OptimumOptions optimum;
  optimum.seconds = read_time_limit(options_of<PlanOptions>(texts).time_limit, kCompareSeconds);
  ComparedQuestion result{open.question, {}};
  result.question.scenario = open.promised(options);
  result.comparisons = compare_question(result.question, options, optimum, progress);
  return result;
}

Plan plan_of(const OpenQuestion& open, const Texts& texts, const Progress& progress) {
  const QuestionOptions question = options_of<QuestionOptions>(texts);
  const PlanOptions options = options_of<PlanOptions>(texts);
  options.check(one_noise(question));
  check_one_epsilon(question);
  return make_plan(open.promised(question.epsilon, question.delta), question, options, progress);
}

}  // namespace fugu::inline in_ask
