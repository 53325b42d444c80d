// What becomes of a normal value, or of a mixture of normals, on the lattice (docs/math.md, section 12).
//
// The value is held within the grid (clipped) and moved to the nearest lattice point before any noise. So the
// mass of a point is that of its cell, half a step to either side, and the outermost points take the whole
// tails: nothing is cut off. Masses are irrational; they are computed with certified bounds and known within
// a relative error of 2^-118, far into the tails.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/law/distribution.h"
#include "fugu/law/normal.h"

namespace fugu::inline in_law {

// Lattice indices from low to high, both included.
struct PointRange {
  int64_t low = 0, high = 0;
};

// The most points a grid may have.
inline constexpr int64_t kMostGridPoints = 100'000;

// {"gaussian": {"mean", "sd"}} or {"mixture": [{"weight", "gaussian": {…}}, …]}.
bool is_normal_law(const Json& json);
// Error (data) for what is not such a law.
NormalLaw normal_law_from_json(const Json& json, const std::string& place);
Json normal_law_to_json(const NormalLaw& law);
// "normal with mean 40 and standard deviation 12.5"; for people.
std::string in_words(const NormalLaw& law);

// Ten standard deviations to either side of every part: where a value is held when nothing else is said.
std::pair<Rational, Rational> natural_range(const NormalLaw& law);

// The law on the grid. Error (data) when the grid has too many points, or reaches so far into a tail that the
// masses would take too long to write.
Distribution on_grid(const NormalLaw& law, const Lattice& lattice, const PointRange& grid);

}  // namespace fugu::inline in_law
