#include "fugu/show/wording.h"

#include <fmt/format.h>
#include <mpfr.h>

#include <cmath>
#include <cstdlib>

#include "fugu/core/number.h"

namespace fugu::inline in_show {

std::string grouped(uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string result;
  for (size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) result += ',';
    result += digits[k];
  }
  return result;
}

std::string counted(uint64_t value, const std::string& thing) {
  return fmt::format("{} {}{}", grouped(value), thing, value == 1 ? "" : "s");
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string percent_up(const Rational& share) {
  const Integer hundredths = -floor(Rational(-share * 10'000));
  return fmt::format("{}.{:02} %", Integer(hundredths / 100).str(), static_cast<int>(hundredths % 100));
}

std::string compact(double value, int digits) {
  if (value < 1000 || value >= 1e15) return for_people(value, digits);
  return grouped(static_cast<uint64_t>(std::llround(value)));
}

std::string rounded_up(double value, int digits) {
  if (value >= 1e5 && value < 1e15) return grouped(static_cast<uint64_t>(std::ceil(value)));
  std::string text = for_people(value, digits);
  if (value <= 0 || std::strtod(text.c_str(), nullptr) >= value) return text;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - digits + 1);
  return for_people(std::strtod(text.c_str(), nullptr) + unit, digits);
}

namespace {

// The characters that turn the direction of writing, in UTF-8.
constexpr std::pair<std::string_view, std::string_view> kTurning[] = {
    {"\xD8\x9C", "<U+061C>"},     {"\xE2\x80\x8E", "<U+200E>"}, {"\xE2\x80\x8F", "<U+200F>"},
    {"\xE2\x80\xAA", "<U+202A>"}, {"\xE2\x80\xAB", "<U+202B>"}, {"\xE2\x80\xAC", "<U+202C>"},
    {"\xE2\x80\xAD", "<U+202D>"}, {"\xE2\x80\xAE", "<U+202E>"}, {"\xE2\x81\xA6", "<U+2066>"},
    {"\xE2\x81\xA7", "<U+2067>"}, {"\xE2\x81\xA8", "<U+2068>"}, {"\xE2\x81\xA9", "<U+2069>"}};

// The one that `text` begins with, and how it is shown; empty when there is none.
std::pair<std::string_view, std::string_view> turning(std::string_view text) {
  for (const auto& one : kTurning) {
    if (text.starts_with(one.first)) return one;
  }
  return {};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0U;
    const auto [character, shown] = turning(text.substr(k));
    if (!character.empty()) {
      result += shown;
      k += character.size() - 1;
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      result += '?';
      ++k;
    } else {
      result += byte < 0x20 || byte == 0x7F ? '?' : text[k];
    }
  }
  return result;
}

size_t text_width(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return width;
}

std::string wrapped(std::string_view text, size_t width, size_t indent) {
  std::string result;
  size_t column = indent;
  bool fresh = true;
  auto new_line = [&] {
    result += '\n';
    column = 0;
    fresh = true;
  };
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      new_line();
      ++at;
      continue;
    }
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const size_t length = std::min(text.find_first_of(" \n", at), text.size()) - at;
    const std::string word = printable(text.substr(at, length));
    if (!fresh && column + 1 + text_width(word) > width) new_line();
    if (fresh && column == 0) {
      result.append(indent, ' ');
      column = indent;
    } else if (!fresh) {
      result += ' ';
      ++column;
    }
    result += word;
    column += text_width(word);
    fresh = false;
    at += length;
  }
  return result;
}

std::string field(const std::string& name, const std::string& text) {
  constexpr size_t kIndent = 13;
  return fmt::format("  {:<11}{}\n", name, wrapped(text, 100, kIndent));
}

std::string seventeen_digits(const Rational& value) {
  constexpr size_t kDigits = 17;
  if (value == 0) return "0";
  mpfr_t rounded;
  mpfr_init2(rounded, 192);
  mpfr_set_q(rounded, value.backend().data(), MPFR_RNDN);
  mpfr_exp_t exponent = 0;  // the value is 0.DIGITS times ten to it
  char* text = mpfr_get_str(nullptr, &exponent, 10, kDigits, rounded, MPFR_RNDN);
  std::string digits(text);
  mpfr_free_str(text);
  mpfr_clear(rounded);
  const std::string sign = digits.front() == '-' ? "-" : "";
  digits.erase(0, sign.size());
  digits.erase(digits.find_last_not_of('0') + 1);
  if (exponent > -4 && exponent <= 0)
    return sign + "0." + std::string(static_cast<size_t>(-exponent), '0') + digits;
  if (exponent > 0 && exponent <= static_cast<mpfr_exp_t>(kDigits)) {
    const auto whole = static_cast<size_t>(exponent);
    if (digits.size() <= whole) return sign + digits.append(whole - digits.size(), '0');
    return sign + digits.insert(whole, ".");
  }
  if (digits.size() > 1) digits.insert(1, ".");
  return fmt::format("{}{}e{}", sign, digits, exponent - 1);
}

}  // namespace fugu::inline in_show
