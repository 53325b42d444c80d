// How numbers and names are written for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fugu/core/number.h"

namespace fugu::inline in_show {

// "28,856".
std::string grouped(uint64_t value);

// "1 row", "28,856 rows".
std::string counted(uint64_t value, const std::string& thing);

// "12.5 %".
std::string percent(double share);

// "12.35 %", never below the share.
std::string percent_up(const Rational& share);

// An error or a ratio with `digits` significant digits, at least; from a thousand on in whole, grouped
// digits.
std::string compact(double value, int digits);

// `value` with `digits` significant digits, rounded up: what is proved stays proved. Large values are whole
// and grouped. Precondition: value >= 0.
std::string rounded_up(double value, int digits);

// The value as a decimal of 17 significant digits, correctly rounded, however small it is: "0.25",
// "2.8242953648100006e-13", "1.5e-400".
std::string seventeen_digits(const Rational& value);

// The text with control characters (also those of terminals) replaced by '?', so that it stays on its line,
// and with those that turn the direction of writing as "<U+202E>", so that a name reads as what it is.
std::string printable(std::string_view text);

// The number of columns a terminal needs for UTF-8 text: its code points.
size_t text_width(std::string_view text);

// `text` in lines of at most `width`, broken at blanks; every line after the first begins with `indent`
// blanks. A line break in the text stays.
std::string wrapped(std::string_view text, size_t width, size_t indent);

// How wide the results of a command are.
inline constexpr size_t kTextWidth = 100;

// One line of a description, or several: the name in a column of its own, the text wrapped beside it.
std::string field(const std::string& name, const std::string& text);

}  // namespace fugu::inline in_show
