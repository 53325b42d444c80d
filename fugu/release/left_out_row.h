// A row that is left out while other columns go along.
#pragma once

#include <string>

#include "fugu/core/error.h"

namespace fugu {

// Error (usage): whoever knows the columns beside it sees whose row is missing. What it was left out for, a
// value, a secret or a given field that is missing or unknown, may go with the secret, or is the secret. So
// beside kept columns no row is left out. `where` is the row and the column.
inline Error seen_to_be_left_out(const std::string& where) {
  return usage(
      where +
          ": the row would be left out for this field, and the columns that are kept show which rows "
          "are left out",
      "--missing keep, when calibrating, makes a missing category one of the values, secrets or "
      "groups that the proof covers; else release without kept columns, or leave such rows out of "
      "the table first");
}

}  // namespace fugu
