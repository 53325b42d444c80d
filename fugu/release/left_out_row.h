// A row that is left out for its value while other columns go along.
#pragma once

#include <string>

#include "fugu/core/error.h"

namespace fugu {

// Error (usage): whoever knows the columns beside it sees whose row is missing, and that may go with the
// secret. `where` is the row and the column.
inline Error seen_to_be_left_out(const std::string& where) {
  return usage(where +
                   ": the row would be left out for its value, and the columns that are kept show which rows "
                   "are left out",
               "--missing keep, when calibrating, makes a missing category one of the values that the proof "
               "covers; else release without kept columns, or leave such rows out of the table first");
}

}  // namespace fugu
