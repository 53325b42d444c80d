#include "fugu/law/claim.h"

#include <algorithm>
#include <utility>

namespace fugu::inline in_law {

void Claim::promise(const Budget& budget, const Rational& lambda, Closeness::By by, const std::string& place,
                    ErrorKind kind) {
  const bool smaller = lambda != 0 && by == Closeness::By::kBudget;
  for (OwnBudget& own : own_budgets) {
    const Rational epsilon_now = own.epsilon.value() * budget.epsilon.value() / stated().epsilon.value();
    own.epsilon = Epsilon::parse(to_text(epsilon_now), place, kind);
  }
  const Budget proved = smaller ? tightened(budget, lambda, place, kind) : budget;
  closeness.reset();
  if (lambda != 0) closeness = {lambda, budget, by};
  epsilon = proved.epsilon;
  delta = proved.delta;
}

std::vector<int64_t> Claim::values() const {
  std::vector<Distribution> all;
  for (const Prior& prior : priors) all.insert(all.end(), prior.by_secret.begin(), prior.by_secret.end());
  return union_support(all);
}

Rational Claim::blur() const {
  Rational largest(0);
  for (const Prior& prior : priors) {
    for (const Distribution& given : prior.by_secret) largest = std::max(largest, given.blur());
  }
  return largest;
}

namespace {

constexpr std::pair<BoundKind, std::string_view> kBoundNames[] = {
    {BoundKind::kBoxes, "boxes"}, {BoundKind::kBand, "band"}, {BoundKind::kBoth, "both"}};

}  // namespace

std::optional<BoundKind> bound_kind_named(std::string_view name) {
  for (const auto& [kind, text] : kBoundNames) {
    if (text == name) return kind;
  }
  return std::nullopt;
}

std::string_view name_of(BoundKind kind) { return kBoundNames[static_cast<size_t>(kind)].second; }

bool is_group_name(const std::string& prior, const std::string& first_given, bool header) {
  return prior == kOtherGroups || prior.starts_with((header ? "" : "column ") + first_given + " = ");
}

void check_columns(const Claim& claim, ErrorKind kind) {
  if (!claim.is_joint()) return;
  if (!claim.delta.is_zero())
    throw Error(kind, "--delta: this works with one released column only",
                "leave it out, or release one column");
  if (claim.confidence) {
    throw Error(
        kind, "--confidence: this works with one released column only",
        "joint rows are counted too seldom: leave out --confidence, release one column, or join the columns "
        "into one of few categories");
  }
}

}  // namespace fugu::inline in_law
