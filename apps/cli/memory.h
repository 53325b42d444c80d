// What the program says when whole numbers no longer fit into memory.
#pragma once

namespace fugu::cli {

// GMP would abort. From now on the program says what it says of any other lack of memory, and ends with the
// same status; outputs that are not whole have no name yet. Call it before there are other threads.
void say_when_memory_ends();

}  // namespace fugu::cli
