#include "fugu/proof/kernel.h"

#include <algorithm>

#include "fugu/proof/boxed_kernel.h"
#include "fugu/proof/grid_kernel.h"

namespace fugu::inline in_proof {

namespace {

NoiseBounds bounds_of_noise(const Noise& noise, Bits precision) {
  NoiseBounds bounds{{}, Interval(noise.tail.value(), precision), Interval(total_weight(noise), precision)};
  for (const Integer& weight : noise.weights) bounds.weights.emplace_back(weight, precision);
  return bounds;
}

ChannelBounds bounds_of_channel(const Channel& channel, Bits precision, const Progress& progress) {
  ChannelBounds bounds{channel.inputs, channel.outputs, {}};
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    report(progress, static_cast<double>(i) / static_cast<double>(channel.inputs.size()),
           "bounding a channel");
    const Interval total(channel.row_total(i), precision);
    std::vector<Interval> row;
    for (const Integer& weight : channel.weights[i]) row.push_back(Interval(weight, precision) / total);
    bounds.rows.push_back(std::move(row));
  }
  return bounds;
}

// What nominal weights are divided by: with a blur, the bounds that make each quotient hold the true mass.
Interval total_of(const Distribution& secret, Bits bits) {
  const Interval total(secret.total(), bits);
  return secret.blur() == 0 ? total : total / blur_factor(secret, bits);
}

class NoiseKernel : public Kernel {
 public:
  NoiseKernel(const std::vector<int64_t>& atoms, const NoiseBounds& noise);
  Masses of(const Law& law, bool with_gaps) const override;

 private:
  const NoiseBounds& noise_;
  std::vector<Interval> powers_;  // tail^gap to the next output
};

class ChannelKernel : public Kernel {
 public:
  explicit ChannelKernel(const ChannelBounds& channel)
      : Kernel(channel.outputs, Interval(channel.rows[0][0].precision())), channel_(channel) {}
  Masses of(const Law& law, bool with_gaps) const override;

 private:
  const ChannelBounds& channel_;
};

NoiseKernel::NoiseKernel(const std::vector<int64_t>& atoms, const NoiseBounds& noise)
    : Kernel({}, noise.tail), noise_(noise) {
  const int64_t reach = noise.reach();
  for (int64_t atom : atoms) {
    int64_t first = outputs_.empty() ? atom - reach : std::max(atom - reach, outputs_.back() + 1);
    for (int64_t y = first; y <= atom + reach; ++y) outputs_.push_back(y);
  }
  for (size_t k = 0; k + 1 < outputs_.size(); ++k) {
    auto gap = static_cast<uint64_t>(outputs_[k + 1] - outputs_[k]);
    powers_.push_back(gap == 1 ? noise.tail : pow(noise.tail, gap));
  }
}

Masses NoiseKernel::of(const Law& law, bool with_gaps) const {
  const Distribution& secret = *law.masses;
  const Bits bits = noise_.tail.precision();
  const auto atoms = secret.atoms();
  const int64_t reach = noise_.reach();
  const size_t count = outputs_.size();
  // Everything is divided by the noise's total here, once for each atom.
  const Interval whole = noise_.total * total_of(secret, bits);
  std::vector<Interval> weights;
  weights.reserve(atoms.size());
  for (size_t k = 0; k < atoms.size(); ++k) weights.push_back(Interval(secret.weights().at(k), bits) / whole);

  Masses result;
  result.at.assign(count, Interval(bits));
  result.from_left.assign(with_gaps ? powers_.size() : 0, Interval(bits));
  result.from_right = result.from_left;
  // Atoms further away than the reach, carried along from each side. An atom joins the left tail after the
  // output atom + reach, which is one of the outputs, so it always joins with the power of one whole gap.
  Interval tail(bits), term(bits);
  for (size_t k = 0, next = 0; k < count; ++k) {
    term = tail;
    result.at[k] += term *= noise_.weights.back();
    if (next < atoms.size() && atoms[next] == outputs_[k] - reach) tail += weights[next++];
    if (with_gaps && k < powers_.size()) result.from_left[k] = tail * noise_.weights.back();
    if (k < powers_.size()) tail *= powers_[k];
  }
  tail = Interval(bits);
  for (size_t k = count, next = atoms.size(); k-- > 0;) {
    term = tail;
    result.at[k] += term *= noise_.weights.front();
    if (next > 0 && atoms[next - 1] == outputs_[k] + reach) tail += weights[--next];
    if (with_gaps && k > 0) result.from_right[k - 1] = tail * noise_.weights.front();
    if (k > 0) tail *= powers_[k - 1];
  }
  for (size_t k = 0, first = 0; k < count; ++k) {  // atoms within the reach
    while (first < atoms.size() && atoms[first] < outputs_[k] - reach) ++first;
    for (size_t x = first; x < atoms.size() && atoms[x] <= outputs_[k] + reach; ++x) {
      term = weights[x];
      result.at[k] += term *= noise_.weights[static_cast<size_t>(outputs_[k] - atoms[x] + reach)];
    }
  }
  return result;
}

Masses ChannelKernel::of(const Law& law, bool with_gaps) const {
  const Distribution& secret = *law.masses;
  const Bits bits = tail_.precision();
  const Interval whole = total_of(secret, bits);
  Masses result;
  result.at.assign(outputs_.size(), Interval(bits));
  if (with_gaps) result.from_left.assign(outputs_.size() - 1, Interval(bits));
  result.from_right = result.from_left;
  for (size_t x = 0; x < secret.size(); ++x) {
    const auto input = std::lower_bound(channel_.inputs.begin(), channel_.inputs.end(), secret.atoms()[x]);
    const auto& row = channel_.rows[static_cast<size_t>(input - channel_.inputs.begin())];
    const Interval mass = Interval(secret.weights().at(x), bits) / whole;
    for (size_t k = 0; k < row.size(); ++k) {
      if (!row[k].is_zero()) result.at[k] += mass * row[k];
    }
  }
  return result;
}

class SwapKernel : public Kernel {
 public:
  SwapKernel(const SwapStratum& stratum, Bits precision)
      : Kernel(stratum.points, Interval(precision)), stratum_(stratum), outflow_(stratum.outflow()) {}
  Masses of(const Law& law, bool with_gaps) const override;

 private:
  const SwapStratum& stratum_;
  std::vector<uint64_t> outflow_;
};

// What stays, and what every flow brings.
Masses SwapKernel::of(const Law& law, bool with_gaps) const {
  const Distribution& secret = *law.masses;
  const Bits bits = tail_.precision();
  const Interval whole = total_of(secret, bits);
  const Interval zero(bits);
  Masses result;
  result.at.assign(outputs_.size(), zero);
  if (with_gaps) result.from_left.assign(outputs_.size() - 1, zero);
  result.from_right = result.from_left;
  std::vector<Interval> each(outputs_.size(), zero);  // P(x|s) / total of x
  for (size_t x = 0; x < secret.size(); ++x) {
    const auto point = static_cast<size_t>(
        std::lower_bound(outputs_.begin(), outputs_.end(), secret.atoms()[x]) - outputs_.begin());
    each[point] =
        Interval(secret.weights().at(x), bits) / (whole * Interval(Integer(stratum_.totals[point]), bits));
    const uint64_t stays = stratum_.totals[point] - outflow_[point];
    if (stays != 0) result.at[point] += each[point] * Interval(Integer(stays), bits);
  }
  Interval brought(bits);
  for (const SwapFlow& flow : stratum_.flows) {
    if (each[flow.from].is_zero()) continue;
    brought = each[flow.from];
    result.at[flow.to] += brought *= flow.weight;
  }
  return result;
}

}  // namespace

Interval blur_factor(const Distribution& secret, Bits precision) {
  return hull(Interval(Rational(1 - secret.blur()), precision),
              Interval(Rational(1 + secret.blur()), precision));
}

MechanismBounds bounds_of(const Mechanism& mechanism, Bits precision, const Progress& progress) {
  if (const Channel* channel = std::get_if<Channel>(&mechanism))
    return bounds_of_channel(*channel, precision, progress);
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) {
    JointBounds bounds;
    for (const Noise& column : joint->columns) bounds.columns.push_back(bounds_of_noise(column, precision));
    return bounds;
  }
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) return SwapBounds{swap, precision};
  return bounds_of_noise(std::get<Noise>(mechanism), precision);
}

std::unique_ptr<Kernel> swap_kernel(const SwapStratum& stratum, Bits precision) {
  return std::make_unique<SwapKernel>(stratum, precision);
}

std::unique_ptr<Kernel> column_kernel(const std::vector<int64_t>& atoms, const MechanismBounds& bounds) {
  if (const ChannelBounds* channel = std::get_if<ChannelBounds>(&bounds))
    return std::make_unique<ChannelKernel>(*channel);
  return std::make_unique<NoiseKernel>(atoms, std::get<NoiseBounds>(bounds));
}

std::unique_ptr<Kernel> kernel_of(const Claim& claim, const Prior& prior, const BoxedLaws* boxed,
                                  const MechanismBounds& bounds, bool sums) {
  if (boxed) return std::make_unique<BoxedKernel>(boxed->domain, bounds, sums);
  if (const SwapBounds* bound = std::get_if<SwapBounds>(&bounds))
    return swap_kernel(*bound->swap->stratum(prior.known), bound->precision);
  if (claim.is_joint()) return std::make_unique<GridKernel>(claim, prior, std::get<JointBounds>(bounds));
  return column_kernel(union_support(prior.by_secret), bounds);
}

Law law_of(const Claim& claim, size_t p, size_t secret, const BoxedLaws* boxed) {
  if (!boxed) return {claim.priors[p].by_secret[secret]};
  return {boxed->boxes[p][secret], boxed->band(p, secret)};
}

}  // namespace fugu::inline in_proof
