// The one exact shape of additive noise: integer weights in the middle, geometric tails of dyadic ratio.
//
// The noise is z lattice steps with probability proportional to
//   weights[reach + z]                      for |z| <= reach,
//   weights[0 or last] * tail^(|z| - reach) beyond.
// Lattice Laplace is reach 0; no noise at all is reach 0 with tail 0. These integers are what is drawn, so
// they are what is proved (docs/math.md, section 13).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/number.h"

namespace fugu::inline in_mechanism {

// numerator / 2^bits.
struct Dyadic {
  Integer numerator{0};
  uint64_t bits = 0;
  Rational value() const { return Rational(numerator, Integer(1) << bits); }
  friend bool operator==(const Dyadic&, const Dyadic&) = default;
};

// A noise parameter in data units: theta of Laplace, sigma of the Gaussian. 0 means no noise.
struct Scale {
  double value = 0;
  friend auto operator<=>(const Scale&, const Scale&) = default;
};

// Invariants: weights has odd size, none negative, the middle and both ends positive; 0 <= tail < 1.
struct Noise {
  std::string family;          // "laplace"
  std::optional<Scale> scale;  // where the family has one; the weights decide
  std::vector<Integer> weights{Integer(1)};
  Dyadic tail;

  int64_t reach() const { return static_cast<int64_t>(weights.size() / 2); }
  bool is_symmetric() const { return std::equal(weights.begin(), weights.end(), weights.rbegin()); }
  bool is_none() const { return weights.size() == 1 && tail.numerator == 0; }
  friend bool operator==(const Noise&, const Noise&) = default;
};

// No noise: what a column needs whose raw values already attain epsilon.
Noise no_noise(std::string family);

// The sum of all weights, tails included, and the mean squared error of a draw, in steps^2. Exact.
Rational total_weight(const Noise& noise);
Rational mean_square(const Noise& noise);
// The mean size of a draw and its mean, in steps. Exact.
Rational mean_absolute(const Noise& noise);
Rational mean(const Noise& noise);

// The members of a plan's "mechanism" that make the noise. Of symmetric noise only the weights of 0 … reach
// are written.
Json noise_to_json(const Noise& noise);
// Error (data) with `place` when the shape breaks an invariant.
Noise noise_from_json(const Json& json, const std::string& place);

}  // namespace fugu::inline in_mechanism
