#include "fugu/calibrate/influence.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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

// To `result`, which holds zeros; several columns at a time.
void multiply(const double* a, const double* b, size_t n, double* result) {
  constexpr size_t kLanes = 8;
  using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
  for (size_t x = 0; x < n; ++x) {
    for (size_t w = 0; w < n; ++w) {
      const double factor = a[x * n + w];
      if (factor == 0) continue;
      size_t v = 0;
      for (; v + kLanes <= n; v += kLanes) {
        Lanes sum, term;
        std::memcpy(&sum, result + x * n + v, sizeof(sum));
        std::memcpy(&term, b + w * n + v, sizeof(term));
        sum += factor * term;
        std::memcpy(result + x * n + v, &sum, sizeof(sum));
      }
      for (; v < n; ++v) result[x * n + v] += factor * b[w * n + v];
    }
  }
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, size_t n) {
  std::vector<double> result(n * n, 0.0);
  multiply(a.data(), b.data(), n, result.data());
  return result;
}

std::vector<double> transposed(const double* matrix, size_t n) {
  std::vector<double> result(n * n);
  for (size_t x = 0; x < n; ++x)
    for (size_t y = 0; y < n; ++y) result[y * n + x] = matrix[x * n + y];
  return result;
}

std::vector<StateSet> transposed(const StateSet* rows, size_t n) {
  std::vector<StateSet> result(n, 0);
  for (size_t x = 0; x < n; ++x)
    for (size_t y = 0; y < n; ++y) result[y] |= (rows[x] >> y & 1) << x;
  return result;
}

// [x * n + y]: the largest ratio_up(matrix[u,x], matrix[u,y]) over the rows that count, for x that the row
// reaches; infinite where it does not reach y.
std::vector<double> largest_ratios(const double* matrix, const StateSet* reached, StateSet counts, size_t n,
                                   double slack) {
  std::vector<double> result(n * n, 0.0), low(n);
  for (size_t u = 0; u < n; ++u) {
    if (!holds(counts, u)) continue;
    for (size_t y = 0; y < n; ++y)
      low[y] = holds(reached[u], y) && !(matrix[u * n + y] < kTiny) ? matrix[u * n + y] : 0;
    for (size_t x = 0; x < n; ++x) {
      if (!holds(reached[u], x)) continue;
      const double high = std::max(matrix[u * n + x], kTiny);
      double* const row = &result[x * n];
      for (size_t y = 0; y < n; ++y) row[y] = std::max(row[y], high / low[y] * slack);
    }
  }
  return result;
}

}  // namespace

Influence::Influence(const MarkovChain& chain)
    : states_(chain.transition.size()),
      matrix_(in_doubles(chain.transition)),
      powers_(matrix_),
      next_(supports_of(chain.transition)),
      reached_(next_) {
  visited_ = ever_visited(support_of(start_law(chain)), next_);
}

uint64_t Influence::farthest() const {
  constexpr uint64_t kMostRatios = uint64_t{1} << 24;  // 128 MiB
  return std::min<uint64_t>(ChainModel::kLongest, kMostRatios / (states_ * states_));
}

void Influence::multiply() {
  const size_t size = states_ * states_, last = powers_.size() - size;
  powers_.resize(powers_.size() + size, 0.0);
  in_calibrate::multiply(&powers_[last], matrix_.data(), states_, &powers_[last + size]);
  for (size_t x = 0; x < states_; ++x)
    reached_.push_back(after_one_step(reached_[reached_.size() - states_], next_));
}

const Influence::Tables& Influence::tables(uint64_t steps) {
  if (const auto found = tables_.find(steps); found != tables_.end()) return found->second;
  const size_t n = states_;
  while (powers_.size() < steps * n * n) multiply();
  const double* const power = &powers_[(steps - 1) * n * n];
  const StateSet* const reached = &reached_[(steps - 1) * n];
  // A step rounds an entry of the matrix, a product, and n - 1 sums.
  const double slack = with_roundings(steps * (n + 1));
  const StateSet all = ~StateSet{0};
  Tables tables{largest_ratios(power, reached, visited_, n, slack),
                largest_ratios(transposed(power, n).data(), transposed(reached, n).data(), all, n, slack)};
  for (size_t x = 0; x < n; ++x) {
    for (size_t y = 0; y < n; ++y) {
      if (x != y && holds(visited_, x) && holds(visited_, y)) continue;
      tables.before[x * n + y] = tables.after[x * n + y] = 1;
    }
  }
  return tables_.emplace(steps, std::move(tables)).first->second;
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
