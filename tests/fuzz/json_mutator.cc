#include "tests/fuzz/json_mutator.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>

#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "tests/fuzz/fuzz.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace fugu::fuzz {
namespace {

constexpr size_t kMostGrowth = 64;  // items that a list grows by
constexpr const char* kNumbers[] = {"0",
                                    "-0",
                                    "1",
                                    "-1",
                                    "2",
                                    "3",
                                    "0.5",
                                    "-0.5",
                                    "1e-9",
                                    "1e-60",
                                    "1e-308",
                                    "5e-324",
                                    "1e-400",
                                    "1e308",
                                    "1.7976931348623157e308",
                                    "1000000",
                                    "1000001",
                                    "2147483648",
                                    "4294967296",
                                    "9007199254740993",
                                    "4611686018427387904",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "-9223372036854775808",
                                    "18446744073709551616",
                                    "340282366920938463463374607431768211456",
                                    "0.1000000000000000000000000001",
                                    "0.30000000000000004"};
constexpr const char* kFractions[] = {"1/3", "-1/3", "0/1", "1/0", "2/4", "1/18446744073709551617"};

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}

  // One of 0 … count - 1. Precondition: count > 0.
  size_t below(size_t count) { return engine_() % count; }
  template <class List>
  auto& of(List&& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937 engine_;
};

std::optional<Json> parsed(const uint8_t* data, size_t size) {
  try {
    return parse_json({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const Error&) {
    return std::nullopt;
  }
}

void add_parts(Json& json, std::vector<Json*>& parts) {
  parts.push_back(&json);
  if (Json::Object* members = json.if_object()) {
    for (auto& [key, value] : *members) add_parts(value, parts);
  }
  if (Json::Array* items = json.if_array()) {
    for (Json& item : *items) add_parts(item, parts);
  }
}

// The value itself and all within.
std::vector<Json*> parts_of(Json& json) {
  std::vector<Json*> parts;
  add_parts(json, parts);
  return parts;
}

// The one or other of them: half of the time by going down from the whole, so that long lists do not hide
// the rest.
Json& some_part(Json& json, Chance& chance) {
  if (chance.below(2) == 0) return *chance.of(parts_of(json));
  Json* part = &json;
  while (chance.below(6) != 0) {
    Json::Object* members = part->if_object();
    Json::Array* items = part->if_array();
    if (members && !members->empty()) {
      part = &chance.of(*members).second;
    } else if (items && !items->empty()) {
      part = &chance.of(*items);
    } else {
      break;
    }
  }
  return *part;
}

// A number beside the one that is written: by one, by some hundredths, twice as large, of the other sign.
std::string near(const std::string& literal, Chance& chance) {
  const auto value = literal.size() < 400 ? parse_number(literal) : std::nullopt;
  if (!value) return chance.of(kNumbers);
  switch (chance.below(6)) {
    case 0:
      return to_text(Rational(*value + 1));
    case 1:
      return to_text(Rational(*value - 1));
    case 2:
      return to_text(Rational(*value * 2));
    case 3:
      return to_text(Rational(-*value));
    default:
      return to_text(Rational(*value * Rational(80 + chance.below(41), 100)));
  }
}

Json number_of(const std::string& text) {
  return text.find('/') == std::string::npos ? Json::number(text) : Json::string(text);
}

Json scalar(const JsonWords& words, Chance& chance) {
  switch (chance.below(words.texts.empty() ? 6 : 8)) {
    case 0:
      return Json::null();
    case 1:
      return Json::boolean(true);
    case 2:
      return Json::boolean(false);
    case 3:
      return Json::string(chance.of(kNumbers));
    case 4:
      return Json::string(chance.of(kFractions));
    case 5:
      return Json::number(chance.of(kNumbers));
    default:
      return Json::string(chance.of(words.texts));
  }
}

std::string other_bytes(std::string text) {
  const size_t size = text.size();
  text.resize(size + 8);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), size, text.size()));
  return text;
}

void change_text(Json& text, const JsonWords& words, Chance& chance) {
  const std::string old = *text.if_string();
  switch (chance.below(5)) {
    case 0:
      text = Json::string(near(old, chance));
      break;
    case 1:
      text = Json::string(other_bytes(old));
      break;
    case 2:
      text = number_of(near(old, chance));
      break;
    default:
      text = scalar(words, chance);
  }
}

void change_object(Json::Object& members, const JsonWords& words, Json& root, Chance& chance) {
  if (members.empty() || chance.below(5) == 0) {
    Json value = some_part(root, chance);
    members.emplace_back(words.keys.empty() ? "key" : chance.of(words.keys), std::move(value));
    return;
  }
  auto& member = chance.of(members);
  switch (chance.below(4)) {
    case 0:
      members.erase(members.begin() + static_cast<long>(&member - members.data()));
      break;
    case 1:
      std::swap(member.second, chance.of(members).second);
      break;
    case 2:
      std::swap(member, chance.of(members));
      break;
    default:
      member.first = words.keys.empty() ? other_bytes(member.first) : chance.of(words.keys);
  }
}

void change_array(Json::Array& items, const JsonWords& words, Chance& chance) {
  if (items.empty()) return items.push_back(scalar(words, chance));
  const size_t at = chance.below(items.size());
  switch (chance.below(6)) {
    case 0:
      items.erase(items.begin() + static_cast<long>(at));
      break;
    case 1:
      std::swap(items[at], chance.of(items));
      break;
    case 2:
      std::reverse(items.begin(), items.end());
      break;
    case 3:
      items.resize(at + 1);
      break;
    case 4: {
      const Json item = items[at];
      items.insert(items.end(), 1 + chance.below(kMostGrowth), item);
      break;
    }
    default: {
      const Json item = items[at];
      items.insert(items.begin() + static_cast<long>(at), item);
    }
  }
}

void change(Json& root, const JsonWords& words, Chance& chance) {
  Json& part = some_part(root, chance);
  if (chance.below(8) == 0) {
    Json other = some_part(root, chance);
    part = std::move(other);
  } else if (const Json::Number* number = part.if_number()) {
    part = chance.below(3) != 0 ? number_of(near(number->literal, chance)) : scalar(words, chance);
  } else if (part.if_string()) {
    change_text(part, words, chance);
  } else if (Json::Object* members = part.if_object()) {
    change_object(*members, words, root, chance);
  } else if (Json::Array* items = part.if_array()) {
    change_array(*items, words, chance);
  } else {
    part = scalar(words, chance);
  }
}

// Its size, or 0 where there is no room for it.
size_t write(const Json& json, const Mend& mend, Chance& chance, uint8_t* out, size_t most) {
  std::string text;
  try {
    text = (mend && chance.below(2) == 0 ? mend(json) : json).pretty();
  } catch (const Error&) {
    text = json.pretty();
  }
  if (text.size() > most) return 0;
  std::memcpy(out, text.data(), text.size());
  return text.size();
}

// What stands under "properties" are the keys; "enum" and "const" are the texts.
void add_words(const Json& schema, JsonWords& words) {
  auto add_text = [&](const Json& value) {
    if (const std::string* text = value.if_string()) words.texts.push_back(*text);
  };
  if (const Json::Array* items = schema.if_array()) {
    for (const Json& item : *items) add_words(item, words);
  }
  if (!schema.if_object()) return;
  for (const auto& [key, value] : *schema.if_object()) {
    add_words(value, words);
    if (key == "const") add_text(value);
    if (key == "enum") std::for_each(value.if_array()->begin(), value.if_array()->end(), add_text);
    if (key != "properties") continue;
    for (const auto& [name, member] : *value.if_object()) words.keys.push_back(name);
  }
}

void make_unique(std::vector<std::string>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

JsonWords words_of_schemas(const std::vector<std::string>& names) {
  JsonWords words;
  for (const std::string& name : names) {
    std::ifstream file(FUGU_SOURCE_DIR "/docs/schema/" + name + ".schema.json");
    std::stringstream text;
    text << file.rdbuf();
    insist(file.is_open(), "the schema is there");
    add_words(parse_json(text.str(), name), words);
  }
  make_unique(words.keys);
  make_unique(words.texts);
  return words;
}

size_t mutate_json(uint8_t* data, size_t size, size_t most, unsigned seed, const JsonWords& words,
                   const Mend& mend) {
  Chance chance(seed);
  auto json = parsed(data, size);
  if (!json || chance.below(8) == 0) return LLVMFuzzerMutate(data, size, most);
  for (size_t changes = 1 + chance.below(3); changes > 0; --changes) change(*json, words, chance);
  const size_t written = write(*json, mend, chance, data, most);
  return written > 0 ? written : LLVMFuzzerMutate(data, size, most);
}

size_t cross_json(const uint8_t* data, size_t size, const uint8_t* other, size_t other_size, uint8_t* out,
                  size_t most, unsigned seed, const Mend& mend) {
  Chance chance(seed);
  auto json = parsed(data, size), from = parsed(other, other_size);
  if (!json || !from) return 0;
  some_part(*json, chance) = some_part(*from, chance);
  return write(*json, mend, chance, out, most);
}

}  // namespace fugu::fuzz
