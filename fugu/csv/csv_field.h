// Texts as fields of CSV.
#pragma once

#include <string>
#include <string_view>

namespace fugu::inline in_csv {

// In quotes where it needs them.
std::string csv_field(std::string_view text, char separator);

// In quotes, at the end of `to`.
void append_quoted(std::string& to, std::string_view text);

}  // namespace fugu::inline in_csv
