// Noise on several columns at once: independent lattice Laplace on each, of one common scale times the
// column's weight (docs/math.md, section 11).
#pragma once

#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/mechanism/noise.h"

namespace fugu::inline in_mechanism {

// Invariants: at least two columns, each Laplace noise: reach 0.
struct JointNoise {
  Scale scale;  // theta; the columns' integers decide
  std::vector<Noise> columns;
  bool is_none() const;
  friend bool operator==(const JointNoise&, const JointNoise&) = default;
};

// The members of a plan's "mechanism" that make the noise, and the same read back. Error (data) with `place`
// when it breaks an invariant.
Json joint_noise_to_json(const JointNoise& noise);
JointNoise joint_noise_from_json(const Json& json, const std::string& place);

}  // namespace fugu::inline in_mechanism
