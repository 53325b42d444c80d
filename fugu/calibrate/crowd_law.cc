#include "fugu/calibrate/crowd_law.h"

#include <mpfr.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "fugu/calibrate/sliding_sum.h"
#include "fugu/core/error.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kUnit = 0x1p-53;   // of one rounding
constexpr size_t kDenseSpan = 48;   // users whose values span less go into one kernel, up to this span
constexpr uint64_t kDirect = 4096;  // more users than this are taken in by halves, each a law of its own
constexpr uint64_t kMostRoundings = uint64_t{1} << 46;

Error too_wide() {
  return Error(ErrorKind::kUsage, "the sum over the users spreads over too many steps",
               "give coarser values: their sums may spread over 67 million steps at most");
}

double nearest(const Rational& value) {
  mpfr_t number;
  mpfr_init2(number, 53);
  mpfr_set_q(number, value.backend().data(), MPFR_RNDN);
  const double result = mpfr_get_d(number, MPFR_RNDN);
  mpfr_clear(number);
  return result;
}

}  // namespace

LatticeTerm term_of(const CrowdUsers& users) {
  std::map<int64_t, Rational> exact_masses;
  Rational total(0);
  for (size_t k = 0; k < users.masses.size(); ++k) {
    if (users.masses[k] == 0) continue;
    exact_masses[users.values[k]] += users.masses[k];
    total += users.masses[k];
  }
  LatticeTerm term;
  term.copies = users.copies;
  for (const auto& [value, mass] : exact_masses) {
    const double rounded = nearest(Rational(mass / total));
    if (rounded < SumLaw::kNegligible) {
      term.cut += SumLaw::kNegligible;
      continue;
    }
    term.values.push_back(value);
    term.masses.push_back(rounded);
  }
  return term;
}

std::vector<LatticeTerm> terms_of(const Crowd& crowd) {
  std::vector<LatticeTerm> terms;
  for (const CrowdUsers& users : crowd.users) terms.push_back(term_of(users));
  return terms;
}

// What is added in one sweep over the window: the law of some users, from offset 0 on.
struct SumLaw::Kernel {
  int64_t first = 0;
  std::vector<size_t> offsets;  // empty: 0, 1, 2, …
  std::vector<double> masses;
  uint64_t roundings = 0;
  double operations = 0;
  double cut = 0;

  size_t span() const { return offsets.empty() ? masses.size() - 1 : offsets.back(); }

  static size_t span_of(const LatticeTerm& term) {
    return static_cast<size_t>(term.values.back() - term.values.front());
  }

  static Kernel of(const LatticeTerm& term) {
    Kernel kernel{term.values.front(), {}, {}, 1, 0, term.cut};
    if (span_of(term) > kDenseSpan) {
      for (int64_t value : term.values) kernel.offsets.push_back(static_cast<size_t>(value - kernel.first));
      kernel.masses = term.masses;
      return kernel;
    }
    kernel.masses.assign(span_of(term) + 1, 0.0);
    for (size_t k = 0; k < term.values.size(); ++k)
      kernel.masses[static_cast<size_t>(term.values[k] - kernel.first)] = term.masses[k];
    return kernel;
  }

  // Precondition: both are dense, and together span at most kDenseSpan.
  void multiply(const LatticeTerm& term) {
    std::array<double, 2 * kSlidingBlock + 2 * kDenseSpan> cells{};
    constexpr size_t kMargin = kSlidingBlock + kDenseSpan;
    std::copy(masses.begin(), masses.end(), cells.begin() + kMargin);
    std::array<size_t, kDenseSpan + 1> steps{};
    for (size_t j = 0; j < term.values.size(); ++j)
      steps[j] = static_cast<size_t>(term.values[j] - term.values.front());
    masses.resize(masses.size() + span_of(term));
    sliding_sum(cells.data() + kMargin, masses.size(), std::span(steps).first(term.values.size()),
                term.masses);
    std::copy_n(cells.begin() + kMargin, masses.size(), masses.begin());
    first += term.values.front();
    roundings += 1 + term.values.size();
    operations += static_cast<double>(masses.size() * term.values.size());
    cut += term.cut;
  }
};

SumLaw::SumLaw(double negligible) : SumLaw(0, std::vector<double>{1.0}, 0, 0, negligible) {}

SumLaw::SumLaw(int64_t first, std::span<const double> masses, uint64_t roundings, double cut,
               double negligible)
    : cells_(masses.begin(), masses.end()),
      end_(masses.size()),
      first_(first),
      roundings_(roundings),
      operations_(static_cast<double>(masses.size())),
      cut_(cut),
      negligible_(negligible) {
  trim();
}

// Each mass is a sum of products in which every term went through at most `roundings_` factors 1 + d with
// |d| <= u: together within n u / (1 - n u).
double SumLaw::relative_error() const {
  const double product = static_cast<double>(roundings_ + 4) * kUnit;
  return product / (1 - product) * (1 + 0x1p-40);
}

// What was cut was itself rounded, and summed in doubles: twice is more than enough.
double SumLaw::cut() const { return 2 * cut_; }

// An operation that underflows is off by at most 2^-1075, and whatever multiplies that later has a sum of
// about 1.
double SumLaw::underflow() const { return operations_ * 0x1p-1073; }

void SumLaw::make_room(size_t growth) {
  const size_t margin = growth + kSlidingBlock, width = end_ - begin_;
  if (width + growth > kWidest) throw too_wide();
  if (begin_ >= margin && end_ + margin <= cells_.size()) return;
  // The window drifts upward: room above for a while.
  std::vector<double> cells(2 * (width + margin) + margin, 0.0);
  std::copy(cells_.begin() + static_cast<std::ptrdiff_t>(begin_),
            cells_.begin() + static_cast<std::ptrdiff_t>(end_),
            cells.begin() + static_cast<std::ptrdiff_t>(margin));
  cells_ = std::move(cells);
  begin_ = margin;
  end_ = margin + width;
}

void SumLaw::trim() {
  // Relative to the rest even where all of it is small: the largest mass is never cut.
  while (end_ - begin_ > 1 && cells_[begin_] < negligible_) {
    cut_ += cells_[begin_];
    cells_[begin_++] = 0;
    ++first_;
  }
  while (end_ - begin_ > 1 && cells_[end_ - 1] < negligible_) {
    cut_ += cells_[end_ - 1];
    cells_[--end_] = 0;
  }
}

void SumLaw::apply(const Kernel& kernel) {
  const size_t span = kernel.span(), terms = kernel.masses.size();
  make_room(span);
  sliding_sum(cells_.data() + begin_, end_ - begin_ + span, kernel.offsets, kernel.masses);
  end_ += span;
  first_ += kernel.first;
  roundings_ += kernel.roundings + terms;
  operations_ += kernel.operations + static_cast<double>(end_ - begin_) * static_cast<double>(terms);
  cut_ += kernel.cut;
  if (roundings_ > kMostRoundings)
    throw Error(ErrorKind::kUsage, "there are too many users for the arithmetic of doubles",
                "give fewer users, or pure epsilon (leave out --delta)");
  trim();
}

void SumLaw::add(std::span<const LatticeTerm> terms) {
  // The halves' windows are narrower, and two laws are summed in the square of a width, not users times
  // width.
  const uint64_t users =
      std::accumulate(terms.begin(), terms.end(), uint64_t{0}, [](uint64_t sum, const auto& term) {
        return sum + (term.copies <= kDirect && Kernel::span_of(term) <= kDenseSpan / 2 ? term.copies : 0);
      });
  if (users > kDirect && terms.size() > 1) {
    SumLaw half(negligible_);
    half.add(terms.first(terms.size() / 2));
    SumLaw rest(negligible_);
    rest.add(terms.subspan(terms.size() / 2));
    half.add(rest);
    return add(half);
  }
  Kernel kernel;  // without masses: no one is in it
  auto flush = [&] {
    if (!kernel.masses.empty()) apply(kernel);
    kernel.masses.clear();
  };
  for (const LatticeTerm& term : terms) {
    if (term.copies > kDirect || Kernel::span_of(term) > kDenseSpan / 2) {
      add(term, term.copies);
      continue;
    }
    for (uint64_t copy = 0; copy < term.copies; ++copy) {
      if (!kernel.masses.empty() && kernel.span() + Kernel::span_of(term) > kDenseSpan) flush();
      if (kernel.masses.empty()) {
        kernel = Kernel::of(term);
      } else {
        kernel.multiply(term);
      }
    }
  }
  flush();
}

void SumLaw::add(const LatticeTerm& term, uint64_t copies) {
  if (copies > kDirect) {
    SumLaw half(negligible_);
    half.add(term, copies / 2);
    SumLaw all = half;
    all.add(half);
    if (copies % 2 == 1) all.apply(Kernel::of(term));
    add(all);
    return;
  }
  const size_t span = Kernel::span_of(term);
  const uint64_t together = span == 0 ? 1 : std::max<uint64_t>(1, kDenseSpan / span);
  if (copies >= together && together > 1) {
    Kernel kernel = Kernel::of(term);
    for (uint64_t copy = 1; copy < together; ++copy) kernel.multiply(term);
    for (; copies >= together; copies -= together) apply(kernel);
  }
  if (copies == 0) return;
  Kernel rest = Kernel::of(term);
  if (together == 1) {
    for (; copies > 0; --copies) apply(rest);
    return;
  }
  for (uint64_t copy = 1; copy < copies; ++copy) rest.multiply(term);
  apply(rest);
}

void SumLaw::add(const SumLaw& other) {
  if (other.masses().size() > masses().size()) {
    SumLaw sum = other;
    sum.negligible_ = negligible_;
    sum.add(*this);
    *this = std::move(sum);
    return;
  }
  const auto from = other.masses();
  Kernel kernel{other.first_, {}, {}, other.roundings_, other.operations_, other.cut_};
  const auto possible =
      static_cast<size_t>(std::count_if(from.begin(), from.end(), [](double p) { return p > 0; }));
  if (possible == 0 || 2 * possible > from.size()) {
    kernel.masses.assign(from.begin(), from.end());
  } else {  // values far apart leave most sums impossible
    for (size_t k = 0; k < from.size(); ++k) {
      if (from[k] == 0) continue;
      kernel.offsets.push_back(k);
      kernel.masses.push_back(from[k]);
    }
  }
  apply(kernel);
}

SumLaw law_of_sum(std::span<const LatticeTerm> terms) {
  SumLaw law;
  law.add(terms);
  return law;
}

namespace {

struct Tree {
  std::span<const LatticeTerm> terms;
  std::vector<uint64_t> before;  // users before each kind
  const std::function<void(size_t, const SumLaw&)>& visit;

  // `law` is that of everyone outside [from, to).
  void descend(size_t from, size_t to, SumLaw law) const {
    if (to - from == 1) {
      law.add(terms[from], terms[from].copies - 1);
      visit(from, law);
      return;
    }
    const uint64_t half = before[from] + (before[to] - before[from]) / 2;
    const auto found = std::upper_bound(before.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                                        before.begin() + static_cast<std::ptrdiff_t>(to) - 1, half);
    const auto middle = static_cast<size_t>(found - before.begin());
    auto left = [&] {
      SumLaw outside = law;
      outside.add(terms.subspan(middle, to - middle));
      descend(from, middle, std::move(outside));
    };
    auto right = [&] {
      SumLaw outside = law;
      outside.add(terms.subspan(from, middle - from));
      descend(middle, to, std::move(outside));
    };
    if (before[to] - before[from] < 64) {
      left();
      right();
    } else {
      tbb::parallel_invoke(left, right);
    }
  }
};

}  // namespace

void for_each_leave_one_out(std::span<const LatticeTerm> terms, const SumLaw& initial,
                            const std::function<void(size_t, const SumLaw&)>& visit) {
  std::vector<uint64_t> before{0};
  for (const LatticeTerm& term : terms) before.push_back(before.back() + term.copies);
  if (!terms.empty()) Tree{terms, std::move(before), visit}.descend(0, terms.size(), initial);
}

}  // namespace fugu::inline in_calibrate
