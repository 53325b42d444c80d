// What a release leaves of a table's rows: facts for people who choose, in doubles; no privacy rests on them.
#pragma once

#include <vector>

#include "fugu/mechanism/mechanism.h"
#include "fugu/plan/leakage.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_plan {

struct RowFacts {
  double unchanged = 0;            // the share of rows that stay as they are
  double changed_columns = 0;      // of a row that changes, in how many columns on average
  std::vector<double> columns;     // by released column: the share of its values that stay
  std::vector<double> rms;         // by released column: of the change, data units
  std::vector<double> spread;      // by released column: the standard deviation of its values
  bool keeps_frequencies = false;  // released frequencies estimate the true ones as they stand
  Leakage leakage;                 // what the released rows tell about the secret
};

// Of noise before results are set to a range's ends, but for the leakage. Precondition: the mechanism keeps
// the scenario's promise.
RowFacts row_facts(const Scenario& scenario, const Mechanism& mechanism);

}  // namespace fugu::inline in_plan
