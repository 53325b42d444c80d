#include "fugu/release/release_numbers.h"

#include "fugu/sample/mechanism_sampler.h"
#include "fugu/sample/random.h"
#include "fugu/verify/verify_model.h"

namespace fugu::inline in_release {

std::vector<int64_t> release_numbers(const ModelPlan& plan, std::vector<int64_t> truth,
                                     const Progress& progress) {
  verify(plan, progress);
  SecureRandom random;
  MechanismSampler(plan.noise).release(random, truth);
  return truth;
}

}  // namespace fugu::inline in_release
