// Draws of the secrets that a plan hides least, and what they say together with what was chosen on others.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fugu/audit/audit.h"
#include "fugu/audit/worst_pairs.h"

namespace fugu::inline in_audit {

// One secret under one prior, and where its rows are: from `begin` on, as many as were drawn.
struct DrawnSecret {
  size_t prior = 0;
  uint32_t secret = 0;
  size_t begin = 0;
};

struct Drawn {
  std::vector<PriorPair> pairs;
  std::vector<DrawnSecret> secrets;
  std::vector<std::vector<int64_t>> truth;  // by column
  std::vector<size_t> priors = {};          // of each row

  // The released values of the rows first … last of those of a secret. Precondition: it is among them.
  Outputs of(const AuditedRows& rows, size_t prior, uint32_t secret, size_t first, size_t last) const;
};

// True values by each secret's law, exactly. `pairs` may be empty.
Drawn draw_truth(const Scenario& scenario, std::vector<PriorPair> pairs, uint64_t draws);

// The two secrets of a pair on draws that had no part in the choice of an event; none where there are none.
using Tested = std::function<std::optional<std::pair<Outputs, Outputs>>(const PriorPair& pair)>;

// Keeps the one with the larger bound: of epsilon, or where a delta is promised of that.
void keep_larger(Seen seen, const Budget& promise, std::optional<Seen>& best);

// The largest bound over the pairs, both ways; all of them hold at once but for `error`.
std::optional<Seen> largest_bound(const Scenario& scenario, const Budget& promise, const Drawn& drawn,
                                  const AuditedRows& rows, uint64_t choice, const Tested& tested,
                                  const Rational& error);

}  // namespace fugu::inline in_audit
