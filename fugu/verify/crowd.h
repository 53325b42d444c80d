// What a sum over independent users says of any one of them (docs/math.md, section 12).
#pragma once

#include "fugu/models/crowd.h"
#include "fugu/verify/verify_model.h"

namespace fugu {

// lemma2: pure epsilon, by the shift that one user makes, whatever the others do. exact: with delta, by the
// law of the sum over the others, for every kind of user.
ModelProof prove_crowd(const Crowd& crowd, const Budget& budget, const std::string& method,
                       const Noise& noise, const Progress& progress);

}  // namespace fugu
