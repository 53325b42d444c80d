#include "fugu/verify/rounding.h"

#include <cfenv>

#include "fugu/core/error.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_verify {

Rounding::Rounding(Toward toward) : before_(std::fegetround()) {
  std::fesetround(toward == Toward::kUp ? FE_UPWARD : FE_DOWNWARD);
  // 1 + 2^-60 is no double: it shows which way it went.
  const double sum = rounded_sum(1, 0x1p-60), rest = rounded_sum(-1, 0x1p-60);
  if (toward == Toward::kUp ? sum > 1 && rest > -1 : sum == 1 && rest == -1) return;
  std::fesetround(before_);
  throw Error(ErrorKind::kBug, "this build does not round as it is told",
              "build the sources *_rounded.cc as cmake/rooms.cmake says");
}

Rounding::~Rounding() { std::fesetround(before_); }

}  // namespace fugu::inline in_verify
