// Whether what a program hands over as Arrow columns is as the interface says, as far as a reader can see: it
// tells how many buffers there are, not how long they are.
#pragma once

#include <cstdint>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/arrow/arrow_type.h"

namespace fugu::inline in_arrow {

// Error (data) unless the schema, and every child of a structure, is there and has a format.
void check_schema(const ArrowSchema& schema);

// Error (data) unless a chunk of that schema has its columns, with all the rows it says.
void check_chunk(const ArrowArray& chunk, const ArrowSchema& schema);

// Error (data) unless the array has the buffers of its type, and a dictionary where it must, for the values
// at [from, from + count).
void check_array(const ArrowArray& array, const ArrowType& type, int64_t from, int64_t count);

}  // namespace fugu::inline in_arrow
