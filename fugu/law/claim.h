// What is promised of which laws: all that a proof of privacy looks at, besides the mechanism.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/law/budget.h"
#include "fugu/law/distribution.h"
#include "fugu/law/limits.h"
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
  // What somebody with this belief thinks of the secrets beforehand, in proportion: positive, one for each.
  // Empty: as the masses were written, summed; of masses that a model computed each secret the same.
  std::vector<Rational> shares = {};
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
// secret (docs/math.md, section 9).
struct Closeness {
  enum class By {
    kBudget,  // a smaller budget is proved under the priors themselves
    kBoxes,   // the stated budget is proved for every such belief (law/boxes.h)
  };
  Rational lambda;
  Budget stated;
  By by = By::kBudget;
  friend bool operator==(const Closeness&, const Closeness&) = default;
};

// What a confidence has bounds of (law/boxes.h).
enum class BoundKind {
  kBoxes,  // each mass by itself, of values that were fixed beforehand
  kBand,   // the masses up to each value
  kBoth,   // both at once, each with half of what may go wrong
};

// How the people of the counts came to be in the table.
struct Sampling {
  enum class Kind {
    kIndependent,  // drawn independently, as with replacement
    kCensus,       // they are everybody: the frequencies are the truth
    kPart,         // drawn without replacement from a population
  };
  Kind kind = Kind::kIndependent;
  // Of a part: how many people there are with each secret; where that is empty, how many in all.
  std::vector<uint64_t> population = {};
  uint64_t total = 0;
  friend bool operator==(const Sampling&, const Sampling&) = default;
};

// Invariants: at least one prior; at least two secrets, each with a distribution under every prior;
// every atom within kMaxSpan of every other; pairs not empty.
//
// Of one column an atom is a lattice index. Of several (2 to kMaxColumns axes) the atom j is the joint value
// points[j], one lattice index for each axis, and the lattice itself is {1, 0}.
struct Claim {
  Epsilon epsilon;  // what is proved: with closeness by a smaller budget less than what is stated
  Delta delta{};
  Lattice lattice{};
  std::vector<std::string> secrets{};
  std::vector<Prior> priors{};
  PairSet pairs = PairSet::all();
  Promise promised = Promise::kOdds;
  std::vector<OwnBudget> own_budgets{};  // where they differ from epsilon; none is above it
  // With this confidence the guarantee holds for every law that the counts allow (law/boxes.h); without, the
  // priors are taken as they are. Between 0 and 1.
  std::optional<Rational> confidence{};
  BoundKind bounded_by = BoundKind::kBoxes;
  Sampling sampling{};
  std::optional<Closeness> closeness{};
  std::vector<Axis> axes{};                    // empty for one column
  std::vector<std::vector<int64_t>> points{};  // increasing, each the value of some prior
  friend bool operator==(const Claim&, const Claim&) = default;

  // What is promised, and against whom: with lambda 0 only beliefs that are priors. Budgets of their own
  // change in the same proportion. Errors of tightened() where a smaller budget is to be proved.
  void promise(const Budget& budget, const Rational& lambda, Closeness::By by = Closeness::By::kBoxes,
               const std::string& place = "--closeness", ErrorKind kind = ErrorKind::kUsage);
  Budget stated() const { return closeness ? closeness->stated : Budget{epsilon, delta}; }
  Rational lambda() const { return closeness ? closeness->lambda : Rational(0); }

  // Whether laws are known by bounds (law/boxes.h) and every law within them is covered.
  bool has_boxes() const { return confidence || (closeness && closeness->by == Closeness::By::kBoxes); }
  // Whether all that is promised is one epsilon for the odds of each pair.
  bool is_plain() const { return promised == Promise::kOdds && own_budgets.empty(); }
  bool is_of_belief() const { return promised != Promise::kOdds; }
  // All that is promised, whatever it is: a pair both ways one after the other.
  std::vector<Limit> limits() const;
  Epsilon least_budget() const;
  // One epsilon for the odds, which keeps whatever is promised: that of the least budget.
  void make_plain();
  // What somebody with this belief thinks of each secret beforehand: positive, sum 1.
  std::vector<Rational> shares_in(const Prior& prior) const;
  // Secrets of which somebody with this belief is so sure beforehand that the promise in belief says nothing:
  // e^epsilon times as sure would be more than certain.
  std::vector<uint32_t> void_in(const Prior& prior) const;

  // The values that some prior gives mass to, increasing.
  std::vector<int64_t> values() const;
  // The largest blur of a distribution: 0 where every mass is exact.
  Rational blur() const;
  size_t pair_count() const { return pairs.size(secrets.size()); }
  bool is_joint() const { return !axes.empty(); }
};

// What a name says to those who read a plan: whether it is that
// of a group of the given columns, of which the first is this one, or of the small groups together.
bool is_group_name(const std::string& prior, const std::string& first_given, bool header);

// "boxes", "band", "both".
std::optional<BoundKind> bound_kind_named(std::string_view name);
std::string_view name_of(BoundKind kind);

// Error of the given kind for a promise that is none, or that nothing here proves: in belief, or with budgets
// of their own, there is no delta, and no smaller budget for close beliefs; a promise in belief has no pairs.
void check_promise(const Claim& claim, ErrorKind kind);

// Error of the given kind for what goes with one column only: a delta, a confidence.
void check_columns(const Claim& claim, ErrorKind kind);

}  // namespace fugu::inline in_law
