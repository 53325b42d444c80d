// Single characters of ASCII, whatever the locale.
#pragma once

namespace fugu::inline in_core {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_small(char c) { return c >= 'a' && c <= 'z'; }
inline char small_letter(char c) { return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace fugu::inline in_core
