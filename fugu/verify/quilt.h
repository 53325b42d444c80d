// What the counts of a Markov chain's states say of the state at any one time (docs/math.md, section 12).
#pragma once

#include "fugu/core/interval.h"
#include "fugu/models/chain.h"
#include "fugu/verify/verify_model.h"

namespace fugu::inline in_verify {

// What the noise lets through of a change of one state, in nats: by the steps that it moves what is released,
// times minus the logarithm of the tail's ratio. Infinite without noise.
Interval cost_of_one_state(const ChainModel& model, const Rational& tail_ratio, Bits precision);

// At least the largest loss over chains and times, each with its best quilt, when each near state costs
// `cost` (rounded up, > 0); maybe infinite.
double quilt_loss(const ChainModel& model, double cost, const Progress& progress);

// group: one changed state may change all. quilt: the best Markov quilt of each time. quilt-approx: a bound
// on the influence that does not look at every time. transfer: what each state passes on to the next
// (verify/transfer.h). exact: the law of the count given the state at each time. `stated` as of prove().
ModelProof prove_chain(const ChainModel& model, const Budget& budget, const std::string& method,
                       const Noise& noise, const ModelWitness* stated, const Progress& progress);

}  // namespace fugu::inline in_verify
