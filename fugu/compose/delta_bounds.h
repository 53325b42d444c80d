// Joint bounds with a delta (docs/math.md, section 10). They hold for releases that were settled beforehand.
#pragma once

#include <optional>
#include <vector>

#include "fugu/compose/compose.h"

namespace fugu::inline in_compose {

// Adds those of releases of one column: for the sum of the plans' deltas, if that is not 0, and for a delta
// that is asked for. Precondition: each plan's mechanism is noise or a channel.
void add_delta_bounds(const Scenario& scenario, const std::vector<Plan>& plans,
                      const std::optional<Rational>& asked, std::vector<Composition>& bounds);

}  // namespace fugu::inline in_compose
