#include "fugu/verify/verify_model.h"

#include <fmt/format.h>

#include "fugu/core/error.h"
#include "fugu/proof/refusals.h"
#include "fugu/verify/crowd.h"
#include "fugu/verify/quilt.h"
#include "fugu/verify/rate.h"
#include "fugu/verify/stated.h"

namespace fugu::inline in_verify {
ModelProof prove(const Model& model, const Budget& budget, const std::string& method, const Noise& noise,
                 const ModelWitness* stated, const Progress& progress) {
  if (const Crowd* crowd = std::get_if<Crowd>(&model))
    return prove_crowd(*crowd, budget, method, noise, stated, progress);
  if (const RateModel* rate = std::get_if<RateModel>(&model))
    return prove_rate(*rate, budget, method, noise, progress);
  return prove_chain(std::get<ChainModel>(model), budget, method, noise, stated, progress);
}

ModelWitness verify(const ModelPlan& plan, const Progress& progress) {
  const ModelProof proof = prove(plan.model, plan.budget, plan.method, plan.noise, &plan.witness, progress);
  const ModelWitness& witness = proof.witness;
  if (!proof.holds) {
    throw does_not_verify(fmt::format(
        "at {} the release tells two secrets apart by more than the budget, as far as {} can prove",
        witness.place, plan.method));
  }
  if (plan.witness != witness) throw does_not_verify("the witness is not where the loss is largest");
  if (!plan.noise.scale || !scale_makes_noise(plan.noise, plan.lattice()))
    throw does_not_verify("the scale is not that of the noise");
  if (plan.mse != mean_square_error(plan.model, plan.noise))
    throw does_not_verify("the mse is not that of the noise");
  if (plan.assumptions != assumptions_of(plan.model))
    throw does_not_verify("the assumptions are not those of the model");
  return witness;
}

}  // namespace fugu::inline in_verify
