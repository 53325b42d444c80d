// The transfer bound where what exchanges cost does not add up along a line (docs/math.md, section 17): noise
// of any shape, channels, several columns. A linear programme proposes which mass of p stands for which of q;
// what it proposes is repaired, and the bound is computed from it in intervals: any proposal is sound.
#pragma once

#include <optional>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/progress.h"

namespace fugu::inline in_compose {

// kept[x][x']: bounds of the least P(y|x') / P(y|x) over all outputs y of all releases, or of something
// below it; 1 where x is x'.
using KeptTable = std::vector<std::vector<Interval>>;

// Exchanges in several steps where these keep more: a table of anything below the truth may need it, one of
// the truth does not. Cubic.
void take_best_paths(KeptTable& kept);

// An upper bound of lambda. Laws over the table's values, nothing negative; each value of p may be exchanged
// for at most `cells` values of q, those that keep most. Absent where no bound is finite.
std::optional<Interval> transfer_by_programme(const std::vector<Rational>& first,
                                              const std::vector<Rational>& second, const KeptTable& kept,
                                              size_t cells, const Progress& progress = {});

}  // namespace fugu::inline in_compose
