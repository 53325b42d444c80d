// Moments of noise: what it costs.
#include "fugu/mechanism/noise.h"

namespace fugu::inline in_mechanism {

Rational mean_square(const Noise& noise) {
  const int64_t reach = noise.reach();
  Integer middle(0);
  for (int64_t z = -reach; z <= reach; ++z) middle += noise.weights[static_cast<size_t>(z + reach)] * (z * z);
  // sum over k >= 1 of (reach + k)^2 r^k.
  const Rational r = noise.tail.value(), rest = 1 - r, far(reach);
  Rational tail = far * far * r / rest + 2 * far * r / (rest * rest) + r * (1 + r) / (rest * rest * rest);
  return (Rational(middle) + Rational(noise.weights.front() + noise.weights.back()) * tail) /
         total_weight(noise);
}

Rational mean_absolute(const Noise& noise) {
  const int64_t reach = noise.reach();
  Integer middle(0);
  for (int64_t z = -reach; z <= reach; ++z)
    middle += noise.weights[static_cast<size_t>(z + reach)] * (z < 0 ? -z : z);
  // sum over k >= 1 of (reach + k) r^k.
  const Rational r = noise.tail.value(), rest = 1 - r;
  const Rational tail = Rational(reach) * r / rest + r / (rest * rest);
  return (Rational(middle) + Rational(noise.weights.front() + noise.weights.back()) * tail) /
         total_weight(noise);
}

Rational mean(const Noise& noise) {
  const int64_t reach = noise.reach();
  Integer middle(0);
  for (int64_t z = -reach; z <= reach; ++z) middle += noise.weights[static_cast<size_t>(z + reach)] * z;
  const Rational r = noise.tail.value(), rest = 1 - r;
  const Rational tail = Rational(reach) * r / rest + r / (rest * rest);
  return (Rational(middle) + Rational(noise.weights.back() - noise.weights.front()) * tail) /
         total_weight(noise);
}

}  // namespace fugu::inline in_mechanism
