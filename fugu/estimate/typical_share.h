// How well a recipient will know a share of the rows, told to the owner before anything is released.
#pragma once

#include <cstdint>
#include <optional>

#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_estimate {

// Of that many released rows.
struct TypicalShare {
  // About a tenth: of the category around that which is known worst, or of the least numbers.
  double share = 0;
  double within = 0;  // the farther of the two bounds from it, as a share of the rows
  double confidence = 0.95;
};

// What `fugu estimate` is expected to say, by its own bounds, of a release that comes out as it does on
// average; of several columns that of the column which is known worst. Made of the owner's counts: private,
// and an estimate. None where there are no rows, or too many values to look at quickly.
// Precondition: the mechanism is one for the scenario.
std::optional<TypicalShare> typical_share(const Scenario& scenario, const Mechanism& mechanism,
                                          uint64_t rows);

}  // namespace fugu::inline in_estimate
