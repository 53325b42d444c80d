#include "fugu/verify/stated.h"

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/mechanism/family.h"

namespace fugu::inline in_verify {

bool is_stated_bound(const std::optional<double>& stated, double proved, const Rational& limit) {
  return stated && *stated >= proved && *stated == at_most(*stated, limit);
}

bool is_possible(const Scale& scale, const Lattice& lattice) {
  const double steps = scale.value / static_cast<double>(lattice.step);
  return steps > 0x1p-200 && steps < 0x1p200;
}

bool scale_makes_noise(const Noise& noise, const Lattice& lattice) {
  if (noise.is_none()) return noise.scale->value == 0;
  if (!is_possible(*noise.scale, lattice)) return false;
  try {
    return noise == family_named(noise.family)->at(*noise.scale, lattice, noise.reach());
  } catch (const Error&) {
    return false;  // no such family
  }
}

}  // namespace fugu::inline in_verify
