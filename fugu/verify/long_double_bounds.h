// Long doubles as bounds of exact numbers.
#pragma once

#include "fugu/core/number.h"
#include "fugu/verify/rounding.h"

namespace fugu::inline in_verify {

// The next number of 64 bits on that side.
long double rounded(const Rational& value, Toward toward);
// The logarithm of a number that is at least 1, rounded up.
double log_up(long double ratio);

}  // namespace fugu::inline in_verify
