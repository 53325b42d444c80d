#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fugu/ask/chain_question.h"
#include "fugu/ask/crowd_question.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/ask/model_budget.h"
#include "fugu/ask/rate_question.h"
#include "fugu/ask/texts.h"
#include "fugu/calibrate/chain.h"
#include "fugu/calibrate/crowd.h"
#include "fugu/calibrate/rate.h"
#include "fugu/core/error.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/inspect/inspection.h"
#include "fugu/report/comparison.h"
#include "fugu/report/estimate_text.h"
#include "python/src/capsules.h"
#include "python/src/objects.h"
#include "python/src/work.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

Budget budget_of(const Texts& texts) {
  return options_of<ModelBudget>(texts).read("add epsilon=, for example epsilon=0.5");
}

// Rows of texts, one a user.
using Rows = std::vector<std::vector<std::string>>;

UserTable table_of(const Rows& rows) {
  UserTable table;
  for (size_t k = 0; k < rows.size(); ++k) {
    table.lines.push_back(k + 1);
    table.rows.emplace_back();
    for (const std::string& text : rows[k]) {
      const auto number = parse_number(text);
      if (!number)
        throw Error(ErrorKind::kData,
                    "probabilities: row " + std::to_string(k + 1) + " holds what is no number",
                    "give decimals or fractions");
      table.rows.back().push_back(*number);
    }
  }
  return table;
}

CrowdOptions crowd_of(const Texts& texts, const std::optional<Rows>& rows) {
  CrowdOptions options = options_of<CrowdOptions>(texts);
  if (rows) options.table = table_of(*rows);
  return options;
}

PyPlan count_plan(const Texts& texts, const std::optional<Rows>& rows, const nb::object& progress) {
  const CrowdOptions options = crowd_of(texts, rows);
  const Budget budget = budget_of(texts);
  const std::string noise = options.noises(budget, false).front();
  return PyPlan{result_of(progress, [&](const Progress& tell) {
    return calibrate(read_crowd(options), budget, noise, {}, tell);
  })};
}

std::string count_comparison(const Texts& texts, const std::optional<Rows>& rows,
                             const nb::object& progress) {
  const CrowdOptions options = crowd_of(texts, rows);
  const Budget budget = budget_of(texts);
  const auto noises = options.noises(budget, true);
  return result_of(progress, [&](const Progress& tell) {
    return comparison_to_json(
               {budget.epsilon, budget.delta, compare(read_crowd(options), budget, noises, tell)})
        .pretty();
  });
}

PyPlan chain_plan(const Texts& texts, const std::optional<std::string>& matrix,
                  const std::optional<std::vector<std::string>>& states, const nb::object& progress) {
  ChainOptions options = options_of<ChainOptions>(texts);
  if (matrix) options.chain = parse_json(*matrix, "the chain");
  options.states = states;
  options.check();
  const Budget budget = budget_of(texts);
  return result_of(progress, [&](const Progress& tell) {
    const ChainInput input = read_chain(options, tell);
    const std::string method = options.method.empty() ? std::string(kUsualChainMethod) : options.method;
    ModelPlan plan = calibrate(input.model, budget, method, tell);
    const bool whole = options.has_sequence() && options.length.empty();
    return PyPlan{std::move(plan), whole ? input.counted() : std::vector<int64_t>{}};
  });
}

PyPlan rate_plan(const PyScenario& scenario, const Texts& texts, const nb::object& progress) {
  const RateOptions options = options_of<RateOptions>(texts);
  options.check();
  const Budget budget = budget_of(texts);
  return result_of(progress, [&](const Progress& tell) {
    RateInput input = read_rate(options, scenario.question.scenario, scenario.question.rows.has_value());
    return PyPlan{calibrate(input.model, budget, options.method, tell), std::move(input.truth)};
  });
}

std::string estimates(const nb::object& stream, const Texts& texts, const std::string& statement,
                      const std::string& place, const nb::object& progress) {
  EstimateTexts options = options_of<EstimateTexts>(texts);
  if (const auto file = texts.find("file"); file != texts.end()) options.file = file->second;
  if (!stream.is_none()) options.rows = std::make_shared<ArrowRows>(stream_of(stream));
  const Json json = parse_json(statement, place);
  return result_of(progress, [&](const Progress& tell) {
    return answer_to_json(estimate_table(options, json, place, tell)).pretty();
  });
}

}  // namespace

void bind_models(nb::module_& module) {
  module.def("count", &count_plan, nb::arg("texts"), nb::arg("rows").none(), nb::arg("progress").none());
  module.def("compare_count", &count_comparison, nb::arg("texts"), nb::arg("rows").none(),
             nb::arg("progress").none());
  module.def("chain", &chain_plan, nb::arg("texts"), nb::arg("matrix").none(), nb::arg("states").none(),
             nb::arg("progress").none());
  module.def("rate", &rate_plan, nb::arg("scenario"), nb::arg("texts"), nb::arg("progress").none());
  module.def("estimate", &estimates, nb::arg("stream").none(), nb::arg("texts"), nb::arg("statement"),
             nb::arg("place"), nb::arg("progress").none());
}

}  // namespace fugu::python
