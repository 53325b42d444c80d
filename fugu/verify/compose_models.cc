#include "fugu/verify/compose_models.h"

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/verify/quilt_loss.h"

namespace fugu {
namespace {

constexpr Bits kBits = 128;

Error refuse(const std::string& reason, const std::string& hint) {
  return Error(ErrorKind::kGuarantee, "the plans do not compose: " + reason, hint);
}

const ChainModel& chain_of(const ModelPlan& plan) {
  if (const ChainModel* chain = std::get_if<ChainModel>(&plan.model)) return *chain;
  throw refuse("they are about independent users, whose releases have no joint bound yet",
               "release one number about them");
}

void check_same(const ChainModel& first, const ChainModel& other) {
  if (first.states != other.states || first.chains != other.chains)
    throw refuse("their chains are not the same", "calibrate each with the same chain");
  if (first.length != other.length)
    throw refuse("their sequences are not of the same length", "calibrate each with the same --length");
}

}  // namespace

Composition compose(const std::vector<ModelPlan>& plans, const Progress& progress) {
  const ModelPlan& first = plans.front();
  if (plans.size() == 1) return {first.budget.epsilon.value(), first.budget.delta.value(), "single"};
  const ChainModel& model = chain_of(first);
  Interval cost(kBits);
  for (const ModelPlan& plan : plans) {
    check_same(model, chain_of(plan));
    cost += cost_of_one_state(chain_of(plan), plan.noise.tail.value(), kBits);
  }
  const double loss = best_quilts(model, progress)->at(cost.upper()).loss;
  if (!std::isfinite(loss))
    throw refuse("one of them adds no noise: no bound of their joint loss is finite",
                 "release one number, or calibrate by quilts");
  return {exact(loss), Rational(0), "quilt"};
}

}  // namespace fugu
