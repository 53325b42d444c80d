// The hockey-stick of a sum over independent users, in doubles with counted roundings: what the calibrator
// searches with.
#pragma once

#include <cstddef>

#include "fugu/calibrate/crowd_law.h"
#include "fugu/core/progress.h"
#include "fugu/law/budget.h"
#include "fugu/mechanism/noise.h"
#include "fugu/plan/model_place.h"

namespace fugu::inline in_calibrate {

// The largest hockey-stick at epsilon over some users' pairs: at most `upper`.
struct CrowdPeak {
  size_t kind = 0;
  LetterPair pair{0, 0};  // letters, first over second; letters.size() is absence
  double upper = 0;
};

// The noise as a law, its farthest tails cut off where they are negligible beside delta, which is above 0.
SumLaw law_of_noise(const Crowd& crowd, const Budget& budget, const Noise& noise);
// Of the users of one kind, from the law of everyone but one of them, noise included.
CrowdPeak peak_of_kind(const Crowd& crowd, size_t kind, const SumLaw& others, const Budget& budget);
// Of all users.
CrowdPeak peak_of_crowd(const Crowd& crowd, const Budget& budget, const Noise& noise,
                        const Progress& progress);

}  // namespace fugu::inline in_calibrate
