#include "fugu/core/number.h"

#include <fmt/format.h>
#include <mpfr.h>

#include <cmath>
#include <cstdlib>

#include "fugu/core/digits.h"
#include "fugu/core/letters.h"

namespace fugu::inline in_core {
namespace {

Integer power_of_ten(unsigned exponent) {
  Integer result;
  mpz_ui_pow_ui(result.backend().data(), 10, exponent);
  return result;
}

struct DecimalParts {
  bool negative = false;
  std::string digits;     // all digits, the point removed
  long exponent = 0;      // value = digits * 10^exponent
  bool overflow = false;  // the written exponent has too many digits to matter
};

std::optional<DecimalParts> split_decimal(std::string_view text) {
  DecimalParts parts;
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) parts.negative = text[at++] == '-';
  size_t whole = at;
  while (at < text.size() && is_digit(text[at])) parts.digits += text[at++];
  size_t count = at - whole;
  if (at < text.size() && text[at] == '.') {
    ++at;
    while (at < text.size() && is_digit(text[at])) {
      parts.digits += text[at++];
      --parts.exponent;
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    bool negative = false;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
    size_t first = at;
    long exponent = 0;
    while (at < text.size() && is_digit(text[at])) {
      if (exponent > 100000) {
        parts.overflow = true;
      } else {
        exponent = exponent * 10 + (text[at] - '0');
      }
      ++at;
    }
    if (at == first) return std::nullopt;
    parts.exponent += negative ? -exponent : exponent;
  }
  if (at != text.size()) return std::nullopt;
  return parts;
}

double round_to_double(const Rational& value, mpfr_rnd_t direction) {
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  mpfr_set_q(rounded, value.backend().data(), direction);
  double result = mpfr_get_d(rounded, direction);
  mpfr_clear(rounded);
  return result;
}

}  // namespace

bool looks_like_decimal(std::string_view text) { return split_decimal(text).has_value(); }

std::optional<Rational> parse_decimal(std::string_view text) {
  auto parts = split_decimal(text);
  if (!parts || parts->overflow) return std::nullopt;
  size_t first = parts->digits.find_first_not_of('0');
  if (first == std::string::npos) return Rational(0);
  long leading = static_cast<long>(parts->digits.size() - first) + parts->exponent;
  if (leading > kMaxExponent + 1 || parts->exponent < -kMaxExponent) return std::nullopt;
  Integer digits = parse_digits(parts->digits);
  if (parts->negative) digits = -digits;
  if (parts->exponent >= 0) return Rational(digits * power_of_ten(static_cast<unsigned>(parts->exponent)));
  return Rational(digits, power_of_ten(static_cast<unsigned>(-parts->exponent)));
}

std::optional<Rational> parse_number(std::string_view text) {
  size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_decimal(text);
  auto whole = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  std::string_view top = text.substr(0, slash), bottom = text.substr(slash + 1);
  bool negative = !top.empty() && top[0] == '-';
  if (negative) top.remove_prefix(1);
  if (!whole(top) || !whole(bottom)) return std::nullopt;
  const Integer denominator = parse_digits(bottom);
  if (denominator == 0) return std::nullopt;
  Integer numerator = parse_digits(top);
  // No larger than a decimal may be: whole ones are written as such.
  if (numerator >= denominator * power_of_ten(static_cast<unsigned>(kMaxExponent + 1))) return std::nullopt;
  if (negative) numerator = -numerator;
  return Rational(numerator, denominator);
}

std::optional<int> decimal_places(const Rational& value) {
  Integer rest = denominator(value);
  Integer odd_part;
  auto twos = mpz_remove(odd_part.backend().data(), rest.backend().data(), Integer(2).backend().data());
  auto fives = mpz_remove(rest.backend().data(), odd_part.backend().data(), Integer(5).backend().data());
  if (rest != 1) return std::nullopt;
  return static_cast<int>(std::max(twos, fives));
}

std::string to_text(const Rational& value) {
  if (mpz_cmp_ui(mpq_denref(value.backend().data()), 1) == 0) return value.str();
  auto places = decimal_places(value);
  if (!places || *places > kMaxExponent) return value.str();
  Integer scaled = numerator(value) * power_of_ten(static_cast<unsigned>(*places)) / denominator(value);
  bool negative = scaled < 0;
  std::string digits = Integer(abs(scaled)).str();
  if (*places > 0) {
    auto point = static_cast<size_t>(*places);
    if (digits.size() <= point) digits.insert(0, point + 1 - digits.size(), '0');
    digits.insert(digits.size() - point, ".");
  }
  return negative ? "-" + digits : digits;
}

std::string short_text(const Rational& value) {
  std::string text = to_text(value);
  return text.size() <= 24 ? text : to_text(static_cast<double>(value));
}

namespace {

// The shortest text of a double may lie a little beside it: then it is that of the next one.
std::string short_bound(const Rational& value, double nearest, double limit) {
  std::string text = to_text(value);
  for (double bound = nearest; text.size() > 24; bound = std::nextafter(bound, limit)) {
    std::string rounded = to_text(bound);
    const Rational read = *parse_decimal(rounded);
    if (limit > 0 ? read >= value : read <= value) return rounded;
  }
  return text;
}

}  // namespace

std::string short_text_up(const Rational& value) { return short_bound(value, round_up(value), HUGE_VAL); }
std::string short_text_down(const Rational& value) {
  return short_bound(value, round_down(value), -HUGE_VAL);
}

double round_up(const Rational& value) { return round_to_double(value, MPFR_RNDU); }
double round_down(const Rational& value) { return round_to_double(value, MPFR_RNDD); }

Rational exact(double value) {
  Rational result;
  mpq_set_d(result.backend().data(), value);
  return result;
}

std::string to_text(double value) {
  if (value == std::floor(value) && std::fabs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{}", value);
}

std::string for_people(double value, int digits) {
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  return fmt::format("{:.{}g}", value, digits);
}

Integer floor(const Rational& value) {
  Integer result;
  mpz_fdiv_q(result.backend().data(), mpq_numref(value.backend().data()), mpq_denref(value.backend().data()));
  return result;
}

Integer round_half_up(const Rational& value) { return floor(Rational(value + Rational(1, 2))); }

Integer to_integer(Wide value) {
  Integer high(static_cast<uint64_t>(value >> 64));
  return (high << 64) + static_cast<uint64_t>(value);
}

}  // namespace fugu::inline in_core
