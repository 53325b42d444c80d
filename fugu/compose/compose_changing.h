// What several releases promise together when values may have changed in between (docs/math.md, section 10).
//
// X_1 = B and X_2 = S xor B, with B a coin, say nothing of S each and everything together, and no law of
// either column shows it. So releases that are not known to be of the same values count by what they tell
// whatever the values are; only those of one set of values may count by their laws.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fugu/compose/compose.h"

namespace fugu::inline in_compose {

// People who know columns besides (--given), and in which groups those are whom a plan does not cover.
struct Knowers {
  std::set<std::string> columns, uncovered;
};

// Releases of the very same values of the same people.
struct SameValues {
  std::vector<Plan> plans = {};        // of the one question; empty where none of the releases asked it
  std::optional<Rational> range = {};  // what all of them tell whatever the values are (value_range.h)
  // In place of the plans: noise on several columns whose influences, column by column, no releases of this
  // set pass together.
  std::optional<Plan> reserved = {};
  std::vector<Knowers> known = {};  // whom these releases cover besides everybody

  void cover_those_of(const Scenario& scenario);
  bool covers(const Knowers& people) const;
  // Everybody whom some of these releases cover.
  bool covers_all(const std::vector<SameValues>& sets) const;
};

// Every bound of any releases of some or all columns of the plan, on the same values, whose influences add
// up to at most its own in each column: also of those that are chosen after seeing others. Precondition: it
// is noise on several columns, none of it zero.
std::vector<Composition> reserved_bounds(const Plan& plan);

// Every bound that holds, in no order. One set of values has those of sound_bounds(). Of several, one counts
// by its own bounds and each other one by its range: a set that covers everybody whom some set covers, and
// with a confidence, where each set's bounds may fail by themselves, only the first such set. `asked` and
// errors of sound_bounds().
std::vector<Composition> changing_bounds(const std::vector<SameValues>& sets, Beliefs beliefs = Beliefs::kAny,
                                         const std::optional<Rational>& asked = std::nullopt);

}  // namespace fugu::inline in_compose
