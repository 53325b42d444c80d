// The question: what is secret, who may believe what, which pairs, which budget.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/scenario/budget.h"
#include "fugu/scenario/distribution.h"
#include "fugu/scenario/normal_law.h"
#include "fugu/scenario/pairs.h"

namespace fugu {

// One belief an adversary may hold: P(X|S=s) for every secret s, in the order of Scenario::secrets.
struct Prior {
  std::string name;
  std::vector<Distribution> given;
  // The laws that made them, secret by secret, where a model did; empty when none did.
  std::vector<std::optional<NormalLaw>> laws = {};
  friend bool operator==(const Prior&, const Prior&) = default;
};

// One of several columns that are released together (docs/math.md, section 11).
struct Axis {
  Lattice lattice{};
  std::vector<std::string> labels{};  // categories, as in Source; empty for numbers
  std::optional<Rational> step{};     // values were snapped to the nearest multiple
  Rational weight{1};                 // > 0: this column's noise has weight times the common scale
  friend bool operator==(const Axis&, const Axis&) = default;
};
inline constexpr size_t kMaxColumns = 4;

// Numbers in bins: x lies in the bin floor(x / width), whose values are all released as `middle` above its
// lower end.
struct Bin {
  Rational width;   // > 0
  Rational middle;  // 0 <= middle < width
  friend bool operator==(const Bin&, const Bin&) = default;
};

// The label that rare categories share.
inline constexpr const char* kRareLabel = "(rare)";

// Where the numbers came from, so that a release applies the same map to the same columns.
struct Source {
  std::vector<std::string> secret;     // column names
  std::vector<std::string> published;  // column names ("public" in JSON)
  std::vector<std::string> labels;  // categories: labels[k] names the lattice point k + 1; empty for numbers
  std::vector<std::string> na;      // texts read as missing besides the empty field
  std::string missing = "error";    // error, drop, keep
  bool header = true;               // the table's first line names its columns
  std::optional<Rational> step = {};  // values were snapped to the nearest lattice point
  // Before that, values were held between these two: low <= high.
  std::optional<std::pair<Rational, Rational>> clip = {};
  std::optional<bool> clamp =
      {};  // whether released values are held within the bounds; absent: categories are
  // What else was done to the values (scenario/shape.h), after the clip and the step; of one column only.
  std::optional<Bin> bin = {};
  std::vector<Rational> edges = {};    // numbers became the categories between these, which increase
  std::vector<std::string> rare = {};  // categories that became kRareLabel, the last of the labels; private
  // Columns that an adversary may know (docs/math.md, section 9): each group of people who agree in them is a
  // prior of its own, if it has at least min_group people with each secret.
  std::vector<std::string> given = {};
  uint64_t min_group = 0;
  std::vector<std::string> merged = {};    // smaller groups, together the prior kOtherGroups
  std::vector<std::string> left_out = {};  // smaller groups that are part of the first prior only
  // Rows that `drop` left out although their secret is there, by prior and secret (plan/left_out_rows.h);
  // private.
  std::map<std::string, std::map<std::string, uint64_t>> dropped = {};
  friend bool operator==(const Source&, const Source&) = default;
};

// The prior of a table as a whole, and of its small groups together.
inline constexpr const char* kWholeTable = "empirical";
inline constexpr const char* kOtherGroups = "(other)";

// Whether a prior of this name is that of a group of the given columns, or of the small groups together.
bool names_group(const Source& source, const std::string& prior);

// The promise is also kept against every belief within max-divergence lambda of a prior, both ways, secret by
// secret. For that a smaller budget is proved under the priors themselves (docs/math.md, section 9).
struct Closeness {
  Rational lambda;
  Budget stated;
  friend bool operator==(const Closeness&, const Closeness&) = default;
};

// Invariants: at least one prior; at least two secrets, each with a distribution under every prior;
// every atom within kMaxSpan of every other; pairs not empty.
//
// Of one column an atom is a lattice index. Of several (2 to kMaxColumns axes) the atom j is the joint value
// points[j], one lattice index for each axis, and the lattice itself is {1, 0}; labels and steps are the
// axes', not the source's.
struct Scenario {
  Epsilon epsilon;  // what is proved under the priors: with closeness less than what is stated
  Delta delta{};
  Lattice lattice{};
  std::vector<std::string> secrets{};
  std::vector<Prior> priors{};
  PairSet pairs = PairSet::all();
  std::optional<Source> source{};
  // With this confidence the guarantee holds for every law that the counts allow (scenario/boxes.h); without,
  // the priors are taken as they are. Between 0 and 1.
  std::optional<Rational> confidence{};
  // With a confidence: values of no mass that a scenario lists because they may occur (scenario/domain.h);
  // increasing.
  std::vector<int64_t> unseen{};
  std::optional<Closeness> closeness{};
  std::vector<Axis> axes{};                    // empty for one column
  std::vector<std::vector<int64_t>> points{};  // increasing, each the value of some prior
  friend bool operator==(const Scenario&, const Scenario&) = default;

  // What is promised, and against whom: with lambda 0 only beliefs that are priors. Errors of tightened().
  void promise(const Budget& budget, const Rational& lambda, const std::string& place = "--closeness",
               ErrorKind kind = ErrorKind::kUsage);
  Budget stated() const { return closeness ? closeness->stated : Budget{epsilon, delta}; }
  Rational lambda() const { return closeness ? closeness->lambda : Rational(0); }

  // The largest blur of a distribution: 0 where every mass is exact.
  Rational blur() const;
  // Whether some prior states a normal law or a mixture.
  bool has_laws() const;

  size_t pair_count() const { return pairs.size(secrets.size()); }
  // How often each of these values occurs, in proportion: the first prior's masses as they were written,
  // summed over the secrets. Of masses that a model computed each secret weighs the same.
  std::vector<Integer> population(const std::vector<int64_t>& values) const;
  // The least and the greatest lattice index of a value: of the categories, or of the priors' values; with a
  // confidence, of all that can occur.
  std::pair<int64_t, int64_t> bounds() const;
  // The same of a released value that is held within a range: the ends of the clip where there is one, which
  // say nothing of the data, else the bounds.
  std::pair<int64_t, int64_t> range() const;
  // Whether released values are held within that range: categories always are.
  bool clamps() const;
  // The released value at a lattice index as people write it: a label, or a number.
  std::string value_text(int64_t index) const;

  bool is_joint() const { return !axes.empty(); }
  // The axis-th column by itself: its lattice, labels and step, and the margins of every prior. Precondition:
  // there are several.
  Scenario column(size_t axis) const;
};

}  // namespace fugu
