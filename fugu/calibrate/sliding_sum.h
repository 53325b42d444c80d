// One sweep of a convolution in place: many terms of a sum for each cell that is read and written.
#pragma once

#include <cstddef>
#include <span>

namespace fugu::inline in_calibrate {

// Cells before and after the swept ones that must be readable, and 0, besides the largest offset of them.
inline constexpr size_t kSlidingBlock = 64;

// cells[k] becomes the sum over j of masses[j] * cells[k - offsets[j]] for 0 <= k < count, each summed in the
// order of j by fused multiply-adds. Offsets increase; empty means 0, 1, 2, …
// Precondition: the largest offset + kSlidingBlock cells before cells[0] and kSlidingBlock after
// cells[count - 1] exist and are 0.
void sliding_sum(double* cells, size_t count, std::span<const size_t> offsets,
                 std::span<const double> masses);

}  // namespace fugu::inline in_calibrate
