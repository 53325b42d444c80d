// Exact numbers: integers, rationals, and the decimals people write.
//
// A literal means what it says: 0.225 is 225/1000, never the nearest double (docs/math.md, section 0).
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fugu::inline in_core {

using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;
using Wide = unsigned __int128;

// Reads `[-+]digits[.digits][e[-+]digits]` as an exact rational; nullopt when the text is anything else.
// Exponents beyond +-kMaxExponent after the point is moved are refused too: no one means them, and they
// would cost memory in proportion to their size.
inline constexpr int kMaxExponent = 308;
std::optional<Rational> parse_decimal(std::string_view text);

// Reads a decimal, or a fraction `a/b` of two integers with b > 0.
std::optional<Rational> parse_number(std::string_view text);

// True when the text has the form of a decimal, whatever its size.
bool looks_like_decimal(std::string_view text);

// The shortest exact text: a decimal where one exists ("0.225"), else a fraction ("1/3").
// Both are read back by parse_number as the same number.
std::string to_text(const Rational& value);

// The same for people: in scientific notation, rounded to a double, where that text is long.
std::string short_text(const Rational& value);

// The same for a bound: never below (never above) the value.
std::string short_text_up(const Rational& value);
std::string short_text_down(const Rational& value);

// Digits after the point that write `value` exactly; nullopt where no decimal does.
std::optional<int> decimal_places(const Rational& value);

// The nearest double not below (not above) the value.
double round_up(const Rational& value);
double round_down(const Rational& value);

// The double's exact value. Precondition: finite.
Rational exact(double value);

// The shortest decimal that reads back as this very double ("0.1", "1e-05"). Precondition: finite.
std::string to_text(double value);

// Writes `value` with `digits` significant digits for people: "0.525046", "260", "1.2e-07".
std::string for_people(double value, int digits = 6);

// floor(value) and the nearest integer, halves upward.
Integer floor(const Rational& value);
Integer round_half_up(const Rational& value);

Integer to_integer(Wide value);

}  // namespace fugu::inline in_core
