// What trading places does to a table's rows: facts for people, recomputed by the verifier, on which no
// privacy rests.
#pragma once

#include <vector>

#include "fugu/mechanism/error_measure.h"
#include "fugu/mechanism/swap.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_plan {

// Means over the rows as they occur (Scenario::population), exact.
struct SwapFacts {
  Rational unchanged;             // the share of rows that stay as they are
  std::vector<Rational> changed;  // by released column: the share of rows in which it is another value
  std::vector<Rational> error;    // by released column: the mean error by the measure, data units
  // Of the rows that change: in how many columns, on average; 0 where none does.
  Rational changed_columns;
};
// Precondition: the measure covers the values; one that is a table is for one column.
SwapFacts swap_facts(const Scenario& scenario, const Swap& swap, const ErrorMeasure& measure = {});

// Whether every row is released as often as it occurs, on average: the totals of a stratum are in proportion
// to its rows, as many rows come as leave, and no row of the table is missing. Masses that are weights say
// nothing of rows.
bool keeps_frequencies(const Scenario& scenario, const Swap& swap);

}  // namespace fugu::inline in_plan
