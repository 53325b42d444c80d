#include "fugu/plan/one_row.h"

#include "fugu/proof/refusals.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_plan {

bool rows_are_alike(const Plan& plan) {
  const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism);
  const size_t columns = plan.scenario.released_columns();
  if (plan.scenario.rows_per_person() == 1) return true;
  if (!joint || columns == 0 || joint->columns.size() != plan.scenario.axes.size()) return false;
  for (size_t axis = columns; axis < joint->columns.size(); ++axis) {
    if (joint->columns[axis] != joint->columns[axis - columns]) return false;
  }
  return true;
}

Plan one_row(const Plan& plan) {
  if (plan.scenario.rows_per_person() == 1) return plan;
  Plan row = plan;
  row.scenario = one_row(plan.scenario);
  if (!rows_are_alike(plan)) throw does_not_verify("the rows of a person do not have the same noise");
  const JointNoise& joint = std::get<JointNoise>(plan.mechanism);
  const size_t columns = plan.scenario.released_columns();
  if (columns == 1) {
    row.mechanism = joint.columns.front();
  } else {
    row.mechanism = JointNoise{
        joint.scale, {joint.columns.begin(), joint.columns.begin() + static_cast<ptrdiff_t>(columns)}};
  }
  return row;
}

}  // namespace fugu::inline in_plan
