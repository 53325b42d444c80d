// The simplest exchange of rows, for any number of them: a row leaves with a probability of its own into one
// pool, and as many come back, drawn from what left (docs/math.md, section 16). In doubles, a guess.
#pragma once

#include <vector>

#include "fugu/solve/circulation.h"

namespace fugu::inline in_solve {

struct Pool {
  // kSolved, kFailed, or kInfeasible: least_kept asks too much of a pool.
  Circulation::Outcome outcome = Circulation::kFailed;
  std::vector<double> leave = {};  // o(x) by class, in [0, 1 - least_kept]
  double value = kInfinite;  // the share of rows that change: a row that draws its own class stays as it is
};

// The pool with the fewest that leave among those whose mix is the average: Σ o(x) (P_p(x|s) - w(x)) = 0 for
// every prior and secret. A class then needs its own o(x) alone, in closed form, to keep epsilon: that holds
// to a few roundings; the mix to about 1e-10. The costs are not looked at. A million classes take
// seconds (two secrets) to half a minute (five). Throws TimeIsOver.
Pool least_pool(const CirculationProblem& problem, const Patience& patience);

}  // namespace fugu::inline in_solve
