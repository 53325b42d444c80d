// Whole numbers from decimal digits, and from nothing else.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "fugu/core/number.h"

namespace fugu::inline in_core {

// Whether there is at least one character, and each is a decimal digit.
inline bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Zeros in front mean nothing; the library alone would take them for the sign of an octal number.
// Precondition: digits, at least one.
inline Integer parse_digits(std::string_view digits) {
  const size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return Integer(std::string(digits.substr(first)));
}

}  // namespace fugu::inline in_core
