#include "fugu/compose/exchange_outputs.h"

#include <algorithm>
#include <cstdlib>

#include "fugu/compose/exchange.h"

namespace fugu::inline in_compose {
namespace {

constexpr int64_t kLongestTable = 200'000;  // steps to each side: half a second

}  // namespace

std::optional<ExchangeOutputs> ExchangeOutputs::of(const Mechanism& mechanism, int64_t farthest,
                                                   Bits precision) {
  ExchangeOutputs outputs;
  MechanismBounds bounds = bounds_of(mechanism, precision);
  if (ChannelBounds* channel = std::get_if<ChannelBounds>(&bounds)) {
    outputs.channel_ = std::move(*channel);
    return outputs;
  }
  const auto& noise = std::get<NoiseBounds>(bounds);
  NoiseMasses& masses = outputs.noise_;
  outputs.is_noise_ = true;
  masses.symmetric = std::get<Noise>(mechanism).is_symmetric();
  masses.reach = noise.reach();
  if (farthest > kLongestTable - masses.reach) return std::nullopt;
  masses.half = masses.reach + farthest;
  auto add = [&](const Interval& weight) {
    const Interval mass = weight / noise.total;
    masses.high.push_back(mass.upper());
    masses.low.push_back(std::max(0.0, mass.lower()));
  };
  for (int64_t z = -masses.half; z <= masses.half; ++z) {
    const int64_t beyond = std::llabs(z) - masses.reach;
    if (beyond <= 0) {
      add(noise.weights[static_cast<size_t>(z + masses.reach)]);
    } else {
      add((z < 0 ? noise.weights.front() : noise.weights.back()) *
          pow(noise.tail, static_cast<uint64_t>(beyond)));
    }
  }
  const Interval rest = noise.tail / (Interval(Integer(1), precision) - noise.tail);
  masses.rest_high = rest.upper();
  masses.rest_low = std::max(0.0, rest.lower());
  return outputs;
}

ExchangeOutputs::Key ExchangeOutputs::key(int64_t from, int64_t to) const {
  if (!is_noise_) return {from, to};
  return {0, noise_.symmetric ? std::llabs(to - from) : to - from};
}

int64_t ExchangeOutputs::count(const Key& key) const {
  return is_noise_ ? 2 * noise_.reach + std::llabs(key.second) + 3
                   : static_cast<int64_t>(channel_.outputs.size());
}

// Beyond the outermost windows both masses are the tail's ratio times those one step nearer.
ExchangedMasses ExchangeOutputs::of_shift(int64_t shift) const {
  const int64_t low = std::min<int64_t>(0, shift) - noise_.reach,
                high = std::max<int64_t>(0, shift) + noise_.reach;
  auto place = [&](int64_t z) { return static_cast<size_t>(z + noise_.half); };
  ExchangedMasses masses;
  for (int64_t z = low; z <= high; ++z) {
    masses.p.push_back(noise_.high[place(z)]);
    masses.q.push_back(noise_.low[place(z - shift)]);
  }
  constexpr Bits kProduct = 128;  // no less than a product of two doubles has
  for (int64_t z : {low, high}) {
    const Interval p(noise_.high[place(z)], noise_.high[place(z)], kProduct),
        q(noise_.low[place(z - shift)], noise_.low[place(z - shift)], kProduct);
    masses.p.push_back((p * Interval(noise_.rest_high, noise_.rest_high, kProduct)).upper());
    masses.q.push_back((q * Interval(noise_.rest_low, noise_.rest_low, kProduct)).lower());
  }
  return masses;
}

ExchangedMasses ExchangeOutputs::of(const Key& key) const {
  if (is_noise_) return of_shift(key.second);
  const auto *from = row_of(channel_, key.first), *to = row_of(channel_, key.second);
  if (!from || !to) return {{1}, {0}};
  ExchangedMasses masses;
  for (size_t k = 0; k < from->size(); ++k) {
    masses.p.push_back((*from)[k].upper());
    masses.q.push_back(std::max(0.0, (*to)[k].lower()));
  }
  return masses;
}

}  // namespace fugu::inline in_compose
