#include "fugu/verify/chain_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/verify/rounding.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_verify {
namespace {

void add_bounds(const std::vector<Rational>& masses, DoubleBounds& bounds) {
  for (const Rational& mass : masses) {
    const Interval interval(mass, 64);
    bounds.low.push_back(interval.lower());
    bounds.high.push_back(interval.upper());
  }
}

DoubleBounds bounds_of(const std::vector<Rational>& law) {
  DoubleBounds bounds;
  add_bounds(law, bounds);
  return bounds;
}

DoubleBounds bounds_of(const std::vector<std::vector<Rational>>& matrix) {
  DoubleBounds bounds;
  for (const auto& row : matrix) add_bounds(row, bounds);
  return bounds;
}

Doubles about(const DoubleBounds& bounds) {
  Doubles middle;
  for (size_t k = 0; k < bounds.low.size(); ++k) middle.push_back((bounds.low[k] + bounds.high[k]) / 2);
  return middle;
}

std::vector<size_t> support(const DoubleBounds& law) {
  std::vector<size_t> states;
  for (size_t x = 0; x < law.high.size(); ++x)
    if (law.high[x] > 0) states.push_back(x);
  return states;
}

DoubleBounds product(const DoubleBounds& a, const DoubleBounds& b, size_t n) {
  DoubleBounds result;
  {
    const Rounding down(Toward::kDown);
    result.low = rounded_product(a.low, b.low, n);
  }
  const Rounding up(Toward::kUp);
  result.high = rounded_product(a.high, b.high, n);
  return result;
}

Doubles transposed(const Doubles& matrix, size_t n) {
  Doubles result;
  for (size_t y = 0; y < n; ++y)
    for (size_t x = 0; x < n; ++x) result.push_back(matrix[x * n + y]);
  return result;
}

// The states that some time may have.
std::vector<bool> ever_visited(const MarkovChain& chain) {
  std::vector<bool> visited;
  for (const Rational& mass : start_law(chain)) visited.push_back(mass > 0);
  for (bool more = true; more;) {
    more = false;
    for (size_t x = 0; x < visited.size(); ++x) {
      for (size_t y = 0; y < visited.size() && visited[x]; ++y) {
        if (visited[y] || chain.transition[x][y] == 0) continue;
        visited[y] = more = true;
      }
    }
  }
  return visited;
}

}  // namespace

PowerRatios::PowerRatios(const MarkovChain& chain)
    : visited_(ever_visited(chain)), powers_{bounds_of(chain.transition)} {}

uint64_t PowerRatios::farthest() const {
  constexpr uint64_t kMostRatios = uint64_t{1} << 24;  // 128 MiB for each bound
  return std::min<uint64_t>(ChainModel::kLongest, kMostRatios / (states() * states()));
}

const DoubleBounds& PowerRatios::power(uint64_t steps) {
  while (powers_.size() < steps) powers_.push_back(product(powers_.back(), powers_.front(), states()));
  return powers_[steps - 1];
}

const double* PowerRatios::before(uint64_t steps) {
  Doubles& table = before_[steps];
  if (table.empty()) {
    const DoubleBounds& from = power(steps);
    const Rounding up(Toward::kUp);
    table = largest_ratios(from.high, from.low, visited_);
  }
  return table.data();
}

const double* PowerRatios::after(uint64_t steps) {
  Doubles& table = after_[steps];
  if (table.empty()) {
    const size_t n = states();
    const DoubleBounds& from = power(steps);
    const Rounding up(Toward::kUp);
    table = largest_ratios(transposed(from.high, n), transposed(from.low, n), std::vector<bool>(n, true));
  }
  return table.data();
}

MixingBounds::MixingBounds(const MarkovChain& chain, uint64_t length) {
  const std::vector<bool> visited = ever_visited(chain);
  DoubleBounds power = bounds_of(chain.transition);
  for (uint64_t steps = 1; steps <= length; steps *= 2) {
    if (steps > 1) power = product(power, power, visited.size());
    const Rounding up(Toward::kUp);
    spreads_.push_back(largest_spread(power.low, power.high, visited));
    variations_.push_back(largest_variation(power.low, power.high, visited));
  }
}

double MixingBounds::spread_about(uint64_t steps) const {
  return shrunk(spreads_[static_cast<size_t>(std::bit_width(steps)) - 1], variations_, steps);
}

double MixingBounds::spread(uint64_t steps) const {
  const Rounding up(Toward::kUp);
  return spread_about(steps);
}

StateLaws::StateLaws(const MarkovChain& chain, uint64_t length)
    : length_(length), start_(bounds_of(start_law(chain))), matrix_(bounds_of(chain.transition)) {
  if (chain.start) {
    find_settled(chain);
  } else {
    settled_ = alike(start_, 1, length_);
  }
}

void StateLaws::step(DoubleBounds& law) const {
  {
    const Rounding down(Toward::kDown);
    law.low = after_step(law.low, matrix_.low);
  }
  const Rounding up(Toward::kUp);
  law.high = after_step(law.high, matrix_.high);
}

AlikeTimes StateLaws::alike(const DoubleBounds& law, uint64_t first, uint64_t last) {
  AlikeTimes times{first, last, support(law), {}};
  const Rounding up(Toward::kUp);
  times.odds = odds(law.low, law.high);
  return times;
}

// Where P(X_i = x) lies between low and high times the stationary mass for every x, so it does ever after
// (docs/math.md, section 12): the odds of all these times are those of the stationary law times high / low.
// From which time on is a matter of taste: when they agree in about twelve digits.
void StateLaws::find_settled(const MarkovChain& chain) {
  constexpr double kClose = 1e-12;
  DoubleBounds still;
  try {
    still = bounds_of(stationary_law(chain.transition, "chain"));
  } catch (const Error&) {
    return;  // no law to settle to
  }
  // Rounded to the nearest, because bounds drift apart.
  const Doubles matrix = about(matrix_), end = about(still);
  Doubles now = about(start_);
  DoubleBounds law = start_;
  for (uint64_t time = 1; time <= length_; ++time) {
    if (time > 1) {
      step(law);
      now = after_step(now, matrix);
    }
    const double apart = largest_share(now, end) * largest_share(end, now);
    if (support(law) != support(still) || !(apart <= 1 + kClose)) continue;
    settled_ = alike(still, time, length_);
    const Rounding up(Toward::kUp);
    const double wider =
        rounded_product(largest_share(law.high, still.low), largest_share(still.high, law.low));
    for (double& value : settled_->odds) value = rounded_product(value, wider);
    return;
  }
}

}  // namespace fugu::inline in_verify
