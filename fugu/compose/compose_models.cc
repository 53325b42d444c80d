#include "fugu/compose/compose_models.h"

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/proof/refusals.h"
#include "fugu/verify/transfer.h"

namespace fugu::inline in_compose {
namespace {

const ChainModel& chain_of(const ModelPlan& plan) {
  if (const ChainModel* chain = std::get_if<ChainModel>(&plan.model)) return *chain;
  throw does_not_compose("they are not all about a chain", "compose plans of one model");
}

// By Lemma 2 each release multiplies what any two letters' masses differ by, whatever the others say: the
// losses add. Not so where only absence is compared, nor where the others' randomness was counted on.
Composition compose_crowd(const std::vector<ModelPlan>& plans) {
  const ModelPlan& first = plans.front();
  Rational sum(0);
  for (const ModelPlan& plan : plans) {
    if (plan.model != first.model)
      throw does_not_compose("they are not about the same users and the same sum",
                             "calibrate each with the same users");
    if (plan.method != "lemma2" || !plan.witness.loss ||
        std::get<Crowd>(plan.model).pairs == CrowdPairs::kAbsent) {
      throw does_not_compose("only Lemma 2's pure promises about users' answers add up",
                             "calibrate without --delta and with --pairs both or values");
    }
    sum += exact(*plan.witness.loss);
  }
  return {sum, Rational(0), "lemma2"};
}

// Whatever the laws are, changing a row changes what each release's noise has to hide by so many steps: their
// costs add, for several columns of the same table as well (docs/math.md, section 12).
Composition compose_rates(const std::vector<ModelPlan>& plans) {
  const auto& first = std::get<RateModel>(plans.front().model);
  Interval loss(128);
  for (const ModelPlan& plan : plans) {
    const RateModel* rate = std::get_if<RateModel>(&plan.model);
    if (!rate || rate->rows != first.rows || rate->within != first.within || rate->secrets != first.secrets)
      throw does_not_compose("they are not about the same rate of the same table",
                             "calibrate each with the same secret, rows and --within");
    if (rate->steps_per_row() == 0) continue;
    if (plan.noise.is_none())
      throw does_not_compose("one of them adds no noise: no finite bound of their joint loss is known",
                             "release one number, or calibrate by the method group");
    loss += log(Interval(Integer(1), 128) / Interval(plan.noise.tail.value(), 128)) *
            Interval(rate->steps_in_all(), 128);
  }
  return {exact(loss.upper()), Rational(0), "group"};
}

void check_same(const ChainModel& first, const ChainModel& other) {
  if (first.states != other.states || first.chains != other.chains)
    throw does_not_compose("their chains are not the same", "calibrate each with the same chain");
  if (first.length != other.length)
    throw does_not_compose("their sequences are not of the same length",
                           "calibrate each with the same --length");
}

}  // namespace

Composition compose(const std::vector<ModelPlan>& plans, const Progress& progress) {
  const ModelPlan& first = plans.front();
  if (plans.size() == 1) return {first.budget.epsilon.value(), first.budget.delta.value(), "single"};
  if (std::holds_alternative<Crowd>(first.model)) return compose_crowd(plans);
  if (std::holds_alternative<RateModel>(first.model)) return compose_rates(plans);
  const ChainModel& model = chain_of(first);
  std::vector<Rational> odds(model.states.size() * model.states.size(), Rational(1));
  for (const ModelPlan& plan : plans) {
    check_same(model, chain_of(plan));
    const std::vector<Rational> more = odds_of_change(chain_of(plan), plan.noise.tail.value());
    for (size_t k = 0; k < odds.size(); ++k) odds[k] *= more[k];
  }
  const double loss = transfer_loss(model, odds, std::nullopt, progress).loss;
  if (!std::isfinite(loss))
    throw does_not_compose("one of them adds no noise: no finite bound of their joint loss is known",
                           "release one number, or calibrate by transfer");
  return {exact(loss), Rational(0), "transfer"};
}

}  // namespace fugu::inline in_compose
