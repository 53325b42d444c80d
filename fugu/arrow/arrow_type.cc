#include "fugu/arrow/arrow_type.h"

#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "fugu/core/error.h"

namespace fugu::inline in_arrow {
namespace {

// What people call a format that is not read.
std::string name_of(std::string_view format) {
  constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"td", "dates"},        {"ts", "timestamps of a time zone"},
      {"tt", "times of day"}, {"tD", "durations"},
      {"ti", "intervals"},    {"z", "binary data"},
      {"Z", "binary data"},   {"vz", "binary data"},
      {"w:", "binary data"},  {"+s", "structures"},
      {"+m", "maps"},         {"+r", "run-end encoded values"},
      {"+u", "unions"},       {"+", "lists"},
      {"d:", "wide decimals"}};
  for (const auto& [prefix, name] : kNames) {
    if (format.starts_with(prefix)) return name;
  }
  return "values of Arrow format '" + std::string(format) + "'";
}

std::string hint_for(std::string_view format) {
  if (format.starts_with("ts")) return "turn them into dates first: which day it is depends on the zone";
  if (format.starts_with("tt") || format.starts_with("tD"))
    return "turn them into numbers or categories first, for example hours";
  if (format.starts_with("z") || format.starts_with("Z") || format.starts_with("vz") ||
      format.starts_with("w:"))
    return "turn them into text first";
  if (format.starts_with("d:")) return "cast to decimal128";
  return "use a column of numbers, texts or truth values";
}

// Whether a column's values stand for others, by a convention that its metadata names: a count of keys, then
// for each its length, its text, and the same of its value.
bool is_extension(const char* metadata) {
  if (!metadata) return false;
  auto number = [&] {
    int32_t value = 0;
    std::memcpy(&value, metadata, sizeof value);
    metadata += sizeof value;
    return value;
  };
  for (int32_t left = number(); left > 0; --left) {
    const int32_t key = number();
    if (std::string_view(metadata, static_cast<size_t>(key)) == "ARROW:extension:name") return true;
    metadata += key;
    const int32_t value = number();
    metadata += value;
  }
  return false;
}

bool read_plain(std::string_view format, ArrowType& type) {
  if (format == "vu") {
    type.kind = ArrowType::kText;
    type.texts = ArrowType::kViews;
    return true;
  }
  if (format.size() != 1) return false;
  constexpr std::string_view kSigned = "csil", kUnsigned = "CSIL", kFloats = "efg";
  const char c = format[0];
  auto sized = [&](std::string_view letters, ArrowType::Kind kind, int first) {
    const size_t at = letters.find(c);
    if (at == std::string_view::npos) return false;
    type.kind = kind;
    type.bytes = first << at;
    return true;
  };
  if (sized(kSigned, ArrowType::kInt, 1) || sized(kUnsigned, ArrowType::kUint, 1) ||
      sized(kFloats, ArrowType::kFloat, 2))
    return true;
  if (c == 'n') type.kind = ArrowType::kNull;
  if (c == 'b') type.kind = ArrowType::kBool;
  if (c == 'u' || c == 'U') type.kind = ArrowType::kText;
  if (c == 'U') type.texts = ArrowType::kLarge;
  return c == 'n' || c == 'b' || c == 'u' || c == 'U';
}

bool read_date(std::string_view format, ArrowType& type) {
  constexpr std::pair<std::string_view, char> kFormats[] = {{"tdD", 'D'},  {"tdm", 'M'},  {"tss:", 's'},
                                                            {"tsm:", 'm'}, {"tsu:", 'u'}, {"tsn:", 'n'}};
  for (const auto& [name, ticks] : kFormats) {
    if (format != name) continue;
    type.kind = ArrowType::kDate;
    type.bytes = ticks == 'D' ? 4 : 8;
    type.ticks = ticks;
    return true;
  }
  return false;
}

bool read_decimal(std::string_view format, ArrowType& type) {
  int precision = 0, scale = 0, bits = 128;
  char rest = 0;
  const std::string text(format);
  const int read = std::sscanf(text.c_str(), "d:%d,%d,%d%c", &precision, &scale, &bits, &rest);
  if ((read != 2 && read != 3) || bits != 128 || precision < 1 || precision > 38 || scale < -18 || scale > 38)
    return false;
  type.kind = ArrowType::kDecimal;
  type.bytes = 16;
  type.precision = precision;
  type.scale = scale;
  return true;
}

}  // namespace

int64_t ArrowType::ticks_per_day() const {
  constexpr int64_t kSeconds = 86400;
  switch (ticks) {
    case 's':
      return kSeconds;
    case 'M':
    case 'm':
      return kSeconds * 1000;
    case 'u':
      return kSeconds * 1'000'000;
    case 'n':
      return kSeconds * 1'000'000'000;
    default:
      return 1;
  }
}

ArrowType arrow_type(const ArrowSchema& schema, const std::string& place) {
  const ArrowSchema& values = schema.dictionary ? *schema.dictionary : schema;
  const std::string_view format = values.format;
  if (is_extension(schema.metadata)) {
    throw Error(ErrorKind::kData, place + ": it holds values of an extension type, which fugu cannot release",
                "turn them into plain numbers or texts first");
  }
  ArrowType type, index;
  const bool nested = values.dictionary != nullptr;
  if (nested || (!read_plain(format, type) && !read_decimal(format, type) && !read_date(format, type)) ||
      (type.kind == ArrowType::kFloat && type.bytes == 2)) {
    throw Error(ErrorKind::kData,
                place + ": it holds " +
                    (nested                                              ? "a dictionary of dictionaries"
                     : type.kind == ArrowType::kFloat && type.bytes == 2 ? "half-precision floats"
                                                                         : name_of(format)) +
                    ", which fugu cannot release",
                type.bytes == 2 ? "cast to float32" : hint_for(format));
  }
  if (!schema.dictionary) return type;
  if (!read_plain(schema.format, index) || (index.kind != ArrowType::kInt && index.kind != ArrowType::kUint))
    throw Error(ErrorKind::kData, place + ": its dictionary's codes are not whole numbers",
                "cast it to text");
  type.index_bytes = index.bytes;
  type.index_unsigned = index.kind == ArrowType::kUint;
  type.ordered = (schema.flags & kArrowDictionaryOrdered) != 0;
  return type;
}

}  // namespace fugu::inline in_arrow
