// What several releases of the same value promise together (docs/math.md, section 10).
//
// Epsilons do not simply add: each plan is tight at outputs of its own, and the outputs together may tell
// more than the sum. So the joint promise is computed anew from the scenario and the integers that are drawn.
// Nothing that a plan says of itself is used, neither its method nor its scale; only a single plan's own
// epsilon and delta, which verify() has proved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/json.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_compose {

// A joint guarantee, and the name of the bound that proves it. With delta 0 it holds also where releases were
// chosen after seeing the ones before: every such bound is one of each output of all of them. With a delta it
// holds for releases that were settled beforehand.
//   single    one plan, its own guarantee
//   joint     the exact joint loss, on the grid of outputs that suffice; with a delta, the joint hockey-stick
//   transfer  the least that what exchanges of values keep can give (section 17)
//   rows      the rows and columns of the transport plan
//   distance  the farthest that the transport plan moves mass
//   raw       the loss of the value itself
//   range     the exchange of any value for any other: with a confidence, and of several columns
//   cells     (epsilon, delta): the cells of the transport plan, epsilons added
//   losses    (epsilon, delta): its cells, the laws of the losses added (joint_excess.h)
//   values    other columns: all but one set of releases count by their ranges (compose_columns.h)
//   changing  values may have changed in between: ranges added (compose_changing.h)
struct Composition {
  Rational epsilon;  // rounded up to a double, or the sum of the plans' epsilons
  Rational delta{0};
  std::string bound;
  friend bool operator==(const Composition&, const Composition&) = default;
};

// Whose frequencies an adversary may hold.
enum class Beliefs {
  kSame,  // those of the plans, which must be one and the same
  kAny,   // those of any of the plans: tables of the same people at other times
};

// Error (guarantee), with the reason, unless both release the same value: the same columns, read and shaped
// in the same way. What they ask of it may differ.
void check_same_value(const Scenario& first, const Scenario& other);

// Error (guarantee) where somebody who knows columns besides (--given, --known) is covered by one alone.
void check_same_known(const Scenario& first, const Scenario& other, Beliefs beliefs);

// Error (guarantee) for a promise in belief, of which no sum is known. Budgets of their own add up as the
// largest does.
void check_is_of_odds(const Scenario& scenario);

// Error (guarantee), with the reason, unless one promise can speak of both: of the same pairs of secrets,
// with the same confidence, against beliefs that are as close.
void check_same_promise(const Scenario& first, const Scenario& other);

// That of both, and unless they ask the same: secrets, beliefs.
void check_same(const Scenario& first, const Scenario& other, Beliefs beliefs);

// The first plan's scenario with every belief that one of the plans has. Error (guarantee) of check_same().
Scenario common_scenario(std::vector<Plan>& plans, Beliefs beliefs);

// Every bound that holds, in no order; the first plan decides what must be the same. Precondition: every plan
// verifies. Error (guarantee), with the reason, when the plans are not of one value: other columns, another
// order of categories, other secrets, pairs or lattice, and other frequencies unless they may differ; and
// when rows of several columns trade places in one of several releases. Bounds with a delta have at most the
// sum of the plans' deltas; where a delta is asked for, there is one for that, too, whatever the plans have.
std::vector<Composition> sound_bounds(std::vector<Plan> plans, Beliefs beliefs = Beliefs::kSame,
                                      const std::optional<Rational>& asked = std::nullopt);

// Of bounds that need no more than this delta, the one of least epsilon; null when there is none.
const Composition* least_bound(const std::vector<Composition>& bounds, const Rational& delta);

// The least bound whose delta is at most the sum of the plans'; where there is none, the least of all. A
// single plan's is its own. Plans of other columns for the same secrets count by their ranges where these
// are finite. With a delta that is asked for, the least bound whose delta is at most that. Error (guarantee)
// as above, and when nothing is finite, or has so small a delta.
Composition compose(const std::vector<Plan>& plans, const std::optional<Rational>& asked = std::nullopt,
                    Beliefs beliefs = Beliefs::kSame);

// What the plans promise, added up: as verified, for one release each.
struct BudgetSum {
  Rational epsilon{0}, delta{0};
};
BudgetSum sum_of(const std::vector<Plan>& plans);

// Rounded up to a double. What is proved to be at most `sum` is not written as more than it.
Rational tidy(const Interval& bound, const Rational& sum);

// A bound's epsilon or delta as JSON: the double, or the exact number where it is none.
Json bound_number(const Rational& value);
// {"epsilon", "delta", "bound"}.
Json composition_to_json(const Composition& composition);
// The same in words, one or two sentences.
std::string in_words(const Composition& composition);

}  // namespace fugu::inline in_compose
