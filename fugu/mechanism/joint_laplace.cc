#include "fugu/mechanism/joint_laplace.h"

#include <cmath>

#include "fugu/core/error.h"
#include "fugu/mechanism/laplace.h"

namespace fugu::inline in_mechanism {
namespace {

// The ratio of the tail, e^-that, would need a million bits.
constexpr double kMostStepsPerScale = 5e5;

}  // namespace

JointNoise joint_laplace(Scale scale, std::span<const Lattice> lattices, std::span<const Rational> weights) {
  JointNoise noise{scale, {}};
  for (size_t c = 0; c < lattices.size(); ++c) {
    const Scale here{round_up(Rational(exact(scale.value) * weights[c]))};
    const double steps = static_cast<double>(lattices[c].step) / here.value;  // per scale
    if (scale.value > 0 && (!std::isfinite(here.value) || !(steps < kMostStepsPerScale) || steps == 0)) {
      throw Error(ErrorKind::kUsage,
                  "--noise-shares: the noise of a column would be too wide or too narrow to draw",
                  "give weights that are nearer to the spread of each column");
    }
    noise.columns.push_back(Laplace().at(here, lattices[c], 0));
  }
  return noise;
}

}  // namespace fugu::inline in_mechanism
