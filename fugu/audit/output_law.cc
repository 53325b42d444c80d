#include "fugu/audit/output_law.h"

#include <algorithm>
#include <cmath>

namespace fugu::inline in_audit {
namespace {

constexpr Bits kLawBits = 160;

Interval whole(long value) { return Interval(Integer(value), kLawBits); }

// To find a quantile by; what is stated about it is certified afterwards.
double middle(const Interval& bounds) { return (bounds.lower() + bounds.upper()) / 2; }

}  // namespace

std::vector<double> usual_levels(uint64_t rows) {
  std::vector<double> levels;
  for (int k = 1; k < 16; ++k) levels.push_back(k / 16.0);
  for (double p = 1.0 / 32; p * static_cast<double>(rows) >= 0.5; p /= 2) {
    levels.push_back(p);
    levels.push_back(1 - p);
  }
  std::sort(levels.begin(), levels.end());
  return levels;
}

OutputLaw::OutputLaw(const ColumnRelease& column, std::vector<double> levels)
    : map_(column.map), mechanism_(column.mechanism.value()), levels_(std::move(levels)) {
  if (const Channel* channel = std::get_if<Channel>(&mechanism_)) {
    cut_channel(*channel);
    return;
  }
  if (const Swap* swap = std::get_if<Swap>(&mechanism_)) {
    cut_swap(swap->strata.front());
    return;
  }
  const Noise& noise = std::get<Noise>(mechanism_);
  tail_ = Interval(noise.tail.value(), kLawBits);
  total_ = Interval(total_weight(noise), kLawBits);
  left_ = Interval(noise.weights.front(), kLawBits) * tail_ / (whole(1) - tail_);
  right_ = Interval(noise.weights.back(), kLawBits) * tail_ / (whole(1) - tail_);
  Interval sum = whole(0);
  for (const Integer& weight : noise.weights) sums_.push_back(sum += Interval(weight, kLawBits));
  cut_noise(noise);
  if (!map_.clamps) find_parity(noise);
}

// P(Z <= steps), from the shape in mechanism/noise.h.
Interval OutputLaw::up_to(const Noise& noise, int64_t steps) const {
  const int64_t reach = noise.reach();
  if (steps < -reach) return left_ * pow(tail_, static_cast<uint64_t>(-reach - 1 - steps)) / total_;
  if (steps <= reach) return (left_ + sums_[static_cast<size_t>(steps + reach)]) / total_;
  return whole(1) - right_ * pow(tail_, static_cast<uint64_t>(steps - reach)) / total_;
}

void OutputLaw::cut_noise(const Noise& noise) {
  constexpr int64_t kFarthest = int64_t{1} << 60;
  for (double level : levels_) {
    int64_t low = -1, high = 1;
    while (low > -kFarthest && middle(up_to(noise, low)) >= level) low *= 2;
    while (high < kFarthest && middle(up_to(noise, high)) < level) high *= 2;
    while (high - low > 1) {
      const int64_t between = low + (high - low) / 2;
      (middle(up_to(noise, between)) >= level ? high : low) = between;
    }
    noise_cuts_.push_back({high, chance_of(up_to(noise, high))});
  }
}

void OutputLaw::cut_channel(const Channel& channel) {
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    const Integer total = channel.row_total(i);
    std::vector<Cut>& cuts = channel_cuts_[channel.inputs[i]];
    size_t k = 0;
    Integer sum = channel.weights[i][0];
    for (double level : levels_) {  // which increase
      while (Rational(sum, total) < exact(level)) sum += channel.weights[i][++k];
      cuts.push_back({channel.outputs[k], chance_of(Interval(Rational(sum, total), kLawBits))});
    }
  }
}

// The flows of each point with what stays, by where they go.
std::vector<OutputLaw::Becomes> OutputLaw::becomes(const SwapStratum& swap, size_t point) {
  std::vector<Becomes> result;
  uint64_t stays = swap.totals[point];
  const auto first = std::lower_bound(swap.flows.begin(), swap.flows.end(), point,
                                      [](const SwapFlow& flow, size_t from) { return flow.from < from; });
  for (auto flow = first; flow != swap.flows.end() && flow->from == point; ++flow) {
    result.push_back({swap.points[flow->to], flow->weight});
    stays -= flow->weight;
  }
  result.push_back({swap.points[point], stays});
  std::sort(result.begin(), result.end(),
            [](const Becomes& a, const Becomes& b) { return a.output < b.output; });
  return result;
}

void OutputLaw::cut_swap(const SwapStratum& swap) {
  for (size_t point = 0; point < swap.points.size(); ++point) {
    const std::vector<Becomes> outputs = becomes(swap, point);
    std::vector<Cut>& cuts = channel_cuts_[swap.points[point]];
    const Integer total(swap.totals[point]);
    size_t k = 0;
    Integer sum(outputs[0].weight);
    for (double level : levels_) {  // which increase
      while (Rational(sum, total) < exact(level)) sum += outputs[++k].weight;
      cuts.push_back({outputs[k].output, chance_of(Interval(Rational(sum, total), kLawBits))});
    }
  }
}

std::optional<std::vector<OutputLaw::Becomes>> OutputLaw::becomes(int64_t value) const {
  const SwapStratum& swap = std::get<Swap>(mechanism_).strata.front();
  const auto found = std::lower_bound(swap.points.begin(), swap.points.end(), value);
  if (found == swap.points.end() || *found != value) return std::nullopt;
  return becomes(swap, static_cast<size_t>(found - swap.points.begin()));
}

void OutputLaw::find_parity(const Noise& noise) {
  const Interval one = whole(1), &tail = tail_, &total = total_;
  const Interval ends = Interval(Integer(noise.weights.front() + noise.weights.back()), kLawBits);
  const Interval next = tail / (one - tail * tail), after = tail * next;  // odd and even steps beyond
  const bool reach_even = noise.reach() % 2 == 0;
  Integer even = 0;
  for (size_t k = 0; k < noise.weights.size(); ++k) {
    if ((static_cast<int64_t>(k) - noise.reach()) % 2 == 0) even += noise.weights[k];
  }
  const Interval share = (Interval(even, kLawBits) + ends * (reach_even ? after : next)) / total;
  even_ = chance_of(share);
  odd_ = chance_of(one - share);
  same_ = same_noise_as(*this);
}

Interval OutputLaw::weight(const Noise& noise, int64_t steps) const {
  const int64_t reach = noise.reach(), beyond = std::abs(steps) - reach;
  if (beyond <= 0) return Interval(noise.weights[static_cast<size_t>(steps + reach)], kLawBits);
  const Integer& end = steps < 0 ? noise.weights.front() : noise.weights.back();
  return Interval(end, kLawBits) * pow(tail_, static_cast<uint64_t>(beyond));
}

std::optional<Chance> OutputLaw::same_noise_as(const OutputLaw& other) const {
  if (!even_ || !other.even_) return std::nullopt;
  const Noise &a = std::get<Noise>(mechanism_), &b = std::get<Noise>(other.mechanism_);
  const int64_t reach = std::max(a.reach(), b.reach());
  Interval both = whole(0), ends = whole(0);
  for (int64_t steps = -reach; steps <= reach; ++steps) {
    const Interval product = weight(a, steps) * other.weight(b, steps);
    both += product;
    if (std::abs(steps) == reach) ends += reach == 0 ? product + product : product;
  }
  const Interval ratio = tail_ * other.tail_;
  return chance_of((both + ends * ratio / (whole(1) - ratio)) / (total_ * other.total_));
}

// All that lies beyond a bound is at the bound.
std::optional<Chance> OutputLaw::same_within_bounds(const Noise& noise, int64_t a, int64_t b) const {
  constexpr int64_t kWidest = 256;
  const auto [first, last] = map_.range;
  if (last - first > kWidest) return std::nullopt;
  if (last == first) return Chance{1, 1};
  const Interval one = whole(1);
  Interval same = up_to(noise, first - a) * up_to(noise, first - b) +
                  (one - up_to(noise, last - 1 - a)) * (one - up_to(noise, last - 1 - b));
  for (int64_t output = first + 1; output < last; ++output)
    same += weight(noise, output - a) * weight(noise, output - b) / (total_ * total_);
  return chance_of(same);
}

// That one draw is so many steps above another, steps > 0: both beyond the reach on the same side, or not.
std::optional<Chance> OutputLaw::same_apart(const Noise& noise, int64_t steps) const {
  constexpr int64_t kWidest = 1024;
  const int64_t reach = noise.reach();
  if (steps > kWidest || 2 * reach + steps > kWidest) return std::nullopt;
  const Interval left(noise.weights.front(), kLawBits), right(noise.weights.back(), kLawBits);
  const Interval beyond =
      tail_ * tail_ / (whole(1) - tail_ * tail_) * pow(tail_, static_cast<uint64_t>(steps));
  Interval same = (left * left + right * right) * beyond;
  for (int64_t low = -reach - steps; low <= reach; ++low)
    same += weight(noise, low) * weight(noise, low + steps);
  return chance_of(same / (total_ * total_));
}

std::map<int64_t, Integer> OutputLaw::weights(int64_t value) const {
  std::map<int64_t, Integer> result;
  if (std::holds_alternative<Swap>(mechanism_)) {
    for (const Becomes& one : becomes(value).value_or(std::vector<Becomes>{}))
      result[one.output] += Integer(one.weight);
    return result;
  }
  const Channel& channel = std::get<Channel>(mechanism_);
  const auto input = std::lower_bound(channel.inputs.begin(), channel.inputs.end(), value);
  if (input == channel.inputs.end() || *input != value) return result;
  const auto row = static_cast<size_t>(input - channel.inputs.begin());
  for (size_t k = 0; k < channel.outputs.size(); ++k) {
    const int64_t output = channel.outputs[k];
    result[map_.clamps ? std::clamp(output, map_.range.first, map_.range.second) : output] +=
        channel.weights[row][k];
  }
  return result;
}

std::optional<Chance> OutputLaw::same_output(int64_t a, int64_t b) const {
  if (const Noise* noise = std::get_if<Noise>(&mechanism_)) {
    if (map_.clamps) return same_within_bounds(*noise, a, b);
    return a == b ? same_ : same_apart(*noise, std::abs(a - b));
  }
  const auto of_a = weights(a), of_b = weights(b);
  Integer both = 0, total_a = 0, total_b = 0;
  for (const auto& [output, weight] : of_b) total_b += weight;
  for (const auto& [output, weight] : of_a) {
    total_a += weight;
    const auto found = of_b.find(output);
    if (found != of_b.end()) both += weight * found->second;
  }
  if (total_a == 0 || total_b == 0) return std::nullopt;
  return chance_of(Interval(Rational(both, Integer(total_a * total_b)), kLawBits));
}

// At a bound of the column stands all that lies beyond it.
Interval OutputLaw::stays(const Noise& noise, int64_t value) const {
  const bool lowest = map_.clamps && value <= map_.range.first,
             highest = map_.clamps && value >= map_.range.second;
  if (!lowest && !highest) return weight(noise, 0) / total_;
  return (highest ? whole(1) : up_to(noise, 0)) - (lowest ? whole(0) : up_to(noise, -1));
}

std::optional<Chance> OutputLaw::kept(int64_t value) const {
  std::optional<Chance> chance;
  if (const Noise* noise = std::get_if<Noise>(&mechanism_)) {
    if (map_.clamps && (value < map_.range.first || value > map_.range.second)) return std::nullopt;
    chance = chance_of(stays(*noise, value));
  } else {
    Integer total = 0, stay = 0;
    for (const auto& [output, weight] : weights(value)) {
      total += weight;
      if (output == value) stay += weight;
    }
    if (total == 0) return std::nullopt;
    chance = chance_of(Interval(Rational(stay, total), kLawBits));
  }
  if (chance->low == 1 || chance->high == 0) return std::nullopt;
  return chance;
}

std::optional<OutputLaw::Cut> OutputLaw::cut(int64_t value, size_t level) const {
  Cut cut;
  if (channel_cuts_.empty()) {
    cut = noise_cuts_[level];
    cut.at += value;
  } else {
    const auto found = channel_cuts_.find(value);
    if (found == channel_cuts_.end()) return std::nullopt;
    cut = found->second[level];
  }
  if (hidden(cut.at) || cut.chance.low == 1) return std::nullopt;
  return cut;
}

bool OutputLaw::can_draw(const Noise& noise, int64_t steps) const {
  if (std::abs(steps) > noise.reach()) return noise.tail.numerator != 0;
  return noise.weights[static_cast<size_t>(steps + noise.reach())] > 0;
}

bool OutputLaw::is_possible(int64_t value, int64_t output) const {
  if (map_.clamps && (output < map_.range.first || output > map_.range.second)) return false;
  if (const Noise* noise = std::get_if<Noise>(&mechanism_)) {
    const int64_t steps = output - value;
    // At a bound stands all that lies beyond it; the ends of the noise have positive weights.
    if (map_.clamps && output == map_.range.first && steps >= -noise->reach()) return true;
    if (map_.clamps && output == map_.range.second && steps <= noise->reach()) return true;
    return can_draw(*noise, steps);
  }
  if (std::holds_alternative<Swap>(mechanism_)) {
    const auto outputs = becomes(value);
    return outputs && std::any_of(outputs->begin(), outputs->end(),
                                  [&](const Becomes& one) { return one.output == output && one.weight > 0; });
  }
  const Channel& channel = std::get<Channel>(mechanism_);
  const auto input = std::lower_bound(channel.inputs.begin(), channel.inputs.end(), value);
  if (input == channel.inputs.end() || *input != value) return false;
  const std::vector<Integer>& row = channel.weights[static_cast<size_t>(input - channel.inputs.begin())];
  // What is held at a bound is all that lies beyond it.
  const int64_t first = map_.clamps && output == map_.range.first ? channel.outputs.front() : output;
  const int64_t last = map_.clamps && output == map_.range.second ? channel.outputs.back() : output;
  auto k = static_cast<size_t>(std::lower_bound(channel.outputs.begin(), channel.outputs.end(), first) -
                               channel.outputs.begin());
  for (; k < row.size() && channel.outputs[k] <= last; ++k) {
    if (row[k] > 0) return true;
  }
  return false;
}

bool OutputLaw::changes_nothing() const { return fugu::changes_nothing(mechanism_); }

std::optional<Chance> OutputLaw::even(int64_t value) const { return value % 2 == 0 ? even_ : odd_; }

}  // namespace fugu::inline in_audit
