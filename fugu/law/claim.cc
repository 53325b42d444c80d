#include "fugu/law/claim.h"

#include <algorithm>

namespace fugu::inline in_law {

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
    for (const Distribution& given : prior.by_secret) largest = std::max(largest, given.blur());
  }
  return largest;
}

bool is_group_name(const std::string& prior, const std::string& first_given, bool header) {
  return prior == kOtherGroups || prior.starts_with((header ? "" : "column ") + first_given + " = ");
}

void check_columns(const Claim& claim, ErrorKind kind) {
  if (!claim.is_joint()) return;
  if (!claim.delta.is_zero())
    throw Error(kind, "--delta: several columns take no delta", "leave out --delta, or release one column");
  if (claim.confidence) {
    throw Error(
        kind, "--confidence: several columns take no confidence",
        "joint rows are counted too seldom: leave out --confidence, release one column, or join the columns "
        "into one of few categories");
  }
}

}  // namespace fugu::inline in_law
