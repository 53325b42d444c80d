// Families of columns for which one joint plan was reserved (docs/math.md, section 17).
//
// A reservation is counted at once, by what any releases of its columns can tell together whose influences
// add up, column by column, to at most those of the joint plan. So later releases of single columns, and of
// all of them at once, cost nothing more as long as they keep within that; which, and how much each, may be
// chosen after seeing those before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/ledger/ledger.h"

namespace fugu::inline in_ledger {

// Error (usage) unless the plan is Laplace noise on each of several columns, without known columns.
void check_reservable(const Plan& plan);

struct Family {
  const LedgerRelease* reserved;
  std::vector<const LedgerRelease*> members = {};  // that keep within it
  std::vector<Rational> drawn = {};                // by column: the product of the members' ratios

  // Of one of its columns, for each step: what was reserved, rounded down, and what is left of it.
  double influence(size_t column) const;
  double left(size_t column) const;
};

// Of all reservations that count, in order; `releases` are all of the dataset, and stay where they are.
// A release is a member of the first family that has its columns, hides the same secrets under the same laws,
// read and shaped in the same way, is of the same values, and has enough influence left.
std::vector<Family> families_of(const std::vector<LedgerRelease>& releases);

// Why the last release is in no family of its secret that has one of its columns; empty when it is, or when
// none has.
std::string why_outside_families(const std::vector<LedgerRelease>& releases);

// How many more releases like the last its family has room for, at most `limit`; absent where it is in none.
std::optional<int64_t> more_in_family(const std::vector<LedgerRelease>& releases, int64_t limit);

}  // namespace fugu::inline in_ledger
