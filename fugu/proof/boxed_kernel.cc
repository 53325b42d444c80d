#include "fugu/proof/boxed_kernel.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "fugu/core/error.h"
#include "fugu/law/band_prices.h"

namespace fugu::inline in_proof {
namespace {

constexpr int64_t kMostOutputs = int64_t{1} << 20;
constexpr double kMostBoxedCells = 1e7;  // outputs times values: some seconds for each proof

// P(y|x) of noise, by the distance in steps.
class NoiseAt {
 public:
  explicit NoiseAt(const NoiseBounds& noise) : noise_(noise) {
    for (const Interval& weight : noise.weights) shares_.push_back(weight / noise.total);
  }
  const Interval& operator()(int64_t steps) {
    const int64_t reach = noise_.reach();
    if (std::llabs(steps) <= reach) return shares_[static_cast<size_t>(steps + reach)];
    const auto found = far_.find(steps);
    if (found != far_.end()) return found->second;
    const auto beyond = static_cast<uint64_t>(std::llabs(steps) - reach);
    return far_.emplace(steps, (steps < 0 ? shares_.front() : shares_.back()) * pow(noise_.tail, beyond))
        .first->second;
  }

 private:
  const NoiseBounds& noise_;
  std::vector<Interval> shares_;
  std::map<int64_t, Interval> far_;
};

std::vector<int64_t> noise_outputs(const std::vector<int64_t>& domain, int64_t reach, bool all) {
  const int64_t span = domain.back() - domain.front() + 2 * reach;
  if (all && span >= kMostOutputs) {
    throw Error(ErrorKind::kGuarantee, "the values span too many steps for a confidence with delta",
                "give a coarser --step, or leave out --delta");
  }
  std::vector<int64_t> outputs;
  if (all) {
    outputs.resize(static_cast<size_t>(span) + 1);
    std::iota(outputs.begin(), outputs.end(), domain.front() - reach);
    return outputs;
  }
  for (int64_t atom : domain) {
    const int64_t first = outputs.empty() ? atom - reach : std::max(atom - reach, outputs.back() + 1);
    for (int64_t y = first; y <= atom + reach; ++y) outputs.push_back(y);
  }
  return outputs;
}

// A difference times a mass between two bounds: the one that makes it the most, or the least.
void add_times(Interval& sum, const Interval& difference, const MassBox& box, bool most) {
  const Bits bits = difference.precision();
  const bool is_positive = difference.certainly_positive(), is_not = difference.certainly_not_positive();
  if (is_positive == is_not) {
    sum += difference * Interval(box.low, box.high, bits);
  } else {
    const double bound = is_positive == most ? box.high : box.low;
    sum += difference * Interval(bound, bound, bits);
  }
}

// For any prices g: sum (K - g) p, and sum g p as the last g and the sum over places of what g falls by to
// the next times the mass so far.
Interval dual_bound(const std::vector<Interval>& kernel, const std::vector<uint32_t>& prices, const Law& law,
                    bool most) {
  Interval sum = kernel[prices.back()];
  for (size_t x = 0; x < kernel.size(); ++x) {
    const size_t price = prices[x];
    if (price != x) add_times(sum, kernel[x] - kernel[price], (*law.boxes)[x], most);
    if (x + 1 == kernel.size() || price == prices[x + 1]) continue;
    add_times(sum, kernel[price] - kernel[prices[x + 1]], (*law.bands)[x], most);
  }
  return sum;
}

}  // namespace

BoxedKernel::BoxedKernel(const std::vector<int64_t>& domain, const MechanismBounds& mechanism, bool all)
    : Kernel({}, Interval(MPFR_PREC_MIN)) {
  auto check_size = [&](size_t outputs) {
    if (static_cast<double>(outputs) * static_cast<double>(domain.size()) <= kMostBoxedCells) return;
    throw Error(ErrorKind::kUsage, "--confidence: there are too many values to go through every law",
                "give a coarser --step, so that there are a few thousand values at most");
  };
  if (std::holds_alternative<NoiseBounds>(mechanism)) check_size(domain.size());
  if (const ChannelBounds* channel = std::get_if<ChannelBounds>(&mechanism)) {
    outputs_ = channel->outputs;
    tail_ = Interval(channel->rows[0][0].precision());
    for (size_t k = 0; k < outputs_.size(); ++k) {
      at_.emplace_back();
      for (int64_t x : domain) {
        const auto row =
            std::lower_bound(channel->inputs.begin(), channel->inputs.end(), x) - channel->inputs.begin();
        at_.back().push_back(channel->rows[static_cast<size_t>(row)][k]);
      }
    }
  } else {
    const NoiseBounds& noise = std::get<NoiseBounds>(mechanism);
    outputs_ = noise_outputs(domain, noise.reach(), all);
    check_size(outputs_.size());
    tail_ = noise.tail;
    NoiseAt share(noise);
    for (int64_t y : outputs_) {
      at_.emplace_back();
      for (int64_t x : domain) at_.back().push_back(share(y - x));
    }
  }
  for (const auto& kernel : at_) {
    std::vector<size_t> order(domain.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return upper_less(kernel[b], kernel[a]); });
    falling_.push_back(std::move(order));
  }
}

Masses BoxedKernel::of(const Law& law, bool with_gaps) const {
  Masses result;
  for (size_t k = 0; k < outputs_.size(); ++k) {
    const std::vector<size_t> rising(falling_[k].rbegin(), falling_[k].rend());
    result.most_at.push_back(dual_bound(at_[k], band_prices(rising, *law.boxes, law.bands), law, true));
    // A mass is never negative, whatever the bound says.
    result.at.push_back(
        positive_part(dual_bound(at_[k], band_prices(falling_[k], *law.boxes, law.bands), law, false)));
  }
  if (with_gaps) result.from_left.assign(outputs_.size() - 1, Interval(tail_.precision()));
  result.from_right = result.from_left;
  return result;
}

}  // namespace fugu::inline in_proof
