// The cheapest way for values to trade places against every law that the counts allow (docs/math.md, sections
// 9 and 16). In doubles, a guess: the caller rounds and proves it.
#pragma once

#include "fugu/law/boxes.h"
#include "fugu/solve/circulation.h"

namespace fugu::inline in_calibrate {

// Whether the linear programme is one of minutes at most, by its size; `laws` are secrets times priors.
bool fits_boxed_circulation(size_t values, size_t laws);
inline constexpr size_t kMostBoxedCells = 30000;  // values squared, times laws

// The classes are the values of the boxes' domain, in its order; the problem's masses are not looked at.
//
// At an output y the most that a law within its box gives is the least, over numbers t, of
//   t (1 - sum low) + sum_x low_x K(y|x) + (high_x - low_x) (K(y|x) - t)+
// and the least likewise, so that one programme holds every law. With a band each x has a t of its own, and
// what they fall by from x to x is weighed by the bounds of the masses up to x (docs/math.md, section 9).
Circulation least_boxed_circulation(const CirculationProblem& problem, const BoxedLaws& boxed,
                                    const Patience& patience);

}  // namespace fugu::inline in_calibrate
