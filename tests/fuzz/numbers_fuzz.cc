// Literals: read exactly, as an independent reading digit by digit says, and written back as the same number.
#include <mpfr.h>

#include <cctype>
#include <cmath>

#include "fugu/core/number.h"
#include "fugu/law/budget.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

Integer digits_value(std::string_view digits) {
  Integer value = 0;
  for (char c : digits) value = value * 10 + (c - '0');
  return value;
}

std::string_view take_digits(std::string_view& text) {
  size_t end = 0;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

// A decimal with an exponent of at most three digits, by the grammar; nullopt for anything else.
std::optional<Rational> small_decimal(std::string_view text) {
  const bool negative = take_sign(text);
  const std::string_view whole = take_digits(text);
  std::string_view part;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    part = take_digits(text);
  }
  if (whole.empty() && part.empty()) return std::nullopt;
  Rational value = Rational(digits_value(whole));
  Rational unit = 1;
  for (char c : part) value += (unit /= 10) * (c - '0');
  if (!text.empty()) {
    if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
    text.remove_prefix(1);
    const bool down = take_sign(text);
    const std::string_view exponent = take_digits(text);
    if (exponent.empty() || exponent.size() > 3 || !text.empty()) return std::nullopt;
    for (Integer k = digits_value(exponent); k > 0; --k)
      value = down ? Rational(value / 10) : Rational(value * 10);
  }
  return negative ? Rational(-value) : value;
}

std::optional<Rational> small_number(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return small_decimal(text);
  std::string_view top = text.substr(0, slash), bottom = text.substr(slash + 1);
  const bool negative = top.starts_with('-');
  if (negative) top.remove_prefix(1);
  const std::string_view above = take_digits(top), below = take_digits(bottom);
  if (above.empty() || below.empty() || !top.empty() || !bottom.empty()) return std::nullopt;
  const Integer denominator = digits_value(below);
  if (denominator == 0) return std::nullopt;
  const Rational value(digits_value(above), denominator);
  return negative ? Rational(-value) : value;
}

void holds(const Rational& value) {
  const std::string text = to_text(value);
  fuzz::insist(parse_number(text) == value, "a number reads back as itself");
  fuzz::insist(!short_text(value).empty(), "people see a number");
  const double up = round_up(value), down = round_down(value);
  if (std::isfinite(up)) fuzz::insist(exact(up) >= value, "up is not below");
  if (std::isfinite(down)) fuzz::insist(exact(down) <= value, "down is not above");
  if (std::isfinite(up) && std::isfinite(down) && up != down)
    fuzz::insist(std::nextafter(down, INFINITY) == up, "up and down are neighbours");
  if (std::isfinite(up))
    fuzz::insist(parse_decimal(to_text(up)).has_value() || std::abs(up) < 1e-290, "a double is a decimal");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 4096) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_number(text);
  const auto expected = small_number(text);
  if (value && expected) fuzz::insist(*value == *expected, "both readings agree");
  if (value && !expected) fuzz::insist(looks_like_decimal(text), "what is read has the form of a number");
  // Refused may be only what is too large or too fine.
  if (!value && expected && text.find('/') == std::string::npos)
    fuzz::insist(text.size() > 300 || text.find_first_of("eE") != std::string::npos,
                 "a plain decimal is read");
  if (!value && expected && text.size() <= 300)
    fuzz::insist(text.find('/') == std::string::npos, "a fraction is read");
  if (value) holds(*value);
  const auto epsilon =
      fuzz::read_or_refuse([&] { return Epsilon::parse(text, "--epsilon", ErrorKind::kUsage); });
  if (epsilon) fuzz::insist(value && epsilon->value() == *value && *value > 0, "an epsilon is what it says");
  const auto delta = fuzz::read_or_refuse([&] { return Delta::parse(text, "--delta", ErrorKind::kUsage); });
  if (delta)
    fuzz::insist(value && delta->value() == *value && *value >= 0 && *value < 1, "a delta is what it says");
  if (epsilon && delta) fuzz::insist(!in_words(*epsilon, *delta).empty(), "a promise has words");
  return 0;
}
