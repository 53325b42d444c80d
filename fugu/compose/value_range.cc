#include "fugu/compose/value_range.h"

#include <algorithm>

#include "fugu/compose/exchange.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kRangeBits = 256;  // more than the weights have, so that epsilon itself is decided

// Keeps the lesser one; false where it may be 0.
bool keep_less(Interval& least, const Interval& kept) {
  if (!kept.certainly_positive()) return false;
  if (lower_less(kept, least)) least = kept;
  return true;
}

// Of noise only the shift matters, and of Laplace noise the farthest keeps least.
bool exchange_all(const Noise& noise, int64_t span, Exchange& exchange, Interval& least) {
  const int64_t first = noise.reach() == 0 ? span : 1;
  for (int64_t shift = first; shift > 0 && shift <= span; ++shift) {
    if (!keep_less(least, exchange.kept(0, shift)) || !keep_less(least, exchange.kept(0, -shift)))
      return false;
  }
  return true;
}

bool exchange_all(const Channel& channel, Exchange& exchange, Interval& least) {
  for (int64_t from : channel.inputs) {
    for (int64_t to : channel.inputs) {
      if (!keep_less(least, exchange.kept(from, to))) return false;
    }
  }
  return true;
}

}  // namespace

namespace {

// Of noise on several columns: each column's farthest exchange, one after the other.
bool exchange_all(const JointNoise& joint, const Scenario& scenario, Interval& least) {
  for (size_t c = 0; c < joint.columns.size(); ++c) {
    int64_t low = scenario.points.front()[c], high = low;
    for (const auto& point : scenario.points) {
      low = std::min(low, point[c]);
      high = std::max(high, point[c]);
    }
    least *= pow(Interval(joint.columns[c].tail.value(), kRangeBits), static_cast<uint64_t>(high - low));
  }
  return least.certainly_positive();
}

}  // namespace

std::optional<Rational> value_range(const Plan& plan) {
  if (!plan.scenario.priors.front().known.empty()) return std::nullopt;
  if (plan.scenario.is_joint() && !std::holds_alternative<JointNoise>(plan.mechanism)) return std::nullopt;
  const Rational& epsilon = plan.scenario.epsilon.value();
  Interval least(Integer(1), kRangeBits);
  bool finite = false;
  if (const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism)) {
    finite = exchange_all(*joint, plan.scenario, least);
  } else {
    const Mechanism mechanism = spelled_out(plan.mechanism);
    Exchange exchange(mechanism, epsilon, kRangeBits);
    const auto [low, high] = plan.scenario.bounds();
    const Channel* channel = std::get_if<Channel>(&mechanism);
    finite = channel ? exchange_all(*channel, exchange, least)
                     : exchange_all(std::get<Noise>(mechanism), high - low, exchange, least);
  }
  if (!finite) return std::nullopt;
  const Interval range = log(Interval(Integer(1), kRangeBits) / least);
  const Rational rounded = exact(std::max(0.0, range.upper()));
  return rounded >= epsilon && certainly_at_most(range, Interval(epsilon, kRangeBits)) ? epsilon : rounded;
}

}  // namespace fugu::inline in_compose
