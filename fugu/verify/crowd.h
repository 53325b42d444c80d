// What a sum over independent users says of any one of them (docs/math.md, section 12).
#pragma once

#include <cstddef>
#include <utility>

#include "fugu/models/crowd.h"
#include "fugu/models/crowd_law.h"
#include "fugu/verify/verify_model.h"

namespace fugu {

// lemma2: pure epsilon (so any delta), by the shift that one user makes, whatever the others do. exact: with
// delta, by the law of the sum over the others, for every kind of user.
ModelProof prove_crowd(const Crowd& crowd, const Budget& budget, const std::string& method,
                       const Noise& noise, const Progress& progress);

// The same with the kind of user (of Crowd::users) that decides: the worst, or one that refutes. Calibrators
// search with it, and with the pieces below.
struct CrowdProof {
  ModelProof proof;
  size_t kind = 0;
};
CrowdProof prove_users(const Crowd& crowd, const Budget& budget, const std::string& method,
                       const Noise& noise, const Progress& progress = {});

// The largest hockey-stick at epsilon over some users' pairs: at most `upper`.
struct CrowdPeak {
  size_t kind = 0;
  std::pair<size_t, size_t> pair{0, 0};  // letters, first over second; letters.size() is absence
  double upper = 0;
};

// The noise as a law, its farthest tails cut off where they are negligible beside delta, which is above 0.
SumLaw law_of_noise(const Crowd& crowd, const Budget& budget, const Noise& noise);
// Of the users of one kind, from the law of everyone but one of them, noise included.
CrowdPeak peak_of_kind(const Crowd& crowd, size_t kind, const SumLaw& others, const Budget& budget);
}  // namespace fugu
