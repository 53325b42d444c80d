#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "fugu/ask/open_question.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/report/compared.h"
#include "fugu/report/picture.h"
#include "fugu/report/scenario_facts.h"
#include "python/src/capsules.h"
#include "python/src/objects.h"
#include "python/src/work.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

PyScenario scenario_of_rows(const nb::object& stream, const Texts& texts,
                            const std::vector<std::string>& priors, const std::optional<std::string>& times,
                            const nb::object& progress, PyRemembered* remembered) {
  QuestionOptions options = options_of<QuestionOptions>(texts);
  options.priors = priors;
  const auto rows = std::make_shared<ArrowRows>(stream_of(stream), times);
  if (remembered) remembered->take(*rows);
  options.rows = rows;
  return result_of(progress, [&](const Progress& tell) { return open_question(options, tell); });
}

PyScenario scenario_of_file(const Texts& texts, const std::vector<std::string>& priors,
                            const nb::object& progress) {
  QuestionOptions options = options_of<QuestionOptions>(texts);
  options.priors = priors;
  return result_of(progress, [&](const Progress& tell) { return open_question(options, tell); });
}

// What fugu compare prints, as JSON and as text.
std::pair<std::string, std::string> compare_all_methods(const PyScenario& scenario, const Texts& texts,
                                                        const nb::object& progress) {
  return result_of(progress, [&](const Progress& tell) {
    const auto [question, comparisons] = compare(scenario, texts, tell);
    return std::pair(compared_to_json(question, comparisons).pretty(), compared_text(question, comparisons));
  });
}

PyPlan calibrate_plan(const PyScenario& scenario, const Texts& texts, const nb::object& progress) {
  return PyPlan{result_of(progress, [&](const Progress& tell) { return plan_of(scenario, texts, tell); })};
}

std::string error_curve(const PyScenario& scenario, const Texts& texts, double seconds,
                        const nb::object& progress) {
  return result_of(
      progress, [&](const Progress& tell) { return error_picture(scenario, texts, seconds, tell).pretty(); });
}

}  // namespace

void bind_scenario(nb::module_& module) {
  nb::class_<PyRemembered>(module, "Remembered",
                           "What is remembered of a table's rows when they are counted.")
      .def(nb::init<size_t>(), nb::arg("most_order"))
      .def_prop_ro("rows",
                   [](const PyRemembered& self) {
                     uint64_t rows = 0;
                     for (const RowOrder::Part& part : self.rows->order().parts) rows += part.rows();
                     return rows;
                   })
      .def_prop_ro("whole", [](const PyRemembered& self) { return self.rows->order().whole; });
  nb::class_<PyScenario>(module, "Scenario")
      .def_static("of_rows", &scenario_of_rows, nb::arg("stream"), nb::arg("texts"), nb::arg("priors"),
                  nb::arg("times").none(), nb::arg("progress").none(),
                  nb::arg("remembered").none() = nb::none())
      .def_static("of_file", &scenario_of_file, nb::arg("texts"), nb::arg("priors"),
                  nb::arg("progress").none())
      .def_static("of_json", &open_scenario, nb::arg("text"), nb::arg("place"))
      .def_static("released_columns",
                  nb::overload_cast<const Texts&, const std::vector<std::string>&>(&released_columns),
                  nb::arg("texts"), nb::arg("header"))
      .def("to_json", [](const PyScenario& self) { return self.to_json().pretty(); })
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
