#include "fugu/plan/leakage_sums.h"

#include <algorithm>

#include "fugu/proof/grid_kernel.h"

namespace fugu::inline in_plan {
namespace {

constexpr size_t kMostSplits = 20'000;  // times secrets, of all gaps
constexpr double kFine = 1e-3;          // of a sum: bounds so near each other are near enough

Interval one_of(Bits bits) { return Interval(Integer(1), bits); }

// How much of the outputs strictly between two that are `steps` apart counts as either.
Interval gap_weight(const Interval& tail, uint64_t steps) {
  const Interval one = one_of(tail.precision()), far = pow(tail, steps);
  return positive_part((tail - far) / ((one - tail) * (one + far)));
}

std::vector<Interval> plus(std::vector<Interval> a, const std::vector<Interval>& b) {
  for (size_t s = 0; s < a.size(); ++s) a[s] += b[s];
  return a;
}

std::vector<Interval> times(std::vector<Interval> a, const Interval& factor) {
  for (Interval& mass : a) mass *= factor;
  return a;
}

// The masses `at` steps from the left of two outputs that are `steps` apart.
std::vector<Interval> between(const std::vector<Interval>& left, const std::vector<Interval>& right,
                              const Interval& tail, uint64_t steps, uint64_t at) {
  const Interval one = one_of(tail.precision()), whole = one - pow(tail, 2 * steps);
  const Interval from_left = pow(tail, at) * (one - pow(tail, 2 * (steps - at))) / whole,
                 from_right = pow(tail, steps - at) * (one - pow(tail, 2 * at)) / whole;
  return plus(times(left, from_left), times(right, from_right));
}

bool is_near(const Interval& low, const Interval& high, double mass) {
  return high.upper() - low.lower() <= std::max(kFine * high.upper(), 1e-9 * mass);
}

LeakSums hulls(const LeakSums& a, const LeakSums& b) {
  return {hull(a.guessed, b.guessed), hull(a.most, b.most), hull(a.told, b.told), a.moved || b.moved};
}

LeakSums operator+(LeakSums a, const LeakSums& b) { return std::move(a += b); }
LeakSums operator*(LeakSums a, const Interval& factor) { return std::move(a *= factor); }

}  // namespace

LeakSums& LeakSums::operator+=(const LeakSums& other) {
  guessed += other.guessed;
  most += other.most;
  told += other.told;
  moved = moved || other.moved;
  return *this;
}

LeakSums& LeakSums::operator*=(const Interval& factor) {
  guessed *= factor;
  most *= factor;
  told *= factor;
  return *this;
}

Leaks::Leaks(std::vector<Interval> shares, size_t likeliest, bool logarithms)
    : shares_(std::move(shares)),
      likeliest_(likeliest),
      logarithms_(logarithms),
      bits_(shares_.front().precision()) {}

LeakSums Leaks::at(const BySecret& masses) const {
  LeakSums sums{Interval(bits_), Interval(bits_), Interval(bits_)};
  Interval all(bits_);
  std::vector<Interval> joint;
  joint.reserve(masses.size());
  for (size_t s = 0; s < masses.size(); ++s) {
    joint.push_back(shares_[s] * masses[s]);
    all += joint.back();
    // Of intervals the one that ends last holds the largest number.
    if (upper_less(sums.guessed, joint.back())) sums.guessed = joint.back();
    if (upper_less(sums.most, masses[s])) sums.most = masses[s];
  }
  for (size_t s = 0; s < masses.size(); ++s) {
    if (s != likeliest_ && !certainly_at_most(joint[s], joint[likeliest_])) sums.moved = true;
  }
  if (!logarithms_) return sums;
  for (size_t s = 0; s < masses.size(); ++s) {
    if (!joint[s].is_zero()) sums.told += joint[s] * log(masses[s] / all);
  }
  sums.told = positive_part(sums.told);
  return sums;
}

std::vector<Leaks::BySecret> Leaks::masses_of(const Kernel& kernel, const Prior& prior) const {
  std::vector<BySecret> all(kernel.outputs().size());
  for (BySecret& masses : all) masses.reserve(prior.by_secret.size());
  for (const Distribution& law : prior.by_secret) {
    auto masses = kernel.of(Law(law), false);
    for (size_t k = 0; k < all.size(); ++k) all[k].push_back(std::move(masses.at[k]));
  }
  return all;
}

LeakSums Leaks::over(const Kernel& kernel, const Prior& prior) const {
  LeakSums sums{Interval(bits_), Interval(bits_), Interval(bits_)};
  for (const BySecret& masses : masses_of(kernel, prior)) sums += at(masses);
  return sums;
}

// The outputs strictly between two. A gap whose bounds are far apart is halved.
LeakSums Leaks::gap(const BySecret& left, const BySecret& right, uint64_t steps, const Interval& tail,
                    size_t& splits) const {
  LeakSums low = at(plus(left, right)) * gap_weight(tail, steps);
  if (steps <= 2) return low;  // one output, or none
  const LeakSums high = (at(left) + at(right)) * gap_weight(tail, steps);
  const double mass = high.guessed.upper();
  if (splits == 0 || (is_near(low.guessed, high.guessed, mass) && is_near(low.most, high.most, mass) &&
                      is_near(low.told, high.told, mass)))
    return hulls(low, high);
  --splits;
  const uint64_t half = steps / 2;
  const BySecret middle = between(left, right, tail, steps, half);
  return gap(left, middle, half, tail, splits) + at(middle) + gap(middle, right, steps - half, tail, splits);
}

LeakSums Leaks::over_noise(const Kernel& kernel, const Prior& prior,
                           const std::optional<std::pair<int64_t, int64_t>>& range) const {
  const Interval& tail = kernel.tail();
  std::vector<BySecret> masses = masses_of(kernel, prior);
  if (range && range->first >= range->second) return at(BySecret(shares_.size(), one_of(bits_)));
  std::vector<int64_t> outputs = kernel.outputs();
  auto insert = [&](int64_t output) {
    const auto place = std::lower_bound(outputs.begin(), outputs.end(), output);
    const auto k = place - outputs.begin();
    if (place != outputs.end() && *place == output) return;
    BySecret here;
    if (place == outputs.begin()) {
      here = times(masses.front(), pow(tail, static_cast<uint64_t>(outputs.front() - output)));
    } else if (place == outputs.end()) {
      here = times(masses.back(), pow(tail, static_cast<uint64_t>(output - outputs.back())));
    } else {
      here = between(
          masses[static_cast<size_t>(k - 1)], masses[static_cast<size_t>(k)], tail,
          static_cast<uint64_t>(outputs[static_cast<size_t>(k)] - outputs[static_cast<size_t>(k - 1)]),
          static_cast<uint64_t>(output - outputs[static_cast<size_t>(k - 1)]));
    }
    outputs.insert(place, output);
    masses.insert(masses.begin() + k, std::move(here));
  };
  if (range) {
    insert(range->first);
    insert(range->second);
  }
  const int64_t low = range ? range->first : outputs.front(), high = range ? range->second : outputs.back();
  const Interval beyond = tail / (one_of(bits_) - tail);
  // What is set to the range's ends, or lies beyond the outermost outputs.
  BySecret below = times(masses.front(), beyond), above = times(masses.back(), beyond);
  LeakSums sums{Interval(bits_), Interval(bits_), Interval(bits_)};
  size_t gaps = 1;
  for (size_t k = 0; k + 1 < outputs.size(); ++k) gaps += outputs[k + 1] - outputs[k] > 1;
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (range && outputs[k] <= low) {
      below = plus(std::move(below), masses[k]);
    } else if (range && outputs[k] >= high) {
      above = plus(std::move(above), masses[k]);
    } else {
      sums += at(masses[k]);
    }
    if (k + 1 == outputs.size() || outputs[k + 1] - outputs[k] == 1 || tail.is_zero()) continue;
    const auto steps = static_cast<uint64_t>(outputs[k + 1] - outputs[k]);
    if (outputs[k + 1] <= low || outputs[k] >= high) {
      BySecret& end = outputs[k] >= high ? above : below;
      end = plus(std::move(end), times(plus(masses[k], masses[k + 1]), gap_weight(tail, steps)));
    } else {
      size_t splits = kMostSplits / shares_.size() / gaps;
      sums += gap(masses[k], masses[k + 1], steps, tail, splits);
    }
  }
  return sums + at(below) + at(above);
}

LeakSums Leaks::over_grid(const Claim& claim, const Prior& prior, const JointBounds& bounds) const {
  const ProductGrid grid(claim, prior);
  const GridKernel kernel(claim, prior, bounds);
  const std::vector<BySecret> masses = masses_of(kernel, prior);
  // Along each axis, how much besides itself counts as an atom: half the gaps to either side, or a tail.
  std::vector<std::vector<Interval>> weights;
  for (size_t c = 0; c < grid.axes().size(); ++c) {
    const auto& atoms = grid.axes()[c];
    const Interval& tail = bounds.columns[c].tail;
    const Interval beyond = tail / (one_of(bits_) - tail);
    auto& own = weights.emplace_back(atoms.size(), one_of(bits_));
    own.front() += beyond;
    own.back() += beyond;
    for (size_t k = 0; k + 1 < atoms.size(); ++k) {
      const Interval weight = gap_weight(tail, static_cast<uint64_t>(atoms[k + 1] - atoms[k]));
      own[k] += weight;
      own[k + 1] += weight;
    }
  }
  LeakSums sums{Interval(bits_), Interval(bits_), Interval(bits_)};
  for (size_t cell = 0; cell < masses.size(); ++cell) {
    Interval weight = one_of(bits_);
    size_t rest = cell;
    for (size_t c = weights.size(); c-- > 0; rest /= weights[c].size())
      weight *= weights[c][rest % weights[c].size()];
    sums += at(masses[cell]) * weight;
  }
  return hulls(sums, {Interval(bits_), Interval(bits_), Interval(bits_)});
}

}  // namespace fugu::inline in_plan
