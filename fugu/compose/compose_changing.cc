#include "fugu/compose/compose_changing.h"

#include "fugu/compose/compose_columns.h"
#include "fugu/core/interval.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kChangingBits = 128;

// The ranges of all sets but one; absent where one of them has none.
std::optional<Rational> other_ranges(const std::vector<SameValues>& sets, const SameValues* but) {
  Rational sum(0);
  for (const SameValues& set : sets) {
    if (&set == but) continue;
    if (!set.range) return std::nullopt;
    sum += *set.range;
  }
  return sum;
}

}  // namespace

std::vector<Composition> reserved_bounds(const Plan& plan) {
  check_is_of_odds(plan.scenario);
  std::vector<Composition> bounds = joint_bounds(plan.scenario, {plan});
  for (Composition& bound : bounds) bound.epsilon += 2 * plan.scenario.lambda();
  return bounds;
}

std::vector<Composition> changing_bounds(const std::vector<SameValues>& sets, Beliefs beliefs,
                                         const std::optional<Rational>& asked) {
  std::vector<Composition> bounds;
  for (const SameValues& set : sets) {
    if (set.plans.empty() && !set.reserved) continue;
    const auto others = other_ranges(sets, &set);
    std::optional<Rational> within = asked;  // before the others make it e^R times as large
    if (within && others && *others != 0)
      within = exact((Interval(*asked, kChangingBits) / exp(Interval(*others, kChangingBits))).lower());
    const std::vector<Composition> own =
        set.reserved ? reserved_bounds(*set.reserved) : sound_bounds(set.plans, beliefs, within);
    if (sets.size() == 1) return own;
    if (!others) continue;
    for (const Composition& bound : own) {
      const Rational delta =
          bound.delta == 0
              ? Rational(0)
              : exact((exp(Interval(*others, kChangingBits)) * Interval(bound.delta, kChangingBits)).upper());
      bounds.push_back({bound.epsilon + *others, delta, "changing"});
    }
  }
  if (const auto all = other_ranges(sets, nullptr)) bounds.push_back({*all, Rational(0), "changing"});
  return bounds;
}

}  // namespace fugu::inline in_compose
