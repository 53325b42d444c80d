// How this room says no.
#pragma once

#include <string>

#include "fugu/core/error.h"

namespace fugu::inline in_proof {

inline Error does_not_verify(const std::string& reason) {
  return Error(ErrorKind::kGuarantee, "the plan does not verify: " + reason,
               "do not release with it; calibrate again");
}

inline Error does_not_compose(const std::string& reason, const std::string& hint) {
  return Error(ErrorKind::kGuarantee, "the plans do not compose: " + reason, hint);
}

}  // namespace fugu::inline in_proof
