// What a sum over independent users says of any one of them (docs/math.md, section 12).
#pragma once

#include <cstddef>

#include "fugu/models/crowd.h"
#include "fugu/verify/verify_model.h"

namespace fugu::inline in_verify {

// lemma2: pure epsilon (so any delta), by the shift that one user makes, whatever the others do, in
// intervals. exact: with delta, by bounds of the law of the sum over the others, for every kind of user,
// rounded down and up. `stated` as of prove().
ModelProof prove_crowd(const Crowd& crowd, const Budget& budget, const std::string& method,
                       const Noise& noise, const ModelWitness* stated, const Progress& progress);

// By lemma2, with the kind of user (of Crowd::users) that decides: the worst, or one that refutes.
struct CrowdProof {
  ModelProof proof;
  size_t kind = 0;
};
CrowdProof prove_lemma2(const Crowd& crowd, const Budget& budget, const Noise& noise);

}  // namespace fugu::inline in_verify
