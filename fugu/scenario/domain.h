// Which values can occur at all, where a guarantee holds with a confidence (docs/math.md, section 9).
//
// Boxes hold for cells that were fixed before the table was seen. So their domain never comes from a table's
// own numbers: it is every point that the declared map of the values can make, every category of the list, or
// every value that a scenario without a table lists, zero masses included. A band holds whatever values there
// are: for it a declared range is enough, with the lattice of the table's numbers, which then is an
// assumption.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/law/boxes.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

enum class DomainKind {
  kCategories,  // those listed; that there are no others is an assumption
  kEdges,       // the ranges between declared edges
  kPoints,      // what a clip with a step or with bins leaves of a number
  kListed,      // the values of a scenario without a table; that there are no others is an assumption
  kRange,  // a clip of a table's numbers; that there are no others between is an assumption, for a band only
  kUndeclared,  // numbers of a table, as it has them
};
DomainKind domain_kind(const Scenario& scenario);

// Which bounds a confidence has where nobody says which: a rule that looks at what was declared, and at no
// row. Boxes of single values cost what grows with their number; a band does not.
BoundKind usual_bounds(const Scenario& scenario);

// The most values that every law is gone through for.
inline constexpr int64_t kMostValues = 1000;

// Increasing; holds every value of every prior. Error of the given kind where no bounds would hold: weights
// in place of numbers of rows, numbers of a table without a declared lattice, or for a band a declared range,
// categories or groups that were put together because they are few, a value beyond the domain; and where the
// values are more than kMostValues.
// Precondition: one column, and a confidence.
std::vector<int64_t> domain_of(const Scenario& scenario, ErrorKind kind = ErrorKind::kGuarantee);

// The boxes of every law: with a confidence over that domain, else over the values of all priors.
// Precondition: the scenario has boxes. Errors of domain_of() and of the claim's boxes.
BoxedLaws boxes_of(const Scenario& scenario);
// Those, or none where the laws are taken as they are.
std::optional<BoxedLaws> boxes_if_any(const Scenario& scenario);

// The values, increasing, with those of every category added.
std::vector<int64_t> with_categories(std::vector<int64_t> values, const Scenario& scenario);

}  // namespace fugu::inline in_scenario
