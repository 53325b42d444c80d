#include "fugu/ask/model_budget.h"

#include "fugu/core/error.h"

namespace fugu::inline in_ask {

Budget ModelBudget::read(const char* hint) const {
  if (epsilon.empty()) throw usage("--epsilon is missing", hint);
  return {Epsilon::parse(epsilon, "--epsilon", ErrorKind::kUsage),
          delta.empty() ? Delta() : Delta::parse(delta, "--delta", ErrorKind::kUsage)};
}

}  // namespace fugu::inline in_ask
