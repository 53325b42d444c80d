#include "fugu/calibrate/close_beliefs.h"

#include "fugu/calibrate/boxed_circulation.h"
#include "fugu/scenario/domain.h"

namespace fugu::inline in_calibrate {
namespace {

// Whether every belief within the boxes can be gone through by this method.
bool fits_boxes(const Task& task, const Method& method) {
  const Scenario& scenario = task.scenario;
  if (scenario.is_joint() || !method.is(kRobust)) return false;
  if (scenario.source && scenario.source->has_strata()) return false;
  const size_t values = scenario.values().size();
  if (method.name == "swap")
    return fits_boxed_circulation(values, scenario.secrets.size() * scenario.priors.size());
  if (values > kMostValues) return false;
  if (method.makes_mechanism()) return scenario.delta.is_zero();
  return task.family.name() == "laplace";
}

Scenario by_budget(Scenario scenario) {
  scenario.promise(scenario.stated(), scenario.lambda(), Closeness::By::kBudget);
  return scenario;
}

}  // namespace

bool closeness_is_open(const Scenario& scenario) {
  return scenario.closeness && scenario.closeness->by == Closeness::By::kBoxes;
}

std::vector<Scenario> readings_of(const Task& task, const Method& method) {
  const Scenario& scenario = task.scenario;
  if (!fits_boxes(task, method) && !scenario.is_plain()) {
    throw Error(
        ErrorKind::kUsage,
        "--closeness: with a promise in belief, or budgets of their own, every close belief is looked "
        "at, which takes one column of few values",
        "use --method exact and at most 1,000 values, or leave out --closeness");
  }
  if (!fits_boxes(task, method)) return {by_budget(scenario)};
  std::vector<Scenario> readings{scenario};
  const bool either = !scenario.delta.is_zero() || method.name == "sharp";
  if (either && scenario.stated().epsilon.value() > 2 * scenario.lambda())
    readings.push_back(by_budget(scenario));
  return readings;
}

}  // namespace fugu::inline in_calibrate
