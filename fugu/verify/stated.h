// Numbers that a plan states, held against what was proved.
#pragma once

#include <optional>

#include "fugu/core/lattice.h"
#include "fugu/core/number.h"
#include "fugu/mechanism/noise.h"
#include "fugu/proof/prove.h"

namespace fugu::inline in_verify {

// Whether a stated bound is one that was proved: not below what was, and not above the limit.
bool is_stated_bound(const std::optional<double>& stated, double proved, const Rational& limit);

// Whether noise of that scale can be made at all: no calibrator comes near these limits, and beyond them the
// families' arithmetic has none.
bool is_possible(const Scale& scale, const Lattice& lattice);

// Whether the noise's own family makes these very integers at the stated scale. Precondition: it states one.
bool scale_makes_noise(const Noise& noise, const Lattice& lattice);

}  // namespace fugu::inline in_verify
