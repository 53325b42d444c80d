#include "fugu/verify/output_masses.h"

#include <algorithm>

namespace fugu {

NoiseBounds bounds_of(const Noise& noise, Bits precision) {
  NoiseBounds bounds{{}, Interval(noise.tail.value(), precision), Interval(total_weight(noise), precision)};
  for (const Integer& weight : noise.weights) bounds.weights.emplace_back(weight, precision);
  return bounds;
}

OutputMasses::OutputMasses(const std::vector<int64_t>& atoms, const NoiseBounds& noise) : noise_(noise) {
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

SecretMasses OutputMasses::of(const Distribution& secret, bool with_gaps) const {
  const Bits bits = noise_.tail.precision();
  const auto atoms = secret.atoms();
  const int64_t reach = noise_.reach();
  const size_t count = outputs_.size();
  // Everything is divided by the noise's total here, once for each atom.
  const Interval whole = noise_.total * Interval(secret.total(), bits);
  std::vector<Interval> weights;
  weights.reserve(atoms.size());
  for (size_t k = 0; k < atoms.size(); ++k) weights.push_back(Interval(secret.weights().at(k), bits) / whole);

  SecretMasses result;
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

}  // namespace fugu
