// The rows of a linear programme that say: no output tells two secrets apart (docs/math.md, sections 7 and
// 8).
//
// Without delta and for all pairs an auxiliary m_y bounds the masses from below, m_y <= P_s(y) <= e^eps m_y:
// as many rows as secrets, not pairs. A list of pairs, budgets of their own and a promise in belief have a
// row for each limit (section 19); with delta each pair has a slack at every output, and the slacks of a pair
// add up to at most delta.
#pragma once

#include <vector>

#include "fugu/calibrate/approximate_limits.h"
#include "fugu/scenario/scenario.h"
#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_calibrate {

// A budget in doubles.
struct ApproximateBudget {
  double epsilon, delta;
};
// The scenario's budget, tighter by that share. A solver works with e^epsilon: beyond kMostEpsilon it would
// lose all digits, so that the programme is made for that; is_capped() says so, and its optimum is no bound.
ApproximateBudget approximate_budget(const Scenario& scenario, double share);
bool is_capped(const Scenario& scenario);

class PrivacyRows {
 public:
  // Whether each mass P_s(y) gets a variable of its own. With many variables that are each in few masses this
  // makes the programme sparse; with few that are in all of them it is better without, and the dual is
  // solved.
  enum class Masses { kNamed, kSpelledOut };

  // For one prior of the scenario, with a budget that is tighter by that share.
  PrivacyRows(LinearProgramme& lp, const Scenario& scenario, const Prior& prior, double share, Masses masses);

  // The masses of one output, or of several that are alike: masses[s] is P_s(y) / unit as a sum of variables.
  // With delta its excess counts `weight` times. `most` bounds P_s(y) / unit.
  void add_output(const std::vector<std::vector<LpTerm>>& masses, double unit, double weight, double most);
  // After the last output.
  void finish();

 private:
  // Each mass by one variable, where they are named.
  std::vector<std::vector<LpTerm>> named(const std::vector<std::vector<LpTerm>>& masses, double most);
  // That of the secrets by their shares.
  std::vector<LpTerm> mixture(const std::vector<std::vector<LpTerm>>& masses) const;

  LinearProgramme& lp_;
  double growth_, growth_less_1_;  // e^epsilon
  double delta_;
  bool all_pairs_;
  Masses form_;
  std::vector<ApproximateLimit> limits_;     // pairs both ways, where they are needed
  std::vector<double> shares_;               // of the secrets in the mixture, where it is needed
  std::vector<bool> used_;                   // secrets that are in a pair
  std::vector<std::vector<LpTerm>> excess_;  // by limit
};

}  // namespace fugu::inline in_calibrate
