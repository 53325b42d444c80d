// Sums of products of masses, in whichever way the thread rounds (verify/rounding.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fugu::inline in_verify {

double rounded_sum(double a, double b);
double rounded_product(double a, double b);

// The law of a sum of two independent numbers: one has these cells from 0 on, the other the mass masses[j] at
// offsets[j]. Offsets increase from 0. The same bits on every machine.
std::vector<double> convolved(std::vector<double> cells, std::span<const size_t> offsets,
                              std::span<const double> masses);

// The sum over k of [first[k] + minus_growth * second[k + shift]]_+, second being 0 outside: rounded up from
// upper bounds of `first` and lower ones of `second` it is an upper bound, and the other way round a lower
// one.
double excess(std::span<const double> first, std::span<const double> second, int64_t shift,
              double minus_growth);

}  // namespace fugu::inline in_verify
