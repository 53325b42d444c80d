// What a count, a sum or a histogram says of a table's rate (docs/math.md, section 12).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fugu/models/rate.h"
#include "fugu/verify/verify_model.h"

namespace fugu::inline in_verify {

// Without delta, in intervals:
//   group   whatever the laws are: by how much the rows that may change can change what is released;
//   rows    the exact loss of one row, times the rows that may change; of counts and histograms no release
//           of the table loses less;
//   part    two secrets: the same of one row among a part of the rows, whose randomness helps;
//   exact   two secrets: the law of the sum over all rows, every pair of rates.
// With delta, group and rows prove the same, and exact the hockey-stick of counts and sums (rate_sticks.h).
// Error (data) for a method that does not serve the model or the budget, or that would take too long.
ModelProof prove_rate(const RateModel& model, const Budget& budget, const std::string& method,
                      const Noise& noise, const Progress& progress);

}  // namespace fugu::inline in_verify
