// What the counts of a Markov chain's states say of the state at any one time (docs/math.md, section 12).
#pragma once

#include "fugu/models/chain.h"
#include "fugu/verify/verify_model.h"

namespace fugu {

// group: one changed state may change all. quilt: the best Markov quilt of each time. quilt-approx: a bound
// on the influence that does not look at every time. exact: the law of the count given the state at each
// time.
ModelProof prove_chain(const ChainModel& model, const Budget& budget, const std::string& method,
                       const Noise& noise, const Progress& progress);

}  // namespace fugu
