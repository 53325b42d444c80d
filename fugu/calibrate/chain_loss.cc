#include "fugu/calibrate/chain_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kNoFiniteLoss = std::numeric_limits<double>::infinity();
// Sums above this have lost nothing that counts to underflow.
constexpr long double kSmall = 1e-4850L;

// P(y | state) for every count y, up to the noise's total, which is the same for all: the recurrence from
// each side of section 5.
void spread(std::span<const long double> law, long double ratio, std::vector<long double>& out) {
  long double carried = 0;
  for (size_t y = 0; y < law.size(); ++y) {
    carried = carried * ratio + law[y];
    out[y] = carried;
  }
  carried = 0;
  for (size_t y = law.size(); y-- > 0;) {
    out[y] += carried;
    carried = ratio * (carried + law[y]);
  }
}

// Infinite where it cannot be told.
long double ratio_of(long double high, long double low) {
  if (low == 0 && high == 0) return 1;
  return low < kSmall ? std::numeric_limits<long double>::infinity() : high / low;
}

double log_up(long double ratio) {
  if (!(ratio < 1e300L)) return kNoFiniteLoss;
  const double above = std::nextafter(static_cast<double>(ratio), kNoFiniteLoss);
  return std::max(0.0, log(Interval(above, above, 64)).upper());
}

}  // namespace

ChainLoss::ChainLoss(const ChainModel& model, const Progress& progress)
    : length_(model.length), states_(model.states.size()) {
  if (const auto why = ChainLaw::infeasible(model)) {
    throw Error(ErrorKind::kData, *why, "calibrate again with --method transfer");
  }
  for (const MarkovChain& chain : model.chains) laws_.emplace_back(model, chain, progress);
}

ChainPeak ChainLoss::at(const Rational& ratio) const {
  const long double r = to_long_double(ratio);
  const size_t width = length_ + 1;
  std::vector<std::vector<long double>> masses(states_, std::vector<long double>(width));
  ChainPeak peak;
  long double worst = 1;
  for (size_t chain = 0; chain < laws_.size(); ++chain) {
    const ChainLaw& law = laws_[chain];
    for (uint64_t time = 1; time <= length_; ++time) {
      std::vector<size_t> secrets;
      for (size_t x = 0; x < states_; ++x) {
        if (law.given(time, x).empty()) continue;
        secrets.push_back(x);
        spread(law.given(time, x), r, masses[x]);
      }
      for (size_t y = 0; y < width && secrets.size() > 1; ++y) {
        const bool atom =
            std::any_of(secrets.begin(), secrets.end(), [&](size_t x) { return law.given(time, x)[y] > 0; });
        if (!atom) continue;  // between atoms the ratio is no larger than at one of them
        const auto [low, high] = std::minmax_element(
            secrets.begin(), secrets.end(), [&](size_t a, size_t b) { return masses[a][y] < masses[b][y]; });
        const long double here = ratio_of(masses[*high][y], masses[*low][y]);
        if (here <= worst) continue;
        worst = here;
        peak = {0, chain, time, {*low, *high}};
      }
    }
  }
  // Each step of spread() rounds the ratio (twice), a product and a sum.
  const auto roundings = static_cast<long double>(laws_.front().roundings() + 4 * (width + 1));
  peak.loss = log_up(worst * (1 + 4 * roundings * 0x1p-64L));
  return peak;
}

}  // namespace fugu::inline in_calibrate
