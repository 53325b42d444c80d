// Privacy loss by definition, in exact rationals, at every output: slow and shares no code with what it
// checks.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "fugu/mechanism/noise.h"
#include "fugu/scenario/scenario.h"
#include "tests/support/exp_bounds.h"

namespace fugu::testing {

// Each step keeps numerator / 2^bits of the mass.
inline Noise laplace_tail(int numerator, unsigned bits) {
  Noise noise = no_noise("laplace");
  noise.tail = {Integer(numerator), bits};
  return noise;
}

// Integer noise weights on [-span, span] in any form: weight(z) must be positive.
// The largest P_i(y)/P_j(y) over priors, pairs (both ways) and all outputs from `margin` below the least atom
// to `margin` above the greatest. `infinite` when an output is possible under one secret only.
struct BruteLoss {
  Rational ratio{1};
  bool infinite = false;
};
template <class Weight>
BruteLoss brute_loss(const Scenario& scenario, int64_t margin, Weight weight) {
  BruteLoss worst;
  for (const Prior& prior : scenario.priors) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (const Distribution& given : prior.by_secret) {
      low = std::min(low, given.atoms().front());
      high = std::max(high, given.atoms().back());
    }
    std::vector<Integer> noise;
    for (int64_t z = 0; z <= 2 * (high - low + margin); ++z)
      noise.push_back(weight(z - (high - low + margin)));
    for (int64_t y = low - margin; y <= high + margin; ++y) {
      std::vector<Integer> mass;
      for (const Distribution& given : prior.by_secret) {
        Integer sum(0);
        for (size_t k = 0; k < given.size(); ++k) {
          sum +=
              given.weights().at(k) * noise[static_cast<size_t>(y - given.atoms()[k] + high - low + margin)];
        }
        mass.push_back(sum);
      }
      for (auto [a, b] : scenario.pairs.list(prior.by_secret.size())) {
        Integer left = mass[a] * prior.by_secret[b].total(), right = mass[b] * prior.by_secret[a].total();
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

// N(z) up to the common factor: any shape, any z.
inline Rational weight_at(const Noise& noise, int64_t z) {
  const int64_t reach = noise.reach();
  if (std::llabs(z) <= reach) return Rational(noise.weights[static_cast<size_t>(z + reach)]);
  Rational weight(z < 0 ? noise.weights.front() : noise.weights.back());
  for (int64_t k = std::llabs(z); k > reach; --k) weight *= noise.tail.value();
  return weight;
}

// P(y|s) by definition, by secret, for every y within the noise's reach of some atom. Beyond, every mass
// falls by the tail's ratio at each step.
inline std::vector<std::vector<Rational>> brute_masses(const Prior& prior, const Noise& noise) {
  const auto atoms = union_support(prior.by_secret);
  const int64_t low = atoms.front() - noise.reach(), high = atoms.back() + noise.reach(), far = high - low;
  std::vector<Rational> weights;
  for (int64_t z = -far; z <= far; ++z) weights.push_back(weight_at(noise, z));
  const Rational total = total_weight(noise);
  std::vector<std::vector<Rational>> mass;
  for (const Distribution& given : prior.by_secret) {
    mass.emplace_back();
    for (int64_t y = low; y <= high; ++y) {
      Rational sum(0);
      for (size_t k = 0; k < given.size(); ++k)
        sum += given.mass(k) * weights[static_cast<size_t>(y - given.atoms()[k] + far)];
      mass.back().push_back(Rational(sum / total));
    }
  }
  return mass;
}

// The largest hockey-stick of one prior's pairs, both ways, with `growth` in place of e^epsilon.
inline Rational brute_hockey(const Prior& prior, const PairSet& pairs, const Noise& noise,
                             const Rational& growth) {
  const auto mass = brute_masses(prior, noise);
  const Rational r = noise.tail.value();
  Rational worst(0);
  for (auto [a, b] : pairs.list(prior.by_secret.size())) {
    for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
      Rational sum(0);
      for (size_t k = 0; k < mass[i].size(); ++k) {
        Rational excess = mass[i][k] - growth * mass[j][k];
        if (excess <= 0) continue;
        if (k == 0) sum += excess * r / (1 - r);
        if (k + 1 == mass[i].size()) sum += excess * r / (1 - r);
        sum += excess;
      }
      worst = std::max(worst, sum);
    }
  }
  return worst;
}

// The largest P_i(y)/P_j(y) of one prior's pairs, both ways. Precondition: the noise has tails.
inline Rational brute_ratio(const Prior& prior, const PairSet& pairs, const Noise& noise) {
  const auto mass = brute_masses(prior, noise);
  Rational worst(1);
  for (auto [a, b] : pairs.list(prior.by_secret.size())) {
    for (size_t k = 0; k < mass[a].size(); ++k) {
      if (mass[a][k] == mass[b][k]) continue;
      worst = std::max({worst, Rational(mass[a][k] / mass[b][k]), Rational(mass[b][k] / mass[a][k])});
    }
  }
  return worst;
}

// Laplace weights r^|z| for r = numerator / 2^bits, over the common denominator of the farthest z.
inline BruteLoss brute_laplace(const Scenario& scenario, const Integer& numerator, unsigned bits,
                               int64_t margin = 2) {
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (const Prior& prior : scenario.priors) {
    for (const Distribution& given : prior.by_secret) {
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
