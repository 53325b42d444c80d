// Linear programmes in doubles, solved by COIN-OR CLP. What comes back is a guess: nobody may rely on it
// before it is repaired and proved.
//
//   LinearProgramme lp;
//   const size_t x = lp.add_variable(1, 10), y = lp.add_variable(2, 10);   // minimise x + 2 y, both >= 0
//   lp.add_row(3, kInfinite, {{x, 1}, {y, 1}});                            // x + y >= 3
//   const LpResult result = solve(lp, patience);
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "fugu/core/deadline.h"
#include "fugu/core/progress.h"

namespace fugu::inline in_solve {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// How long to go on.
struct Patience {
  const Progress& progress;
  Deadline deadline = {};
  double good_gap = 1e-7;  // between value and bound, relative: no better answer is looked for
  bool is_over() const { return deadline.is_over(); }
  // Reports to the progress; throws TimeIsOver when the time is over.
  void check(std::string_view what) const {
    if (is_over()) throw TimeIsOver();
    report(progress, 0.5, what);
  }
};

struct LpTerm {
  size_t variable;
  double coefficient;
};

// Minimise the sum of cost times variable over variables >= 0 with lower <= row <= upper.
class LinearProgramme {
 public:
  // `most` is what the variable cannot exceed in any feasible point: not a constraint, only used for bounds.
  size_t add_variable(double cost, double most);
  // A variable may be named more than once: its coefficients add up.
  void add_row(double lower, double upper, const std::vector<LpTerm>& terms);

  std::vector<double> costs, most;           // by variable
  std::vector<double> lower, upper;          // by row
  std::vector<int> term_row, term_variable;  // of each term
  std::vector<double> coefficients;
};

struct LpResult {
  // kSolved: the rows are kept; how good the point is, the bound tells. kStopped: the time was over.
  // kTooLong: it was not, but what was left of it would not have done. kTooLarge: no time would have done.
  enum Outcome { kSolved, kInfeasible, kStopped, kTooLong, kTooLarge, kFailed };
  Outcome outcome = kFailed;
  std::vector<double> values = {};  // empty when there is no point at all
  std::vector<double> prices = {};  // by row: the best there are; never empty when there is a point
  double value = kInfinite;         // of the costs at that point
  double bound = 0;  // below the optimum: by the solver's prices and `most`, whatever the solver's status
  double residual = kInfinite;  // the largest amount by which a row is not kept
  // For want of time or of room.
  bool is_unfinished() const { return outcome == kStopped || outcome == kTooLong || outcome == kTooLarge; }
};

// Interior point without crossover; where its answer is poor by our own measure of it, again with other
// tolerances, and last the dual simplex. Lets the exceptions of the progress callback through.
LpResult solve(const LinearProgramme& lp, const Patience& patience);

}  // namespace fugu::inline in_solve
