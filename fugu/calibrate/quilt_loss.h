// What Markov quilts prove of the counts of a chain's states (docs/math.md, section 12).
//
// A quilt of time i is the state some steps before and the state some steps after. Given both, what lies
// between (the near times, i among them) is independent of the rest. So the loss about the state at i is at
// most what the quilt itself tells of it, its influence, and the cost of the near times.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/progress.h"
#include "fugu/models/chain.h"

namespace fugu::inline in_calibrate {

// 0: no state on that side; then every time to the end is near.
struct Quilt {
  uint64_t before = 0, after = 0;
  friend bool operator==(const Quilt&, const Quilt&) = default;
};

struct QuiltPeak {
  double loss = 0;  // a bound, rounded up, maybe infinite; 0 when no time has two possible states
  size_t chain = 0;
  uint64_t time = 0;  // 0: whichever
  std::pair<size_t, size_t> states{0, 1};
  Quilt quilt{};
  uint64_t near = 0;
  double influence = 0;
};

class QuiltLoss {
 public:
  virtual ~QuiltLoss() = default;
  // The largest loss over chains and times, each with its best quilt, when each near state costs `cost`
  // (rounded up, > 0).
  virtual QuiltPeak at(double cost) = 0;
};

// Of each chain and time the best quilt that there is (up to a length that the memory holds). The model must
// outlive it.
std::unique_ptr<QuiltLoss> best_quilts(const ChainModel& model, const Progress& progress);
// One quilt for all times, from a bound of the influence that needs few powers of the matrix: never less.
std::unique_ptr<QuiltLoss> one_quilt(const ChainModel& model, const Progress& progress);

}  // namespace fugu::inline in_calibrate
