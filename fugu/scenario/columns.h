// Several columns at once: joint values, how far they lie apart, and the weights that their noise has
// (docs/math.md, section 11).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

using Point = std::vector<int64_t>;  // one lattice index for each axis

// The distance sum_c |x_c - x'_c| step_c / w_c in whole numbers: per_step[c] for each step of axis c, over
// one denominator.
struct WeightedSteps {
  std::vector<int64_t> per_step;
  Integer denominator{1};

  int64_t between(const Point& a, const Point& b) const;
  Rational distance(int64_t units) const { return Rational(Integer(units), denominator); }
};
// Error (usage) when the weights have so many digits that a distance would not fit into 62 bits.
// Precondition: the scenario has several columns.
WeightedSteps weighted_steps(const Scenario& scenario);

// A weight for each released column by its spread: the mean distance from the median over what the table
// itself says (own_priors()), to two digits; a step where all values are one. The one column of several rows
// of a person has the weight 1.
std::vector<Rational> weights_by_spread(const Scenario& scenario);

// `1,2` has been split: decimals above 0, one for each column. Error of the given kind, beginning with
// `place`.
std::vector<Rational> parse_weights(const std::vector<std::string>& texts, size_t columns,
                                    const std::string& place, ErrorKind kind);
// Sets those, or where there are none the weights by spread; of bags of rows the same for every row.
void set_weights(Scenario& scenario, std::span<const Rational> weights);

// The place of each value among `points`, which are sorted and made unique. Precondition: each value is among
// them.
void sort_points(std::vector<Point>& points);
int64_t index_of(const std::vector<Point>& points, const Point& point);

// A joint value as people write it: "39, Private".
std::string point_text(const Scenario& scenario, const Point& point);

}  // namespace fugu::inline in_scenario
