#include "fugu/compose/exchange_loss.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fugu/core/interval.h"
#include "fugu/verify/rounding.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kLossBits = 128;
constexpr double kMostLoss = 300, kLeastStep = 1e-9;

// The outputs of one exchange with guesses of their losses, and the range that these are kept in.
struct GuessedLosses {
  ExchangedMasses masses;
  std::vector<double> losses;
  double low = 0, high = 0;
};

GuessedLosses guessed(ExchangedMasses masses, double above, double below) {
  GuessedLosses result{std::move(masses), {}};
  const auto &p = result.masses.p, &q = result.masses.q;
  std::vector<std::pair<double, double>> finite;  // loss, mass
  for (size_t y = 0; y < p.size(); ++y) {
    const double loss = p[y] > 0 && q[y] > 0 ? std::log(p[y]) - std::log(q[y]) : 0;
    result.losses.push_back(loss);
    if (p[y] > 0 && q[y] > 0) finite.emplace_back(std::clamp(loss, -kMostLoss, kMostLoss), p[y]);
  }
  if (finite.empty()) return result;
  std::sort(finite.begin(), finite.end());
  auto inner = [](auto at, auto end, double spare) {
    for (; at + 1 != end && at->second <= spare; ++at) spare -= at->second;
    return at->first;
  };
  result.low = inner(finite.begin(), finite.end(), below);
  result.high = std::max(result.low, inner(finite.rbegin(), finite.rend(), above));
  return result;
}

// As many sums of a law with itself, by doubling.
LossLaw repeated(LossLaw law, size_t number, double above, double below) {
  std::optional<LossLaw> sum;
  for (;; number /= 2) {
    if (number % 2 == 1) sum = sum ? trimmed(together(*sum, law), above, below) : law;
    if (number == 1) return *sum;
    law = trimmed(together(law, law), above, below);
  }
}

}  // namespace

LossGrid loss_grid(double step, size_t count) {
  const Interval exact_step(step, step, kLossBits), one(Integer(1), kLossBits);
  const Interval growth = exp(exact_step);
  LossGrid grid{{}, {}, (one - one / growth).lower(), (growth - one).lower()};
  const double low = growth.lower(), high = growth.upper();
  {
    const Rounding down(Toward::kDown);
    grid.low = rounded_powers(low, count);
  }
  const Rounding up(Toward::kUp);
  grid.high = rounded_powers(high, count);
  return grid;
}

ExchangeLaw exchange_law(const std::vector<Copies>& releases, const ExchangeKeys& keys,
                         const LossFineness& fine) {
  std::vector<GuessedLosses> losses;
  double square = 0, widest = 0;
  for (size_t r = 0; r < releases.size(); ++r) {
    losses.push_back(guessed(releases[r].outputs.of(keys[r]), fine.above, fine.below));
    const double span = std::max(0.0, losses.back().high) - std::min(0.0, losses.back().low);
    square += span * span * static_cast<double>(releases[r].number);
    widest = std::max(widest, losses.back().high);
  }
  double step = std::max(kLeastStep, std::sqrt(square) / fine.points);
  // The largest loss stands on the grid: what reaches it and goes no farther stays exact.
  if (widest > step) step = widest / std::ceil(widest / step);
  int64_t most = 1, sum = 1;
  std::vector<std::vector<int64_t>> places;
  std::vector<std::pair<int64_t, int64_t>> ends;
  for (size_t r = 0; r < losses.size(); ++r) {
    const auto bottom = static_cast<int64_t>(std::floor(losses[r].low / step));
    const auto top = std::max(bottom + 1, static_cast<int64_t>(std::ceil(losses[r].high / step)));
    ends.emplace_back(bottom, top);
    most = std::max({most, -bottom, top});
    sum += std::max<int64_t>(0, top) * static_cast<int64_t>(releases[r].number);
    places.emplace_back();
    for (double loss : losses[r].losses) {
      const double within = std::clamp(loss / step, static_cast<double>(bottom), static_cast<double>(top));
      places.back().push_back(static_cast<int64_t>(std::floor(within)));
    }
  }
  ExchangeLaw result{{}, loss_grid(step, static_cast<size_t>(std::max(most, sum)) + 2)};
  const Rounding up(Toward::kUp);
  for (size_t r = 0; r < losses.size(); ++r) {
    LossLaw one = loss_law(losses[r].masses.p, losses[r].masses.q, places[r], result.grid, ends[r].first,
                           ends[r].second);
    one = trimmed(std::move(one), fine.above, fine.below);
    one = repeated(std::move(one), releases[r].number, fine.above, fine.below);
    result.law = r == 0 ? std::move(one) : trimmed(together(result.law, one), fine.above, fine.below);
  }
  result.grid.low.clear();
  return result;
}

}  // namespace fugu::inline in_compose
