// The worst case over what the counts allow, in doubles: fast, uncertified, used only to guess (docs/math.md,
// section 9). The verifier has its own.
#pragma once

#include <vector>

#include "fugu/law/boxes.h"
#include "fugu/scenario/domain.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

// Two laws that an output tells apart: P_i of the first, P_j of the second, by place in the domain.
struct BoxCut {
  std::vector<double> first, second;
  double excess;  // of the first's mass over e^epsilon times the second's
};

class BoxLoss {
 public:
  // Precondition: the scenario has a confidence.
  explicit BoxLoss(const Scenario& scenario);
  const std::vector<int64_t>& domain() const { return boxed_.domain; }

  // kernel[x]: P(y | domain[x]) up to a factor. The most and least mass that each secret of a prior may have.
  struct Extremes {
    std::vector<double> most, least;                       // by secret
    std::vector<std::vector<double>> most_law, least_law;  // where they are wanted
  };
  Extremes extremes(size_t prior, const std::vector<double>& kernel, bool with_laws) const;

  // The pairs of laws that break e^epsilon at this output by more than `tolerance` times the mass.
  std::vector<BoxCut> cuts(const std::vector<double>& kernel, double tolerance) const;

  // What every secret's mass at this output must gain so that none is broken.
  double lacking(const std::vector<double>& kernel) const;

  size_t priors() const { return boxed_.boxes.size(); }

 private:
  template <class Visit>  // (first, second, extremes) for each ordered pair and prior
  void for_each_pair(const std::vector<double>& kernel, bool with_laws, Visit visit) const;

  BoxedLaws boxed_;
  std::vector<SecretPair> pairs_;
  double growth_;
};

}  // namespace fugu::inline in_calibrate
