#include "fugu/verify/law_bounds.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/verify/rounding.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_verify {
namespace {

constexpr Bits kBoundBits = 128;
constexpr size_t kWidest = size_t{1} << 26;  // cells
constexpr size_t kWorthIt = 32;              // fewer are not worth moving the others

Error too_wide(const std::string& what, const std::string& hint) {
  return Error(ErrorKind::kUsage, what + " is too wide for the exact proof", hint);
}

void add_cell(LawBounds& law, const Interval& mass) {
  law.low.push_back(std::max(0.0, mass.lower()));
  law.high.push_back(mass.upper());
}

void trim(LawBounds& law, double negligible) {
  size_t begin = 0, end = law.high.size();
  while (end - begin > 1 && law.high[begin] < negligible) ++begin;
  while (end - begin > 1 && law.high[end - 1] < negligible) --end;
  if (law.high.size() - (end - begin) < kWorthIt) return;
  const Rounding up(Toward::kUp);
  for (size_t k = 0; k < law.high.size(); ++k)
    if (k < begin || k >= end) law.unseen = rounded_sum(law.unseen, law.high[k]);
  law.first += static_cast<int64_t>(begin);
  for (std::vector<double>* cells : {&law.low, &law.high}) {
    cells->resize(end);
    cells->erase(cells->begin(), cells->begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

// Where a law may have mass, and its first cell.
std::vector<size_t> possible(const LawBounds& law) {
  std::vector<size_t> places;
  for (size_t k = 0; k < law.high.size(); ++k)
    if (law.high[k] > 0 || k == 0) places.push_back(k);
  return places;
}

std::vector<double> masses_at(const std::vector<double>& cells, const std::vector<size_t>& places) {
  std::vector<double> masses;
  for (size_t place : places) masses.push_back(cells[place]);
  return masses;
}

// Of n independent numbers with one law.
LawBounds power(LawBounds law, uint64_t n, double negligible) {
  LawBounds result;
  for (;; n /= 2) {
    if (n % 2 == 1) result = sum_of(std::move(result), law, negligible);
    if (n <= 1) return result;
    law = sum_of(law, law, negligible);
  }
}

// Users in a tree. A part holds the law of its users' sum where adding that takes no longer than adding them
// one by one.
struct Part {
  size_t kind = 0;
  uint64_t users = 0;
  std::unique_ptr<Part> left, right;  // of a leaf, none
  LawBounds rest;                     // of a leaf: all of its kind but one
  std::optional<LawBounds> law;
  size_t places = 0;    // that adding this part goes through
  double variance = 0;  // about: decides only how, not what, is added
  double width = 0;     // about
};

class Tree {
 public:
  Tree(const Crowd& crowd, double negligible,
       const std::function<void(size_t kind, const LawBounds& others)>& visit)
      : crowd_(crowd), negligible_(negligible), visit_(visit) {}

  void visit_all(const LawBounds& initial) { descend(*part_of(0, crowd_.users.size()), initial); }

 private:
  std::unique_ptr<Part> part_of(size_t from, size_t to) const {
    auto part = std::make_unique<Part>();
    if (to - from == 1) {
      fill_leaf(*part, from);
      return part;
    }
    const size_t middle = from + (to - from) / 2;
    part->left = part_of(from, middle);
    part->right = part_of(middle, to);
    const Part &a = *part->left, &b = *part->right;
    part->users = a.users + b.users;
    part->places = a.places + b.places;
    part->variance = a.variance + b.variance;
    part->width = std::min(a.width + b.width, 24 * std::sqrt(part->variance) + 24);
    const bool is_everyone = to - from == crowd_.users.size();  // and outside is no one: never added
    if (!is_everyone && part->width <= static_cast<double>(part->places)) {
      hold(*part, added(added({}, a), b));
    }
    return part;
  }

  void fill_leaf(Part& part, size_t kind) const {
    const LawBounds one = bounds_of_user(crowd_.users[kind]);
    part.kind = kind;
    part.users = crowd_.users[kind].copies;
    part.rest = power(one, part.users - 1, negligible_);
    if (crowd_.users.size() == 1) return;
    hold(part, sum_of(part.rest, one, negligible_));
    part.width = static_cast<double>(part.law->high.size());
    double mean = 0, square = 0;
    for (size_t k = 0; k < one.high.size(); ++k) {
      const auto place = static_cast<double>(k);
      mean += one.high[k] * place;
      square += one.high[k] * place * place;
    }
    part.variance = std::max(0.0, square - mean * mean) * static_cast<double>(part.users);
  }

  static void hold(Part& part, LawBounds law) {
    law.places = part.places = possible(law).size();
    part.law = std::move(law);
  }

  LawBounds added(LawBounds law, const Part& part) const {
    return part.law ? sum_of(std::move(law), *part.law, negligible_)
                    : added(added(std::move(law), *part.left), *part.right);
  }

  // `outside` is the law of everyone who is not in the part.
  void descend(const Part& part, const LawBounds& outside) const {
    if (!part.left)
      return visit_(part.kind, part.users == 1 ? outside : sum_of(outside, part.rest, negligible_));
    auto left = [&] { descend(*part.left, added(outside, *part.right)); };
    auto right = [&] { descend(*part.right, added(outside, *part.left)); };
    if (part.users < 64) {
      left();
      right();
    } else {
      tbb::parallel_invoke(left, right);
    }
  }

  const Crowd& crowd_;
  double negligible_;
  const std::function<void(size_t, const LawBounds&)>& visit_;
};

}  // namespace

LawBounds bounds_of_user(const CrowdUsers& users) {
  std::map<int64_t, Rational> masses;
  Rational total(0);
  for (size_t k = 0; k < users.masses.size(); ++k) {
    if (users.masses[k] == 0) continue;
    masses[users.values[k]] += users.masses[k];
    total += users.masses[k];
  }
  LawBounds law{masses.begin()->first, {}, {}, 0, masses.size()};
  const auto width = static_cast<size_t>(masses.rbegin()->first - law.first) + 1;
  if (width > kWidest) throw too_wide("what one user says", "give coarser values");
  law.low.assign(width, 0);
  law.high.assign(width, 0);
  for (const auto& [value, mass] : masses) {
    const auto place = static_cast<size_t>(value - law.first);
    const Interval share(Rational(mass / total), kBoundBits);
    law.low[place] = share.lower();
    law.high[place] = share.upper();
  }
  return law;
}

LawBounds bounds_of_noise(const Noise& noise, double negligible) {
  if (noise.is_none()) return {};
  const Interval total(total_weight(noise), kBoundBits), one(Integer(1), kBoundBits),
      ratio(noise.tail.value(), kBoundBits);
  LawBounds left{0, {}, {}, 0, 0}, right = left;
  auto add_tail = [&](LawBounds& tail, const Integer& weight) {
    if (ratio.is_zero()) return;
    Interval mass = Interval(weight, kBoundBits) * ratio / total;
    const double enough = (Interval(negligible, negligible, kBoundBits) * (one - ratio)).lower();
    for (; mass.upper() > enough; mass *= ratio) {
      add_cell(tail, mass);
      if (tail.high.size() > kWidest / 4)
        throw too_wide("the noise", "give coarser values, a larger --epsilon, or leave out --delta");
    }
    tail.unseen = (mass / (one - ratio)).upper();
  };
  add_tail(left, noise.weights.front());
  add_tail(right, noise.weights.back());
  LawBounds law{-noise.reach() - static_cast<int64_t>(left.high.size()), {}, {}, 0, 0};
  law.low.assign(left.low.rbegin(), left.low.rend());
  law.high.assign(left.high.rbegin(), left.high.rend());
  for (const Integer& weight : noise.weights) add_cell(law, Interval(weight, kBoundBits) / total);
  law.low.insert(law.low.end(), right.low.begin(), right.low.end());
  law.high.insert(law.high.end(), right.high.begin(), right.high.end());
  law.places = law.high.size();
  const Rounding up(Toward::kUp);
  law.unseen = rounded_sum(left.unseen, right.unseen);
  return law;
}

LawBounds sum_of(LawBounds a, const LawBounds& b, double negligible) {
  const bool swap = a.places < b.places;
  const LawBounds terms = swap ? std::move(a) : b;
  LawBounds sum = swap ? b : std::move(a);
  const std::vector<size_t> offsets = possible(terms);
  const std::vector<double> low = masses_at(terms.low, offsets), high = masses_at(terms.high, offsets);
  if (sum.high.size() + terms.high.size() > kWidest)
    throw too_wide("the sum over the users",
                   "give coarser values: their sums may spread over 67 million steps at most");
  sum.first += terms.first;
  {
    const Rounding down(Toward::kDown);
    sum.low = convolved(std::move(sum.low), offsets, low);
  }
  {
    const Rounding up(Toward::kUp);
    sum.high = convolved(std::move(sum.high), offsets, high);
    sum.unseen = rounded_sum(sum.unseen, terms.unseen);
  }
  trim(sum, negligible);
  sum.places = std::min(sum.high.size(), sum.places * offsets.size());
  return sum;
}

void each_without_one(const Crowd& crowd, const LawBounds& initial, double negligible,
                      const std::function<void(size_t, const LawBounds&)>& visit) {
  Tree(crowd, negligible, visit).visit_all(initial);
}

}  // namespace fugu::inline in_verify
