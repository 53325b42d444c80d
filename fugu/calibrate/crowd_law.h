// The law of a sum of independent lattice variables, without a transform (docs/math.md, section 12).
//
// Only sums and products of masses that are not negative, so every mass keeps its relative accuracy, down to
// 1e-230: a transform loses everything below 1e-16. Every rounding is counted: what comes back is a bound,
// not an estimate. The same bits on every machine: each mass is summed in one order, by fused multiply-adds.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fugu/models/crowd.h"

namespace fugu::inline in_calibrate {

// One user's part of the sum. Each mass is the nearest double of the exact one; letters with equal values are
// one, letters too rare for a double are in `cut`.
struct LatticeTerm {
  std::vector<int64_t> values;  // strictly increasing
  std::vector<double> masses;   // as many, all positive
  double cut = 0;
  uint64_t copies = 1;
};
// Precondition: the invariants of CrowdUsers.
LatticeTerm term_of(const CrowdUsers& users);
std::vector<LatticeTerm> terms_of(const Crowd& crowd);

// The invariant that everything rests on: the true mass at first() + k is masses()[k] (1 + e_k) + m_k + s_k,
// where |e_k| <= relative_error(), m_k >= 0, and over all places, those outside the window included,
// sum m_k <= cut() and sum |s_k| <= underflow().
class SumLaw {
 public:
  // Below this a mass at either end of the window is cut off.
  static constexpr double kNegligible = 1e-230;
  // The widest window: 512 MiB.
  static constexpr size_t kWidest = size_t{1} << 26;

  // All mass at 0. 0 <= negligible <= 1e-6.
  explicit SumLaw(double negligible = kNegligible);
  // Masses that are not negative, each within `roundings` roundings of the truth; `cut` bounds what is
  // missing.
  SumLaw(int64_t first, std::span<const double> masses, uint64_t roundings, double cut,
         double negligible = kNegligible);

  int64_t first() const { return first_; }
  std::span<const double> masses() const { return {cells_.data() + begin_, end_ - begin_}; }
  // The mass at a lattice index; 0 outside the window.
  double at(int64_t index) const {
    const int64_t place = index - first_;
    return place < 0 || place >= static_cast<int64_t>(end_ - begin_)
               ? 0
               : cells_[begin_ + static_cast<size_t>(place)];
  }
  double relative_error() const;
  double cut() const;
  double underflow() const;

  // Adds independent users, each with all its copies (or `copies` of them). Error (usage) when the sum
  // spreads over more than kWidest steps, or over so many users that the roundings' bound means nothing.
  void add(std::span<const LatticeTerm> terms);
  void add(const LatticeTerm& term, uint64_t copies);
  // Adds a sum that is independent of this one.
  void add(const SumLaw& other);

 private:
  struct Kernel;
  void apply(const Kernel& kernel);
  void make_room(size_t growth);
  void trim();

  // Every cell outside [begin_, end_) is 0.
  std::vector<double> cells_;
  size_t begin_ = 0, end_ = 0;
  int64_t first_ = 0;       // the lattice index of the cell begin_
  uint64_t roundings_ = 0;  // that any mass went through
  double operations_ = 0;   // that might have underflowed
  double cut_ = 0;
  double negligible_;
};

// The law of the sum of all users.
SumLaw law_of_sum(std::span<const LatticeTerm> terms);

// For each kind of user the law of the sum over everyone but one of that kind, with `initial` (for example
// the noise) added: a tree in which the law of everyone outside a segment goes down. Work and memory as of
// one sum times the tree's depth. `visit(kind, law)` is called from several threads at once, in no order.
void for_each_leave_one_out(std::span<const LatticeTerm> terms, const SumLaw& initial,
                            const std::function<void(size_t kind, const SumLaw& others)>& visit);

}  // namespace fugu::inline in_calibrate
