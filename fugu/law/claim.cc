#include "fugu/law/claim.h"

#include <algorithm>

namespace fugu {

void Claim::promise(const Budget& budget, const Rational& lambda, const std::string& place, ErrorKind kind) {
  const Budget proved = lambda == 0 ? budget : tightened(budget, lambda, place, kind);
  closeness.reset();
  if (lambda != 0) closeness = {lambda, budget};
  epsilon = proved.epsilon;
  delta = proved.delta;
}

Rational Claim::blur() const {
  Rational largest(0);
  for (const Prior& prior : priors) {
    for (const Distribution& given : prior.given) largest = std::max(largest, given.blur());
  }
  return largest;
}

}  // namespace fugu
