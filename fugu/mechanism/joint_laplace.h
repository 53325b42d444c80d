// How the noise on several columns is made (docs/math.md, section 11).
#pragma once

#include <span>

#include "fugu/core/lattice.h"
#include "fugu/mechanism/joint_noise.h"

namespace fugu::inline in_mechanism {

// The noise that is drawn at that scale; none at 0. Error (usage) when that of a column would be too wide or
// too narrow to be written down. Precondition: as many weights as lattices.
JointNoise joint_laplace(Scale scale, std::span<const Lattice> lattices, std::span<const Rational> weights);

}  // namespace fugu::inline in_mechanism
