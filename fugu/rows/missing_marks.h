// Texts with which people write that something is missing: `?`, `NA`, `unknown`.
#pragma once

#include <string>
#include <string_view>

#include "fugu/core/error.h"

namespace fugu::inline in_rows {

// Whether it is one of them, in capitals or not.
bool looks_missing(std::string_view text);

// Error (data): nobody said whether this text of the column at `place` means missing or is a value.
Error unexplained_mark(const std::string& place, const std::string& text);

}  // namespace fugu::inline in_rows
