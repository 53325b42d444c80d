#include "fugu/calibrate/influence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kHalfUlp = 0x1p-53;
// What underflow may have spoiled is below this by far: products that vanish are below 1e-307, and fewer than
// 1e15 of them are added to any one entry. A number below is as good as none.
constexpr double kTiny = 1e-280;

// What a ratio of two positive numbers grows by at most when each was rounded so often, and the ratio itself.
double with_roundings(uint64_t each) { return 1 + 4 * (static_cast<double>(each) + 4) * kHalfUlp; }

double ratio_up(double high, double low, double slack) {
  if (low < kTiny) return kNoLimit;
  return std::max(high, kTiny) / low * slack;
}

std::vector<double> in_doubles(const std::vector<std::vector<Rational>>& rows) {
  std::vector<double> result;
  for (const auto& row : rows)
    for (const Rational& mass : row) result.push_back(static_cast<double>(mass));
  return result;
}

StateSet support_of(const std::vector<Rational>& masses) {
  StateSet set = 0;
  for (size_t x = 0; x < masses.size(); ++x)
    if (masses[x] > 0) set |= StateSet{1} << x;
  return set;
}

std::vector<StateSet> supports_of(const std::vector<std::vector<Rational>>& rows) {
  std::vector<StateSet> result;
  for (const auto& row : rows) result.push_back(support_of(row));
  return result;
}

bool holds(StateSet set, size_t state) { return (set >> state & 1) != 0; }

StateSet after_one_step(StateSet from, const std::vector<StateSet>& next) {
  StateSet to = 0;
  for (size_t x = 0; x < next.size(); ++x)
    if (holds(from, x)) to |= next[x];
  return to;
}

StateSet ever_visited(StateSet from, const std::vector<StateSet>& next) {
  for (StateSet before = 0; before != from;) {
    before = from;
    from |= after_one_step(from, next);
  }
  return from;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, size_t n) {
  std::vector<double> result(n * n, 0.0);
  for (size_t x = 0; x < n; ++x) {
    for (size_t w = 0; w < n; ++w) {
      const double factor = a[x * n + w];
      if (factor == 0) continue;
      for (size_t v = 0; v < n; ++v) result[x * n + v] += factor * b[w * n + v];
    }
  }
  return result;
}

}  // namespace

Influence::Influence(const MarkovChain& chain)
    : states_(chain.transition.size()),
      matrix_(in_doubles(chain.transition)),
      power_(matrix_),
      next_(supports_of(chain.transition)),
      reached_(next_) {
  visited_ = ever_visited(support_of(start_law(chain)), next_);
}

uint64_t Influence::farthest() const {
  constexpr uint64_t kMostRatios = uint64_t{1} << 24;  // 128 MiB on each side
  return std::min<uint64_t>(ChainModel::kLongest, kMostRatios / (states_ * states_));
}

void Influence::multiply() {
  power_ = product(power_, matrix_, states_);
  for (StateSet& row : reached_) row = after_one_step(row, next_);
}

void Influence::add_ratios() {
  const size_t n = states_, begin = before_.size();
  const uint64_t steps = begin / (n * n) + 1;
  // A step rounds an entry of the matrix, a product, and n - 1 sums.
  const double slack = with_roundings(steps * (n + 1));
  before_.resize(begin + n * n, 1.0);
  after_.resize(begin + n * n, 1.0);
  for (size_t x = 0; x < n; ++x) {
    for (size_t y = 0; y < n; ++y) {
      if (x == y || !holds(visited_, x) || !holds(visited_, y)) continue;
      double before = 0, after = 0;
      for (size_t u = 0; u < n; ++u) {
        if (holds(visited_, u) && holds(reached_[u], x)) {
          before =
              std::max(before, holds(reached_[u], y) ? ratio_up(power_[u * n + x], power_[u * n + y], slack)
                                                     : kNoLimit);
        }
        if (holds(reached_[x], u)) {
          after =
              std::max(after, holds(reached_[y], u) ? ratio_up(power_[x * n + u], power_[y * n + u], slack)
                                                    : kNoLimit);
        }
      }
      before_[begin + x * n + y] = before;
      after_[begin + x * n + y] = after;
    }
  }
}

const double* Influence::before(uint64_t steps) {
  const size_t size = states_ * states_;
  while (before_.size() < steps * size) {
    if (!before_.empty()) multiply();
    add_ratios();
  }
  return before_.data() + (steps - 1) * size;
}

const double* Influence::after(uint64_t steps) {
  before(steps);
  return after_.data() + (steps - 1) * states_ * states_;
}

InfluenceBound::InfluenceBound(const MarkovChain& chain, uint64_t length) {
  const size_t n = chain.transition.size();
  std::vector<double> power = in_doubles(chain.transition);
  std::vector<StateSet> reached = supports_of(chain.transition);
  const StateSet visited = ever_visited(support_of(start_law(chain)), reached);
  for (uint64_t steps = 1; steps <= length; steps *= 2) {
    const double slack = with_roundings(steps * (n + 1));
    double spread = 0, contraction = 0;
    for (size_t v = 0; v < n; ++v) {
      double least = kNoLimit, most = 0;
      for (size_t x = 0; x < n; ++x) {
        if (!holds(visited, x)) continue;
        least = std::min(least, holds(reached[x], v) ? power[x * n + v] : 0);
        most = std::max(most, holds(reached[x], v) ? std::max(power[x * n + v], kTiny) : 0);
      }
      // The difference is as wrong as its parts are: by most * (slack - 1), of which there is room for two.
      if (most > 0) {
        spread = std::max(spread,
                          least < kTiny ? kNoLimit : (most - least + 2 * most * (slack - 1)) / least * slack);
      }
    }
    for (size_t x = 0; x < n; ++x) {
      for (size_t y = 0; y < x; ++y) {
        if (!holds(visited, x) || !holds(visited, y)) continue;
        double sum = 0;
        for (size_t v = 0; v < n; ++v) sum += std::fabs(power[x * n + v] - power[y * n + v]);
        contraction = std::max(contraction, sum / 2 + 4 * (slack - 1));
      }
    }
    powers_.push_back({spread, std::min(1.0, contraction)});
    power = product(power, power, n);
    std::vector<StateSet> twice;
    for (StateSet row : reached) twice.push_back(after_one_step(row, reached));
    reached = std::move(twice);
  }
}

double InfluenceBound::spread(uint64_t steps) const {
  const auto top = static_cast<int>(std::bit_width(steps)) - 1;
  double spread = powers_[static_cast<size_t>(top)].spread;
  for (int digit = 0; digit < top; ++digit)
    if (steps >> digit & 1) spread *= powers_[static_cast<size_t>(digit)].contraction * (1 + 4 * kHalfUlp);
  return std::isnan(spread) ? kNoLimit : spread;
}

double InfluenceBound::after(uint64_t steps) const {
  const double more = spread(steps);
  if (std::isinf(more)) return kNoLimit;
  return log(Interval(1, 1, 64) + Interval(more, more, 64)).upper();
}

TimeLaws::TimeLaws(const MarkovChain& chain, uint64_t length)
    : states_(chain.transition.size()),
      length_(length),
      start_(law_of(start_law(chain))),
      matrix_(in_doubles(chain.transition)),
      next_(supports_of(chain.transition)) {
  if (chain.start) {
    find_settled(chain);
  } else {
    settled_ = alike(start_, 1, length_);
  }
}

TimeLaws::Law TimeLaws::law_of(const std::vector<Rational>& masses) {
  Law law;
  for (const Rational& mass : masses) law.mass.push_back(static_cast<double>(mass));
  law.support = support_of(masses);
  return law;
}

void TimeLaws::step(Law& law) const {
  std::vector<double> mass(states_, 0.0);
  for (size_t x = 0; x < states_; ++x)
    for (size_t y = 0; y < states_; ++y) mass[y] += law.mass[x] * matrix_[x * states_ + y];
  law.mass = std::move(mass);
  law.support = after_one_step(law.support, next_);
  law.roundings += states_ + 1;
}

TimesAlike TimeLaws::alike(const Law& law, uint64_t first, uint64_t last) const {
  TimesAlike times{first, last, law.support, std::vector<double>(states_ * states_, 1.0)};
  const double slack = with_roundings(law.roundings);
  for (size_t x = 0; x < states_; ++x) {
    for (size_t y = 0; y < states_; ++y) {
      if (x != y && holds(law.support, x) && holds(law.support, y))
        times.odds[x * states_ + y] = ratio_up(law.mass[y], law.mass[x], slack);
    }
  }
  return times;
}

// Where P(X_i = x) lies between low and high times the stationary mass for every x, so it does ever after
// (docs/math.md, section 12): the odds of all these times are those of the stationary law times high / low.
void TimeLaws::find_settled(const MarkovChain& chain) {
  constexpr double kClose = 1e-12;
  Law still;
  try {
    still = law_of(stationary_law(chain.transition, "chain"));
  } catch (const Error&) {
    return;  // no law to settle to
  }
  Law law = start_;
  for (uint64_t time = 1; time <= length_; ++time) {
    if (time > 1) step(law);
    if (law.support != still.support) continue;
    double high = 0, low = kNoLimit;
    for (size_t x = 0; x < states_; ++x) {
      if (!holds(law.support, x)) continue;
      if (law.mass[x] < kTiny || still.mass[x] < kTiny) high = kNoLimit;
      const double share = law.mass[x] / still.mass[x];
      high = std::max(high, share);
      low = std::min(low, share);
    }
    if (!(high <= low * (1 + kClose))) continue;
    settled_ = alike(still, time, length_);
    for (double& odds : settled_->odds) odds *= high / low * with_roundings(law.roundings + still.roundings);
    return;
  }
}

}  // namespace fugu::inline in_calibrate
