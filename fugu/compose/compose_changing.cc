#include "fugu/compose/compose_changing.h"

#include <algorithm>
#include <utility>

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

bool has_confidence(const SameValues& set) {
  return (set.reserved ? *set.reserved : set.plans.front()).scenario.confidence.has_value();
}

}  // namespace

void SameValues::cover_those_of(const Scenario& scenario) {
  if (!scenario.source || scenario.source->given.empty()) return;
  const Source& source = *scenario.source;
  Knowers& people = known.emplace_back();
  people.columns.insert(source.given.begin(), source.given.end());
  for (const auto* small : {&source.merged, &source.left_out})
    people.uncovered.insert(small->begin(), small->end());
}

bool SameValues::covers(const Knowers& people) const {
  return std::any_of(known.begin(), known.end(), [&](const Knowers& own) {
    return own.columns == people.columns && std::includes(people.uncovered.begin(), people.uncovered.end(),
                                                          own.uncovered.begin(), own.uncovered.end());
  });
}

bool SameValues::covers_all(const std::vector<SameValues>& sets) const {
  return std::all_of(sets.begin(), sets.end(), [&](const SameValues& set) {
    return std::all_of(set.known.begin(), set.known.end(),
                       [&](const Knowers& people) { return covers(people); });
  });
}

std::vector<Composition> reserved_bounds(const Plan& plan) {
  check_is_of_odds(plan.scenario);
  std::vector<Composition> bounds = joint_bounds(plan.scenario, {plan});
  for (Composition& bound : bounds) bound.epsilon += 2 * plan.scenario.lambda();
  return bounds;
}

std::vector<Composition> changing_bounds(const std::vector<SameValues>& sets, Beliefs beliefs,
                                         const std::optional<Rational>& asked) {
  std::vector<Composition> bounds;
  bool may_fail = false;
  for (const SameValues& set : sets) {
    if ((set.plans.empty() && !set.reserved) || !set.covers_all(sets)) continue;
    if (has_confidence(set) && std::exchange(may_fail, true)) continue;
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
