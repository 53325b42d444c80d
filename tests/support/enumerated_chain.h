// The loss of a chain's counts by definition: every sequence, in exact rationals.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "fugu/models/chain.h"

namespace fugu::testing {

// By enumeration of every sequence: P(what is released = key, X_time = x), for each time and x.
using SequenceLaws = std::vector<std::vector<std::map<std::vector<int>, Rational>>>;
inline SequenceLaws enumerate(const ChainModel& model, const MarkovChain& chain) {
  const size_t n = model.states.size(), length = model.length;
  SequenceLaws laws(length, std::vector<std::map<std::vector<int>, Rational>>(n));
  const auto start = start_law(chain);
  std::vector<size_t> path(length, 0);
  for (;;) {
    Rational mass = start[path[0]];
    for (size_t t = 1; t < length; ++t) mass *= chain.transition[path[t - 1]][path[t]];
    if (mass > 0) {
      std::vector<int> released(n, 0);
      for (size_t x : path) ++released[x];
      if (model.counted) released = {released[*model.counted]};
      for (size_t t = 0; t < length; ++t) laws[t][path[t]][released] += mass;
    }
    size_t t = 0;
    while (t < length && ++path[t] == n) path[t++] = 0;
    if (t == length) return laws;
  }
}

inline Rational power(const Rational& r, int n) {
  Rational result(1);
  for (int k = 0; k < n; ++k) result *= r;
  return result;
}

// The largest ratio over chains, times, pairs and outputs, by definition. Outputs that suffice: the grid of
// 0 … length in every number (section 5, coordinate by coordinate). Precondition: ratio > 0.
inline Rational brute_ratio(const ChainModel& model, const Rational& ratio) {
  Rational worst(1);
  for (const MarkovChain& chain : model.chains) {
    for (const auto& at : enumerate(model, chain)) {
      const size_t numbers = model.counted ? 1 : model.states.size();
      std::vector<int> output(numbers, 0);
      for (bool done = false; !done;) {
        std::vector<Rational> masses;
        for (const auto& law : at) {
          Rational sum(0), whole(0);
          for (const auto& [key, mass] : law) {
            int far = 0;
            for (size_t k = 0; k < numbers; ++k) far += std::abs(key[k] - output[k]);
            sum += mass * power(ratio, far);
            whole += mass;
          }
          if (whole > 0) masses.push_back(sum / whole);
        }
        const auto [low, high] = std::minmax_element(masses.begin(), masses.end());
        worst = std::max(worst, Rational(*high / *low));
        size_t k = 0;
        while (k < numbers && ++output[k] > static_cast<int>(model.length)) output[k++] = 0;
        done = k == numbers;
      }
    }
  }
  return worst;
}

}  // namespace fugu::testing
