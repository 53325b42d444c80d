// What is done to a value before it is released: one map, which counting and releasing share.
//
// scenario/column_shape.h says in which order; a category keeps its place or is one of the rare ones, which
// share theirs. What a plan promises is about the values after this map (docs/shaping.md).
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
  Shape(const ColumnShape& column, const Lattice& lattice);

  // Whether texts are categories; else they are numbers, which may become categories between edges.
  bool reads_categories() const { return reads_categories_; }

  // The text that a field counts as; nullopt for one that the map does not know.
  std::optional<std::string_view> mapped(std::string_view text) const;
  // What a mapped text comes to lie at; nullopt for what is no value of the column.
  std::optional<int64_t> place(std::string_view text) const;

  // Where a number comes to lie; nullopt when that is not on the lattice, or too far out. Idempotent on
  // lattice values, and monotone. Precondition: not reads_categories().
  std::optional<int64_t> index(const Rational& number) const;

  // Where a category comes to lie; nullopt for one that the column does not have.
  std::optional<int64_t> index(std::string_view category) const;

 private:
  bool reads_categories_;
  Lattice lattice_;
  TextMap map_;
  Reading reads_;
  std::optional<std::pair<Rational, Rational>> clip_;
  std::optional<Rational> step_;
  std::optional<Bin> bin_;
  std::vector<Rational> edges_;
  std::unordered_map<std::string, int64_t> categories_;
};

// The bin of that width whose middle is in the middle of what it can hold of `lattice`: of the numbers that
// are at most half a step from there, the one with the fewest digits, the greater of two. Precondition:
// width > 0.
Bin bin_of(const Rational& width, const Lattice& lattice);
// Where binned values lie.
Lattice lattice_of(const Bin& bin);

// "< 20", "20 to < 30", ">= 30".
std::vector<std::string> edge_labels(const std::vector<Rational>& edges, const Reading& reads = {});

// Where the ends of the clip lie after the map; where one is between two lattice points, the one within the
// clip. Nullopt without a clip, for categories, and where the ends are too far apart to hold values between.
std::optional<std::pair<int64_t, int64_t>> clip_range(const ColumnShape& column, const Lattice& lattice);

// Whether the map changes more than the step does.
bool is_shaped(const ColumnShape& column);
bool is_shaped(const Scenario& scenario);  // any of its columns

// Error (data), beginning with `place`, for parts that contradict each other or the lattice. Nothing else in
// a plan says that they fit.
void check_shape(const ColumnShape& column, const Lattice& lattice, const std::string& place);

}  // namespace fugu::inline in_scenario
