// The hockey-sticks of lattice Laplace noise in doubles: fast, uncertified, used only to guess, and to say
// which pairs need a certified look (docs/math.md, section 5).
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/mechanism/noise.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

class HockeyGuess {
 public:
  // Whether doubles are good enough for it.
  static bool serves(const Scenario& scenario);
  // Precondition: it serves the scenario.
  explicit HockeyGuess(const Scenario& scenario);

  // A pair, and the larger of its two hockey-sticks, over all priors.
  struct Stick {
    SecretPair pair;
    double value;
  };
  // The largest of all. Scale 0: without noise. Uses every core.
  Stick worst(Scale scale) const;
  // Of these pairs alone.
  double at(const std::vector<SecretPair>& pairs, Scale scale) const;
  // The pairs whose hockey-stick may not be certainly below delta, in order.
  std::vector<SecretPair> near_delta(Scale scale) const;
  // That it is certainly above it.
  bool is_above(const Stick& stick) const { return stick.value > delta_ * (1 + kShare) + error_; }

 private:
  static constexpr double kShare = 1e-6;

  // Per prior: masses by secret, then by value of the union of supports.
  struct Grid {
    std::vector<double> gaps;  // in steps, to the next value
    std::vector<double> masses;
    size_t values;
    bool is_dense;
  };
  // P(value k | s), and what reaches over the gap after it from either side, as in proof/kernel.h.
  struct Law {
    std::vector<double> at, from_left, from_right;
  };
  struct Laws {
    std::vector<std::vector<Law>> by_prior;
    double ratio;
  };
  Law law(const Grid& grid, size_t secret, double ratio, const std::vector<double>& powers) const;
  Laws laws(Scale scale, const std::vector<bool>& wanted) const;
  double stick(const Laws& laws, SecretPair pair) const;
  double one_way(const Grid& grid, const Law& first, const Law& second, double ratio) const;
  std::vector<double> sticks(Scale scale) const;

  std::vector<Grid> grids_;
  std::vector<SecretPair> pairs_;
  size_t secrets_;
  double growth_, delta_, step_, error_;
};

}  // namespace fugu::inline in_calibrate
