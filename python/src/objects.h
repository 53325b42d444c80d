// The core's objects as fugu._core shows them: questions and plans. The package wraps them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fugu/ask/open_question.h"
#include "fugu/count/arrow_rows.h"
#include "fugu/count/remembered_rows.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"

namespace fugu::python {

using PyScenario = OpenQuestion;

// A plan of a table or of a model. It never changes.
class PyPlan {
 public:
  std::variant<Plan, ModelPlan> plan;
  std::vector<int64_t> observed = {};  // of a chain made of a sequence, a rate of a table: the true numbers

  const Plan& of_table() const;       // Error (usage) for a model's
  const ModelPlan& of_model() const;  // Error (usage) for a table's
};

// What is remembered of a table's rows when they are counted, and what its columns are called.
class PyRemembered {
 public:
  explicit PyRemembered(size_t most_order) : rows(std::make_shared<RememberedRows>(most_order)) {}
  void take(ArrowRows& table) {
    header = table.head().header;
    table.remember_in(rows);
  }

  std::shared_ptr<RememberedRows> rows;
  std::vector<std::string> header;
};

void bind_scenario(nanobind::module_& module);
void bind_plan(nanobind::module_& module);
void bind_releasers(nanobind::module_& module, nanobind::class_<PyPlan>& plan);
void bind_models(nanobind::module_& module);
void bind_job(nanobind::module_& module);
void bind_ledger(nanobind::module_& module);

}  // namespace fugu::python
