// What outputs say about the secret by definition: in exact rationals, but for logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "fugu/plan/leakage.h"
#include "fugu/scenario/scenario.h"

namespace fugu::testing {

struct BruteLeakage {
  Rational before{0}, after{0}, most{0};
  long double told = 0;  // bits
};

// `masses` by output, by secret: P(y|s). They may be those of a tail together.
inline BruteLeakage brute_leakage(const std::vector<std::vector<Rational>>& masses,
                                  const std::vector<Rational>& shares) {
  BruteLeakage sums;
  sums.before = *std::max_element(shares.begin(), shares.end());
  for (const auto& output : masses) {
    Rational guess(0), all(0);
    for (size_t s = 0; s < shares.size(); ++s) {
      const Rational joint = shares[s] * output[s];
      guess = std::max(guess, joint);
      all += joint;
    }
    sums.after += guess;
    sums.most += *std::max_element(output.begin(), output.end());
    for (size_t s = 0; s < shares.size(); ++s) {
      if (output[s] != 0)
        sums.told += static_cast<long double>(Rational(shares[s] * output[s])) *
                     std::log2(static_cast<long double>(Rational(output[s] / all)));
    }
  }
  return sums;
}

inline std::vector<Rational> shares_of(const Prior& prior) {
  Integer people(0);
  for (const Distribution& law : prior.by_secret) people += law.total();
  std::vector<Rational> shares;
  for (const Distribution& law : prior.by_secret) shares.emplace_back(law.total(), people);
  return shares;
}

inline bool holds(const Within& bounds, const Rational& truth) {
  return exact(bounds.low) <= truth && truth <= exact(bounds.high);
}
inline bool holds(const GuessShare& bounds, const Rational& truth) {
  return bounds.low <= truth && truth <= bounds.high;
}
inline bool holds(const Within& bounds, long double truth, long double slack) {
  return bounds.low <= truth + slack && truth <= bounds.high + slack;
}
inline bool is_tight(const GuessShare& bounds, double by) { return bounds.high - bounds.low <= exact(by); }
inline bool is_tight(const Within& bounds, double by) { return bounds.high - bounds.low <= by; }

}  // namespace fugu::testing
