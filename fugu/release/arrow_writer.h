// How released values become Arrow: the type of the column, and its arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/arrow/arrow_type.h"
#include "fugu/release/column_map.h"
#include "fugu/release/released_values.h"

namespace fugu::inline in_release {

// How the released values of a column of that type are written: the same type where everything that the
// mechanism may draw fits into it but for a chance below 2^-64 a value, else 64-bit whole numbers or floats
// for numbers, text for categories.
ArrowType released_type(const ArrowType& type, const ColumnRelease& column);

// The array of one chunk from the lattice points to be written. Error (io) for one that does not fit into
// the type, (usage) for texts of more than 2 GiB where the type has no room for them.
Owned<ArrowArray> write_released(const std::vector<int64_t>& index, const ArrowType& type,
                                 const ColumnRelease& column, const ReleasedValues& values);

}  // namespace fugu::inline in_release
