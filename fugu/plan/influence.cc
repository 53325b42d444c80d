#include "fugu/core/interval.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_plan {

double influence_of(const Noise& noise) {
  return log(Interval(Rational(1 / noise.tail.value()), 128)).upper();
}

}  // namespace fugu::inline in_plan
