// P(y|s): the sum over a secret's values x of mass(x) * P(y|x), as bounds, at the outputs where it has to be
// known. Where masses are known within a blur, or only by boxes, the bounds hold whatever the true masses
// are.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/progress.h"
#include "fugu/law/boxes.h"
#include "fugu/law/claim.h"
#include "fugu/mechanism/mechanism.h"

namespace fugu::inline in_proof {

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

// Values that trade places: the integers themselves, of which bounds are made where they are needed.
struct SwapBounds {
  const Swap* swap;
  Bits precision;
};

// The mechanism must outlive its bounds.
using MechanismBounds = std::variant<NoiseBounds, ChannelBounds, JointBounds, SwapBounds>;
MechanismBounds bounds_of(const Mechanism& mechanism, Bits precision, const Progress& progress = {});

// What a secret's nominal masses are multiplied by to hold the true ones: 1 where they are exact.
Interval blur_factor(const Distribution& secret, Bits precision);

// The law of one secret: masses, exact or within a blur; or, with boxes over the kernel's domain, every law
// between their bounds and those of the masses up to each value, where there are any.
struct Law {
  Law(const Distribution& law) : masses(&law) {}
  Law(const std::vector<MassBox>& law, const std::vector<MassBox>* sums) : boxes(&law), bands(sums) {}
  const Distribution* masses = nullptr;
  const std::vector<MassBox>*boxes = nullptr, *bands = nullptr;
};

// The masses of one secret. Between two outputs more than one step apart only the tails reach, and
// P(outputs[k] + t) = from_left[k] * tail^t + from_right[k] * tail^(gap - t).
struct Masses {
  std::vector<Interval> at = {};         // at each output: with boxes, the least
  std::vector<Interval> most_at = {};    // with boxes, the most; else empty, and the same
  std::vector<Interval> from_left = {};  // for each gap to the next output, when asked for
  std::vector<Interval> from_right = {};
  const Interval& least(size_t k) const { return at[k]; }
  const Interval& most(size_t k) const { return most_at.empty() ? at[k] : most_at[k]; }
};

// The outputs where a mass has to be known, increasing, and the masses there: for noise those within `reach`
// of a value, for a channel and a swap every one, for noise on several columns the cells of their grid
// (grid_kernel.h).
class Kernel {
 public:
  virtual ~Kernel() = default;
  const std::vector<int64_t>& outputs() const { return outputs_; }
  // By which masses fall from step to step outside these; 0 for a channel and a swap.
  const Interval& tail() const { return tail_; }
  // Precondition: the secret's values are among those that the kernel was made for.
  virtual Masses of(const Law& law, bool with_gaps) const = 0;

 protected:
  Kernel(std::vector<int64_t> outputs, Interval tail)
      : outputs_(std::move(outputs)), tail_(std::move(tail)) {}
  std::vector<int64_t> outputs_;
  Interval tail_;
};

// `atoms` increasing: those of every secret that will be asked about; of laws by their masses. The bounds
// must outlive what comes back. Precondition: a channel has a row for each atom; noise is that of one column,
// and it is no swap.
std::unique_ptr<Kernel> column_kernel(const std::vector<int64_t>& atoms, const MechanismBounds& bounds);

// Of one stratum, for laws whose atoms are among its points. It must outlive what comes back.
std::unique_ptr<Kernel> swap_kernel(const SwapStratum& stratum, Bits precision);

// The laws of one prior. With `boxed`, over its domain. With `sums` every output is there that a sum over all
// outputs needs, besides the gaps. Claim and bounds must outlive what comes back. Error (guarantee, usage)
// when there is too much to look at.
std::unique_ptr<Kernel> kernel_of(const Claim& claim, const Prior& prior, const BoxedLaws* boxed,
                                  const MechanismBounds& bounds, bool sums);
// The law of a secret under the p-th prior, for that kernel.
Law law_of(const Claim& claim, size_t p, size_t secret, const BoxedLaws* boxed);

}  // namespace fugu::inline in_proof
