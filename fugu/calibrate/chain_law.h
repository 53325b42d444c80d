// How often a state occurs in a Markov chain, given the state at one time (docs/math.md, section 12).
//
// A forward and a backward recursion over the counts, and their convolution at each time. All of it adds and
// multiplies positive numbers, so the relative error is at most the number of operations times 2^-64; and no
// product leaves the range of a long double unless infeasible() says so, so a mass is zero exactly where it
// is impossible.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/models/chain.h"

namespace fugu::inline in_calibrate {

// Within two roundings of 2^-64 of the value, relatively. Precondition: 0 or between 1e-4900 and 1e4900.
long double to_long_double(const Rational& value);

class ChainLaw {
 public:
  // Why the laws of this model cannot be computed: too long, too small masses, or a histogram. Nothing when
  // they can.
  static std::optional<std::string> infeasible(const ChainModel& model);

  // Of one chain. Precondition: feasible.
  ChainLaw(const ChainModel& model, const MarkovChain& chain, const Progress& progress = {});

  // The masses of the counts 0 … length, given that the state at `time` (from 1) is `state`, each right but
  // for roundings() roundings. Empty where that state is impossible at that time.
  std::span<const long double> given(uint64_t time, size_t state) const {
    return laws_[(time - 1) * states_ + state];
  }
  // How many roundings of 2^-64 a mass may have gone through.
  uint64_t roundings() const { return roundings_; }

 private:
  size_t states_;
  uint64_t roundings_;
  std::vector<std::vector<long double>> laws_;
};

}  // namespace fugu::inline in_calibrate
