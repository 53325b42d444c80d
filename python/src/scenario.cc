#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/core/error.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/inspect/inspection.h"
#include "fugu/law/budget_list.h"
#include "fugu/report/compared.h"
#include "fugu/report/picture.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/scenario/scenario_json.h"
#include "python/src/capsules.h"
#include "python/src/objects.h"
#include "python/src/texts.h"
#include "python/src/work.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

constexpr double kCompareSeconds = 60;
constexpr const char* kAnyEpsilon = "0.000001";  // so small that a promise in belief says something

// The texts of a question whose budget comes later.
PyScenario open_question(QuestionOptions options, const nb::object& progress) {
  const bool has_budget = !options.epsilon.empty();
  Rational closeness(0);
  if (!has_budget) {
    // Any epsilon will do for counting: promised() puts the true one in its place.
    closeness = read_closeness(std::exchange(options.closeness, ""));
    options.epsilon = kAnyEpsilon;
  }
  return {result_of(progress, [&](const Progress& tell) { return read_question(options, tell); }), has_budget,
          closeness};
}

PyScenario scenario_of_rows(const nb::object& stream, const Texts& texts,
                            const std::vector<std::string>& priors, const std::optional<std::string>& times,
                            const nb::object& progress) {
  QuestionOptions options = options_of<QuestionOptions>(texts);
  options.priors = priors;
  options.rows = std::make_shared<ArrowRows>(stream_of(stream), times);
  return open_question(std::move(options), progress);
}

PyScenario scenario_of_file(const Texts& texts, const std::vector<std::string>& priors,
                            const nb::object& progress) {
  QuestionOptions options = options_of<QuestionOptions>(texts);
  options.priors = priors;
  return open_question(std::move(options), progress);
}

// The columns that are released of a table with these: all that have no other role, where that is asked.
std::vector<std::string> released_of(const Texts& texts, const std::vector<std::string>& header) {
  TableHead head{.file = "the table", .columns = header.size(), .header = header};
  return released_columns(options_of<QuestionOptions>(texts), head);
}

PyScenario scenario_of_json(const std::string& text, const std::string& place) {
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

std::string json_of(const PyScenario& scenario) {
  Json json = scenario_to_json(scenario.question.scenario);
  if (scenario.has_budget) return json.pretty();
  Json open = Json::object();
  for (const auto& [key, value] : *json.if_object()) {
    if (key != "epsilon" && key != "delta") open.add(key, value);
  }
  return open.pretty();
}

// The first of several epsilons; budgets by secret as they are.
std::string promised_text(const QuestionOptions& options) {
  if (names_budgets(options.epsilon)) return options.epsilon;
  const auto epsilons = options.epsilons();
  return epsilons.empty() ? "" : epsilons.front().text();
}

// What fugu compare prints, as JSON and as text.
std::pair<std::string, std::string> compare_all_methods(const PyScenario& scenario, const Texts& texts,
                                                        const nb::object& progress) {
  const QuestionOptions options = options_of<QuestionOptions>(texts);
  OptimumOptions optimum;
  optimum.seconds = read_time_limit(options_of<PlanOptions>(texts).time_limit, kCompareSeconds);
  Question question = scenario.question;
  question.scenario = scenario.promised(promised_text(options), options.delta);
  return result_of(progress, [&](const Progress& tell) {
    const auto comparisons = compare_question(question, options, optimum, tell);
    return std::pair(compared_to_json(question, comparisons).pretty(), compared_text(question, comparisons));
  });
}

PyPlan calibrate_plan(const PyScenario& scenario, const Texts& texts, const nb::object& progress) {
  const QuestionOptions question = options_of<QuestionOptions>(texts);
  const PlanOptions options = options_of<PlanOptions>(texts);
  const std::string noise = one_noise(question);
  options.check(noise);
  check_one_epsilon(question);
  const Scenario promised = scenario.promised(question.epsilon, question.delta);
  return PyPlan{result_of(
      progress, [&](const Progress& tell) { return make_plan(promised, question, options, tell); })};
}

std::string error_curve(const PyScenario& scenario, const Texts& texts, double seconds,
                        const nb::object& progress) {
  const QuestionOptions options = options_of<QuestionOptions>(texts);
  const auto epsilons = options.epsilons();
  const Scenario promised = scenario.promised(promised_text(options), options.delta);
  ErrorOptions wanted;
  wanted.seconds = seconds;
  if (const auto noises = options.noises(); !noises.empty()) wanted.noises = noises;
  return result_of(progress, [&](const Progress& tell) {
    return error_picture(promised, epsilons.size() > 1 ? epsilons : epsilons_around(promised), wanted, tell)
        .pretty();
  });
}

}  // namespace

Scenario PyScenario::promised(const std::string& epsilon, const std::string& delta) const {
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
    throw usage("--delta: several columns take no delta", "leave out --delta, or release one column");
  scenario.promise(budget, has_budget ? scenario.lambda() : closeness);
  if (!epsilon.empty()) scenario.own_budgets = parse_own_budgets(epsilon, scenario.secrets);
  check_promise(scenario, ErrorKind::kUsage);
  return scenario;
}

void bind_scenario(nb::module_& module) {
  nb::class_<PyScenario>(module, "Scenario")
      .def_static("of_rows", &scenario_of_rows, nb::arg("stream"), nb::arg("texts"), nb::arg("priors"),
                  nb::arg("times").none(), nb::arg("progress").none())
      .def_static("of_file", &scenario_of_file, nb::arg("texts"), nb::arg("priors"),
                  nb::arg("progress").none())
      .def_static("of_json", &scenario_of_json, nb::arg("text"), nb::arg("place"))
      .def_static("released_columns", &released_of, nb::arg("texts"), nb::arg("header"))
      .def("to_json", &json_of)
      .def("facts",
           [](const PyScenario& self) {
             const Scenario& scenario = self.question.scenario;
             return facts_to_json(scenario, facts_of(scenario), self.question.rows).pretty();
           })
      .def("facts_text",
           [](const PyScenario& self) {
             const Scenario& scenario = self.question.scenario;
             return facts_text(scenario, facts_of(scenario), self.question.rows);
           })
      .def("laws", [](const PyScenario& self) { return laws_picture(self.question.scenario).pretty(); })
      .def("transport",
           [](const PyScenario& self) { return transport_picture(self.question.scenario).pretty(); })
      .def("compare", &compare_all_methods, nb::arg("texts"), nb::arg("progress").none())
      .def("calibrate", &calibrate_plan, nb::arg("texts"), nb::arg("progress").none())
      .def("error_curve", &error_curve, nb::arg("texts"), nb::arg("seconds"), nb::arg("progress").none());
}

}  // namespace fugu::python
