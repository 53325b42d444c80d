#include "fugu/core/utf8.h"

#include <algorithm>
#include <cstdint>

namespace fugu::inline in_core {
namespace {

// The bytes of the character that begins at `at`, 0 when it is not UTF-8.
size_t character_length(std::string_view text, size_t at) {
  auto byte = [&](size_t k) -> uint8_t {
    return at + k < text.size() ? static_cast<uint8_t>(text[at + k]) : 0;
  };
  auto continues = [&](size_t k, uint8_t low = 0x80, uint8_t high = 0xBF) {
    return byte(k) >= low && byte(k) <= high;
  };
  uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    uint8_t low = first == 0xE0 ? 0xA0 : 0x80;
    uint8_t high = first == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    uint8_t low = first == 0xF0 ? 0x90 : 0x80;
    uint8_t high = first == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    size_t length = character_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

bool is_printable(std::string_view text) {
  auto is_control = [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F; };
  return is_utf8(text) && std::none_of(text.begin(), text.end(), is_control);
}

}  // namespace fugu::inline in_core
