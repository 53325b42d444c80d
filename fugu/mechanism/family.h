// Noise families: what a calibrator needs to know of one, and nothing about privacy. docs/noise.md adds one.
//
// A family is the shape of its noise: log N(z)/N(0), falling in |z|. Where minus that is subadditive it is
// also a cost bound: P(y - x) <= e^cost(x - x') P(y - x') for every y (docs/math.md, section 3), and Theorems
// 1 and 2 serve it.
//
// What is drawn at a scale is made from the shape once for all families: integer weights up to a reach, then
// a geometric tail that continues the shape's slope there. With a cost bound the drawn noise keeps it for
// distances up to the reach: the slope of a concave shape only falls, so its straight continuation is concave
// too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/lattice.h"
#include "fugu/mechanism/noise.h"

namespace fugu::inline in_mechanism {

class NoiseFamily {
 public:
  virtual ~NoiseFamily() = default;
  virtual std::string name() const = 0;

  // log N(z)/N(0) at |z| = distance in data units, as bounds and as a double. 0 at 0.
  virtual Interval log_weight(const Rational& distance, Scale scale, Bits precision) const = 0;
  virtual double log_weight(double distance, Scale scale) const = 0;
  // Whether -log_weight is subadditive.
  virtual bool has_cost_bound() const = 0;
  // The least scale, rounded up, at which two values that far apart are (epsilon, delta)-indistinguishable
  // under the ideal noise; 0 for distance 0. A family with a cost bound ignores delta.
  virtual Scale scale_for(const Rational& distance, const Rational& epsilon, const Rational& delta) const = 0;
  // How many steps the table of weights should reach, given that mass travels at most `farthest` steps. Error
  // (usage) when the table would be absurdly long.
  virtual int64_t reach(Scale scale, const Lattice& lattice, int64_t farthest,
                        const Rational& delta) const = 0;

  // The exact noise drawn at that scale with that reach; no noise at scale 0.
  Noise at(Scale scale, const Lattice& lattice, int64_t reach) const;
};

// The longest table of weights that fugu makes, in steps to each side.
inline constexpr int64_t kMaxReach = int64_t{1} << 17;

// Returns `reach`, or throws Error (usage) when it exceeds kMaxReach.
int64_t checked_reach(double reach);

// `laplace`, `gaussian`, `power:P`, `log:ETA`. Error (usage) listing the families for any other name.
std::unique_ptr<NoiseFamily> family_named(std::string_view name);

}  // namespace fugu::inline in_mechanism
