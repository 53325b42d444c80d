// Privacy loss by definition, in exact rationals, at every output: slow and shares no code with what it checks.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::testing {

// Rational bounds of e^x for rational x, at most 2^-bits apart relative to the value: Taylor's series with its
// remainder after argument halving.
struct Bounds {
  Rational low, high;
};
inline Rational truncate(const Rational& value, unsigned bits, bool up) {
  Rational scaled = value * Rational(Integer(1) << bits);
  Integer whole = floor(scaled);
  if (up && Rational(whole) != scaled) ++whole;
  return Rational(whole, Integer(1) << bits);
}
inline Bounds exp_bounds(const Rational& x, unsigned bits = 200) {
  if (x < 0) {
    Bounds inverse = exp_bounds(Rational(-x), bits + 8);
    // Tiny values keep their relative accuracy: more bits by the size of the inverse.
    auto size = static_cast<unsigned>(msb(Integer(floor(inverse.high) + 1))) + 1;
    return {truncate(Rational(1 / inverse.high), bits + size, false), truncate(Rational(1 / inverse.low), bits + size, true)};
  }
  unsigned halvings = 0;
  Rational y = x;
  while (y > Rational(1, 4)) {
    y /= 2;
    ++halvings;
  }
  const unsigned work = bits + 2 * halvings + 16;
  y = truncate(y, work, false);
  const Rational slack = x == 0 ? Rational(0) : Rational(1, Integer(1) << (work - 1));  // for the truncated argument
  Rational term(1), sum(1);
  unsigned n = 1;
  for (; term > Rational(1, Integer(1) << work); ++n) {
    term = truncate(Rational(term * y / n), work + 8, false);
    sum += term;
  }
  Bounds result{sum, Rational(sum + Rational(n + 4, Integer(1) << work) + slack * 2)};
  for (unsigned k = 0; k < halvings; ++k) {
    result.low = truncate(Rational(result.low * result.low), work, false);
    result.high = truncate(Rational(result.high * result.high), work, true);
  }
  return result;
}

// Integer noise weights on [-span, span] in any form: weight(z) must be positive.
// The largest P_i(y)/P_j(y) over priors, pairs (both ways) and all outputs from `margin` below the least atom to
// `margin` above the greatest. `infinite` when an output is possible under one secret only.
struct BruteLoss {
  Rational ratio{1};
  bool infinite = false;
};
template <class Weight>
BruteLoss brute_loss(const Scenario& scenario, int64_t margin, Weight weight) {
  BruteLoss worst;
  for (const Prior& prior : scenario.priors) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (const Distribution& given : prior.given) {
      low = std::min(low, given.atoms().front());
      high = std::max(high, given.atoms().back());
    }
    std::vector<Integer> noise;
    for (int64_t z = 0; z <= 2 * (high - low + margin); ++z) noise.push_back(weight(z - (high - low + margin)));
    for (int64_t y = low - margin; y <= high + margin; ++y) {
      std::vector<Integer> mass;
      for (const Distribution& given : prior.given) {
        Integer sum(0);
        for (size_t k = 0; k < given.size(); ++k) {
          sum += given.weights().at(k) * noise[static_cast<size_t>(y - given.atoms()[k] + high - low + margin)];
        }
        mass.push_back(sum);
      }
      for (auto [a, b] : scenario.pairs.list(prior.given.size())) {
        Integer left = mass[a] * prior.given[b].total(), right = mass[b] * prior.given[a].total();
        if (left == right) continue;
        if (left < right) std::swap(left, right);
        if (right == 0) {
          worst.infinite = true;
        } else if (left * denominator(worst.ratio) > right * numerator(worst.ratio)) {
          worst.ratio = Rational(left, right);
        }
      }
    }
  }
  return worst;
}

// Laplace weights r^|z| for r = numerator / 2^bits, over the common denominator of the farthest z.
inline BruteLoss brute_laplace(const Scenario& scenario, const Integer& numerator, unsigned bits, int64_t margin = 2) {
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (const Prior& prior : scenario.priors) {
    for (const Distribution& given : prior.given) {
      low = std::min(low, given.atoms().front());
      high = std::max(high, given.atoms().back());
    }
  }
  const auto far = static_cast<size_t>(high - low + margin);
  std::vector<Integer> powers{Integer(1)};
  for (size_t d = 1; d <= far; ++d) powers.push_back(powers.back() * numerator);
  for (size_t d = 0; d <= far; ++d) powers[d] <<= bits * (far - d);
  return brute_loss(scenario, margin, [&](int64_t z) { return powers[static_cast<size_t>(std::llabs(z))]; });
}

}  // namespace fugu::testing
