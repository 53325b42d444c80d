// What a file is that is no text: archives, workbooks, pictures and others that people give for a table.
#pragma once

#include <string>
#include <string_view>

#include "fugu/core/error.h"

namespace fugu::inline in_file {

// Error (data), naming `name`, for a file that begins as none does that holds lines of UTF-8.
void check_is_text(std::string_view beginning, const std::string& name);

}  // namespace fugu::inline in_file
