// P(y|s): the exact sum over the secret's atoms x of mass(x) * noise(y - x), as bounds, where it has to be
// known.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/mechanism/noise.h"
#include "fugu/scenario/distribution.h"

namespace fugu {

// A noise as bounds: weights for |z| <= reach, the ratio of the tails beyond, the sum of everything.
struct NoiseBounds {
  std::vector<Interval> weights;  // odd size
  Interval tail;
  Interval total;
  int64_t reach() const { return static_cast<int64_t>(weights.size() / 2); }
};
NoiseBounds bounds_of(const Noise& noise, Bits precision);

// The masses of one secret. Between two outputs more than one step apart only the tails reach, and
// P(outputs[k] + t) = from_left[k] * tail^t + from_right[k] * tail^(gap - t).
struct SecretMasses {
  std::vector<Interval> at;         // at each output
  std::vector<Interval> from_left;  // for each gap to the next output, when asked for
  std::vector<Interval> from_right;
};

// The outputs within `reach` of an atom, increasing, and the masses there.
class OutputMasses {
 public:
  // `atoms` increasing: the atoms of every secret that will be asked about.
  OutputMasses(const std::vector<int64_t>& atoms, const NoiseBounds& noise);

  const std::vector<int64_t>& outputs() const { return outputs_; }
  const NoiseBounds& noise() const { return noise_; }
  SecretMasses of(const Distribution& secret, bool with_gaps) const;

 private:
  const NoiseBounds& noise_;
  std::vector<int64_t> outputs_;
  std::vector<Interval> powers_;  // tail^gap to the next output
};

}  // namespace fugu
