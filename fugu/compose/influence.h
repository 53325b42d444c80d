// An account in influence (docs/math.md, section 17): where all releases of one value are Laplace noise on
// one column, their influences add up, and a budget is an amount of influence.
//
// The influence of a release is the most by which the exchange of values one step apart changes the logarithm
// of any output's probability. It does not matter which release has how much of it, nor whether one was
// chosen after seeing others: only the sum does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fugu/compose/compose.h"

namespace fugu::inline in_compose {

class InfluenceAccount {
 public:
  // Of releases of one value, and a budget for all of them. Absent unless each is Laplace noise on one
  // column, and where there is too much to look at. Errors of sound_bounds().
  static std::optional<InfluenceAccount> of(std::vector<Plan> plans, const Rational& budget,
                                            Beliefs beliefs = Beliefs::kAny);

  // Of all releases together, rounded up.
  double spent() const;
  // What the budget allows whichever releases it goes to: proved, and near the most. Absent where it allows
  // any amount, for the value itself tells no more.
  const std::optional<double>& most() const { return most_; }
  // Of the last release, rounded up.
  double of_last() const;
  // How many more releases like the last the rest allows, at most `limit`.
  int64_t more_like_last(int64_t limit) const;
  // Whether the releases keep the budget together: true where it is proved.
  bool holds() const;

 private:
  struct Question;
  InfluenceAccount(std::shared_ptr<const Question> question, Interval spent, Interval last);

  std::shared_ptr<const Question> question_;
  Interval spent_, last_;
  std::optional<double> most_;
};

}  // namespace fugu::inline in_compose
