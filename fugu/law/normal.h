// A value that is normal given the secret, or a mixture of normals.
#pragma once

#include <utility>
#include <vector>

#include "fugu/core/number.h"

namespace fugu::inline in_law {

struct Normal {
  Rational mean, sd;  // sd > 0
  friend bool operator==(const Normal&, const Normal&) = default;
};

struct NormalLaw {
  // With their weights, all above 0; only proportions matter. A single one is written as a Gaussian unless
  // it was called a mixture.
  std::vector<std::pair<Rational, Normal>> parts;
  bool is_mixture = false;
  friend bool operator==(const NormalLaw&, const NormalLaw&) = default;
};

}  // namespace fugu::inline in_law
