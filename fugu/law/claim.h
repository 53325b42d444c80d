// What is promised of which laws: all that a proof of privacy looks at, besides the mechanism.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/law/budget.h"
#include "fugu/law/distribution.h"
#include "fugu/law/normal.h"
#include "fugu/law/pairs.h"

namespace fugu::inline in_law {

// The prior of a table's small groups together.
inline constexpr const char* kOtherGroups = "(other)";

// One belief an adversary may hold: P(X|S=s) for every secret s, in the order of Claim::secrets.
struct Prior {
  std::string name;
  std::vector<Distribution> by_secret;
  // The laws that made them, secret by secret, where a model did; empty when none did.
  std::vector<std::optional<NormalLaw>> laws = {};
  enum class Kind { kStated, kGroup };
  Kind kind =
      Kind::kStated;  // kGroup: of people who agree in the given columns, or of the small groups together
  bool is_group() const { return kind == Kind::kGroup; }
  // Whose belief is meant, where columns are known to everybody: the texts of these columns, or
  // {kOtherGroups} for the people of small strata together; else empty.
  std::vector<std::string> known = {};
  friend bool operator==(const Prior&, const Prior&) = default;
};

// One of several columns that are released together (docs/math.md, section 11).
struct Axis {
  Lattice lattice{};
  Rational weight{1};  // > 0: this column's noise has weight times the common scale
  friend bool operator==(const Axis&, const Axis&) = default;
};
inline constexpr size_t kMaxColumns = 256;

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
// points[j], one lattice index for each axis, and the lattice itself is {1, 0}.
struct Claim {
  Epsilon epsilon;  // what is proved under the priors: with closeness less than what is stated
  Delta delta{};
  Lattice lattice{};
  std::vector<std::string> secrets{};
  std::vector<Prior> priors{};
  PairSet pairs = PairSet::all();
  // With this confidence the guarantee holds for every law that the counts allow (law/boxes.h); without, the
  // priors are taken as they are. Between 0 and 1.
  std::optional<Rational> confidence{};
  std::optional<Closeness> closeness{};
  std::vector<Axis> axes{};                    // empty for one column
  std::vector<std::vector<int64_t>> points{};  // increasing, each the value of some prior
  friend bool operator==(const Claim&, const Claim&) = default;

  // What is promised, and against whom: with lambda 0 only beliefs that are priors. Errors of tightened().
  void promise(const Budget& budget, const Rational& lambda, const std::string& place = "--closeness",
               ErrorKind kind = ErrorKind::kUsage);
  Budget stated() const { return closeness ? closeness->stated : Budget{epsilon, delta}; }
  Rational lambda() const { return closeness ? closeness->lambda : Rational(0); }

  // The largest blur of a distribution: 0 where every mass is exact.
  Rational blur() const;
  size_t pair_count() const { return pairs.size(secrets.size()); }
  bool is_joint() const { return !axes.empty(); }
};

// What a name says to those who read a plan: whether it is that
// of a group of the given columns, of which the first is this one, or of the small groups together.
bool is_group_name(const std::string& prior, const std::string& first_given, bool header);

// Error of the given kind for what goes with one column only: a delta, a confidence.
void check_columns(const Claim& claim, ErrorKind kind);

}  // namespace fugu::inline in_law
