// Is a text UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF)?
#pragma once

#include <string_view>

namespace fugu::inline in_core {

bool is_utf8(std::string_view text);

// True when the text can stand in a message of one line: UTF-8 without control characters.
bool is_printable(std::string_view text);

}  // namespace fugu::inline in_core
