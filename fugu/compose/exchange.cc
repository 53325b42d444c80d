#include "fugu/compose/exchange.h"

#include <algorithm>
#include <cstdlib>

namespace fugu::inline in_compose {
namespace {

constexpr int64_t kMostLookedAt = 1'000'000;  // outputs looked at by one mechanism: half a second

// Keeps the least lower end of to/from. Where `from` has no mass there is nothing to keep.
void keep_least(Interval& least, const Interval& to, const Interval& from) {
  if (from.is_zero()) return;
  Interval ratio = to / from;
  if (lower_less(ratio, least)) least = std::move(ratio);
}

}  // namespace

const std::vector<Interval>* row_of(const ChannelBounds& channel, int64_t value) {
  const auto at = std::lower_bound(channel.inputs.begin(), channel.inputs.end(), value);
  if (at == channel.inputs.end() || *at != value) return nullptr;
  return &channel.rows[static_cast<size_t>(at - channel.inputs.begin())];
}

Exchange::Exchange(const Mechanism& mechanism, const Rational& epsilon, Bits precision)
    : bounds_(bounds_of(mechanism, precision)),
      growth_(exp(Interval(epsilon, precision))),
      bits_(precision) {}

// Of noise only the shift matters.
Exchange::Pair Exchange::key(int64_t from, int64_t to) const {
  return std::holds_alternative<NoiseBounds>(bounds_) ? Pair{0, to - from} : Pair{from, to};
}

bool Exchange::affords(int64_t steps) {
  if (steps > kMostLookedAt - work_) return false;
  work_ += steps;
  return true;
}

Interval Exchange::weight(const NoiseBounds& noise, int64_t z) const {
  const int64_t reach = noise.reach(), far = std::llabs(z);
  if (far <= reach) return noise.weights[static_cast<size_t>(z + reach)];
  return (z < 0 ? noise.weights.front() : noise.weights.back()) *
         pow(noise.tail, static_cast<uint64_t>(far - reach));
}

// Within reach of either value every output is looked at. Between the two windows the ratio is a power of the
// tail that falls or rises all the way, beyond them it is constant: the windows' edges stand for both.
Interval Exchange::kept_by_noise(const NoiseBounds& noise, int64_t shift) {
  const int64_t reach = noise.reach();
  if (!affords(4 * reach + 2)) return Interval(bits_);
  Interval least(Integer(1), bits_);  // both sum to 1, so no ratio is above 1 everywhere
  for (int64_t z = -reach; z <= reach; ++z) {
    keep_least(least, weight(noise, z - shift), weight(noise, z));
    keep_least(least, weight(noise, z), weight(noise, z + shift));
  }
  return least;
}

Interval Exchange::excess_of_noise(const NoiseBounds& noise, int64_t shift) {
  const int64_t reach = noise.reach();
  const int64_t low = std::min(-reach, shift - reach), high = std::max(reach, shift + reach);
  if (!affords(high - low + 1)) return Interval(Integer(1), bits_);
  const Interval one(Integer(1), bits_);
  Interval sum(bits_);
  for (int64_t z = low; z <= high; ++z) {
    Interval term = positive_part(weight(noise, z) - growth_ * weight(noise, z - shift));
    // Beyond the outermost windows every term is the tail's ratio times the one before.
    if (z == low || z == high) sum += term * noise.tail / (one - noise.tail);
    sum += term;
  }
  return sum / noise.total;
}

Interval Exchange::kept(int64_t from, int64_t to) {
  if (from == to) return Interval(Integer(1), bits_);
  const auto [place, fresh] = kept_.try_emplace(key(from, to), Interval(bits_));
  if (!fresh) return place->second;
  if (const NoiseBounds* noise = std::get_if<NoiseBounds>(&bounds_))
    return place->second = kept_by_noise(*noise, to - from);
  const auto& channel = std::get<ChannelBounds>(bounds_);
  const auto *left = row_of(channel, from), *right = row_of(channel, to);
  if (!left || !right || !affords(static_cast<int64_t>(left->size()))) return place->second;
  Interval least(Integer(1), bits_);
  for (size_t k = 0; k < left->size(); ++k) keep_least(least, (*right)[k], (*left)[k]);
  return place->second = least;
}

Interval Exchange::excess(int64_t from, int64_t to) {
  if (from == to) return Interval(bits_);
  const auto [place, fresh] = excess_.try_emplace(key(from, to), Interval(Integer(1), bits_));
  if (!fresh) return place->second;
  if (const NoiseBounds* noise = std::get_if<NoiseBounds>(&bounds_))
    return place->second = excess_of_noise(*noise, to - from);
  const auto& channel = std::get<ChannelBounds>(bounds_);
  const auto *left = row_of(channel, from), *right = row_of(channel, to);
  if (!left || !right || !affords(static_cast<int64_t>(left->size()))) return place->second;
  Interval sum(bits_);
  for (size_t k = 0; k < left->size(); ++k) sum += positive_part((*left)[k] - growth_ * (*right)[k]);
  return place->second = sum;
}

}  // namespace fugu::inline in_compose
