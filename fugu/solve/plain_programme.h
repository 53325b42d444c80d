// A linear programme without the variables and rows that say nothing: CLP's interior point method stops the
// whole process on some of them.
#pragma once

#include <cstddef>
#include <vector>

#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_solve {

// Whether every variable is in a row and every row has a variable.
bool is_plain(const LinearProgramme& lp);

// Leaves out variables that are in no row, and rows without variables. What is left has the same optimum but
// for the costs of what was left out.
class PlainProgramme {
 public:
  explicit PlainProgramme(const LinearProgramme& whole);

  // A row without variables does not allow 0.
  bool is_infeasible() const { return is_infeasible_; }
  // A variable in no row lowers the costs without end.
  bool is_unbounded() const { return is_unbounded_; }
  bool is_empty() const { return programme.costs.empty(); }
  // A point of the programme that is left as one of the whole.
  LpResult restored(LpResult result) const;

  LinearProgramme programme;

 private:
  std::vector<double> alone_;  // by variable of the whole: its value, if it is in no row
  std::vector<bool> is_left_, row_left_;
  double cost_ = 0;      // of those in no row
  double residual_ = 0;  // of rows without variables
  bool is_infeasible_ = false, is_unbounded_ = false;
};

}  // namespace fugu::inline in_solve
