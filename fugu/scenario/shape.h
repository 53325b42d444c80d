// What is done to a value before it is released: one map, which counting and releasing share.
//
// A number is held within the clip, moved to the nearest multiple of the step, then put into its bin or
// between its edges; a category keeps its place or is one of the rare ones, which share theirs. What a plan
// promises is about the values after this map (docs/shaping.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

class Shape {
 public:
  // Of one column, onto the lattice that its values have after the map.
  Shape(const Source& source, const Lattice& lattice);

  // Whether texts are categories; else they are numbers, which may become categories between edges.
  bool reads_categories() const { return reads_categories_; }

  // Where a number comes to lie; nullopt when that is not on the lattice, or too far out. Idempotent on
  // lattice values, and monotone. Precondition: not reads_categories().
  std::optional<int64_t> index(const Rational& number) const;

  // Where a category comes to lie; nullopt for one that the source does not have.
  std::optional<int64_t> index(std::string_view category) const;

 private:
  bool reads_categories_;
  Lattice lattice_;
  std::optional<std::pair<Rational, Rational>> clip_;
  std::optional<Rational> step_;
  std::optional<Bin> bin_;
  std::vector<Rational> edges_;
  std::unordered_map<std::string, int64_t> categories_;
};

// The bin of that width whose middle is in the middle of what it can hold of `lattice`; without a lattice,
// half way. Precondition: width > 0.
Bin bin_of(const Rational& width, const std::optional<Lattice>& lattice);
// Where binned values lie.
Lattice lattice_of(const Bin& bin);

// "< 20", "20 to < 30", ">= 30".
std::vector<std::string> edge_labels(const std::vector<Rational>& edges);

// Where the ends of the clip lie after the map; where one is between two lattice points, the one within the
// clip. Nullopt without a clip, for categories, and where the ends are too far apart to hold values between.
std::optional<std::pair<int64_t, int64_t>> clip_range(const Source& source, const Lattice& lattice);

// Whether the map changes more than the step does.
bool is_shaped(const Source& source);
bool is_shaped(const Scenario& scenario);

// Error (data), beginning with `place`, for parts that contradict each other or the lattice. Nothing else in
// a plan says that they fit.
void check_shape(const Source& source, const Lattice& lattice, const std::string& place);

}  // namespace fugu::inline in_scenario
