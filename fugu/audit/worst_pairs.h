// Which pairs of secrets a plan hides least: by its own numbers, before anything is drawn.
#pragma once

#include <cstddef>
#include <vector>

#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_audit {

struct PriorPair {
  size_t prior = 0;
  SecretPair pair{0, 1};
  friend bool operator==(const PriorPair&, const PriorPair&) = default;
};

// At most `most` of them: the one of the largest loss under each prior, then the others, the largest first.
// Where there are too many outputs to look at all, or several columns, that of `witness` comes first and the
// others in their order. A guess in doubles: an audit of other pairs is no less right, only less sharp.
std::vector<PriorPair> worst_pairs(const Scenario& scenario, const Mechanism& mechanism,
                                   const PriorPair& witness, size_t most);

}  // namespace fugu::inline in_audit
