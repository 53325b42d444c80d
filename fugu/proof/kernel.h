// P(y|s): the exact sum over the secret's atoms x of mass(x) * P(y|x), as bounds, where it has to be known.
// Where masses are known within a blur, the bounds hold whatever the true masses are.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/progress.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/law/distribution.h"

namespace fugu {

// A noise as bounds: weights for |z| <= reach, the ratio of the tails beyond, the sum of everything.
struct NoiseBounds {
  std::vector<Interval> weights;  // odd size
  Interval tail;
  Interval total;
  int64_t reach() const { return static_cast<int64_t>(weights.size() / 2); }
};

// A channel as bounds: P(outputs[k] | inputs[i]).
struct ChannelBounds {
  std::vector<int64_t> inputs, outputs;
  std::vector<std::vector<Interval>> rows;
};

// Noise on several columns as bounds, each of reach 0.
struct JointBounds {
  std::vector<NoiseBounds> columns;
};

using MechanismBounds = std::variant<NoiseBounds, ChannelBounds, JointBounds>;
MechanismBounds bounds_of(const Mechanism& mechanism, Bits precision, const Progress& progress = {});

// What a secret's nominal masses are multiplied by to hold the true ones: 1 where they are exact.
Interval blur_factor(const Distribution& secret, Bits precision);

// The masses of one secret. Between two outputs more than one step apart only the tails reach, and
// P(outputs[k] + t) = from_left[k] * tail^t + from_right[k] * tail^(gap - t).
struct Masses {
  std::vector<Interval> at = {};         // at each output
  std::vector<Interval> from_left = {};  // for each gap to the next output, when asked for
  std::vector<Interval> from_right = {};
};

// The outputs where a mass has to be known, increasing, and the masses there: for noise those within `reach`
// of an atom, for a channel every one.
class Kernel {
 public:
  virtual ~Kernel() = default;
  const std::vector<int64_t>& outputs() const { return outputs_; }
  // By which masses fall from step to step outside these; 0 for a channel.
  const Interval& tail() const { return tail_; }
  // Precondition: the secret's atoms are among those given to output_masses().
  virtual Masses of(const Distribution& secret, bool with_gaps) const = 0;

 protected:
  Kernel(std::vector<int64_t> outputs, Interval tail)
      : outputs_(std::move(outputs)), tail_(std::move(tail)) {}
  std::vector<int64_t> outputs_;
  Interval tail_;
};

// `atoms` increasing: the atoms of every secret that will be asked about. The bounds must outlive what comes
// back. Precondition: a channel has a row for each atom; noise is that of one column (grid_kernel.h has
// those of several).
std::unique_ptr<Kernel> output_masses(const std::vector<int64_t>& atoms, const MechanismBounds& bounds);

}  // namespace fugu
