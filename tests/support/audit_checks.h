// A check of an audit by its name.
#pragma once

#include <stdexcept>
#include <string>

#include "fugu/audit/audit.h"

namespace fugu::testing {

inline const Check& check_named(const Audit& audit, const std::string& name) {
  for (const Check& check : audit.checks) {
    if (check.name == name) return check;
  }
  throw std::runtime_error("no check " + name);
}

}  // namespace fugu::testing
