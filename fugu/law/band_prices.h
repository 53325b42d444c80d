// At which prices the most of a sum over every law within bounds is found (docs/math.md, section 9): a guess
// for whoever bounds that sum by them, which any prices do.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/law/boxes.h"

namespace fugu::inline in_law {

// order: the places of the domain by what they weigh in the sum, the least first. For each place the one
// whose weight is its price. Without a band all have the same: where the filling by weight ends.
std::vector<uint32_t> band_prices(const std::vector<size_t>& order, const std::vector<MassBox>& boxes,
                                  const std::vector<MassBox>* band);

// A law at which the sum is the most, given its prices; in doubles.
std::vector<double> law_at_prices(const std::vector<size_t>& order, const std::vector<uint32_t>& prices,
                                  const std::vector<MassBox>& boxes, const std::vector<MassBox>& band);

}  // namespace fugu::inline in_law
