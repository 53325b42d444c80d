// Numbers that a plan states, held against what was proved.
#pragma once

#include <optional>

#include "fugu/core/lattice.h"
#include "fugu/core/number.h"
#include "fugu/mechanism/noise.h"

namespace fugu {

// Rounding a proved bound up to a double may step over the limit; what is proved is that it does not exceed
// it. A limit that is a decimal is written as itself; another, such as 1/3, as the next double above.
double at_most(double bound, const Rational& limit);

// Whether a stated bound is one that was proved: not below what was, and not above the limit.
bool is_stated_bound(const std::optional<double>& stated, double proved, const Rational& limit);

// Whether the noise's own family makes these very integers at the stated scale. Precondition: it states one.
// Whether noise of that scale can be made at all: no calibrator comes near these limits, and beyond them the
// families' arithmetic has none.
bool is_possible(const Scale& scale, const Lattice& lattice);

bool scale_makes_noise(const Noise& noise, const Lattice& lattice);

}  // namespace fugu
