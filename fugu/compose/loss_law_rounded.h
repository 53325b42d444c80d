// Laws of the privacy loss on a grid, from above, in doubles that round up (verify/rounding.h).
//
// Of two laws P and Q of an output, the loss is log P(y)/Q(y), and its law is that under P. Every function
// here rounds up only where the thread does; each result then bounds, entry by entry, the law of something
// from which the outputs themselves can be made, so that no hockey-stick is understated (docs/math.md,
// section 10).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fugu::inline in_compose {

// Bounds of e^(k step) for 0 <= k < low.size(), and of what one step leaves.
struct LossGrid {
  std::vector<double> low, high;
  double shrunk;  // 1 - e^-step, from below
  double grown;   // e^step - 1, from below
};

// Of the loss (first + k) steps the mass masses[k]; of losses without bound the mass `infinite`.
struct LossLaw {
  int64_t first = 0;
  std::vector<double> masses = {};
  double infinite = 0;
};

// Powers of a base, 0 <= k < count.
std::vector<double> rounded_powers(double base, size_t count);

// The law of outputs with masses at most p[y] under P and at least q[y] under Q. `places` are guesses of the
// loss in whole steps. Losses above `top` steps count as infinite in part, those below `bottom` as that.
// Precondition: bottom < top, the grid reaches both, and as many of p, q and places.
LossLaw loss_law(std::span<const double> p, std::span<const double> q, std::span<const int64_t> places,
                 const LossGrid& grid, int64_t bottom, int64_t top);

// The law of the sum of two independent losses.
LossLaw together(const LossLaw& a, const LossLaw& b);

// Cuts the ends: `above` of the mass of the largest losses may become infinite, `below` of that of the least
// may become larger.
LossLaw trimmed(LossLaw law, double above, double below);

// The sum over losses of mass [1 - e^(epsilon - loss)]_+, with e^epsilon from below.
double excess_of(const LossLaw& law, const LossGrid& grid, double growth);

// The sum of a[k] b[k].
double rounded_dot(std::span<const double> a, std::span<const double> b);

}  // namespace fugu::inline in_compose
