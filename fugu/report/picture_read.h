// Reading the numbers of a picture back. All throw Error (data) where they are not there.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "fugu/core/json_read.h"

namespace fugu::inline in_report {

inline const Json::Array& list_at(const Json& json, const char* key) {
  return need_array(need(json, key, "picture"), "picture");
}
inline std::string text_at(const Json& json, const char* key) {
  return need_string(need(json, key, "picture"), "picture");
}
inline std::vector<std::string> texts_at(const Json& json, const char* key) {
  return need_strings(need(json, key, "picture"), "picture");
}
// The nearest double; 0 where there is none.
inline double number_of(const Json& json) {
  const Json::Number* number = json.if_number();
  return number ? std::strtod(number->literal.c_str(), nullptr) : 0;
}
inline double number_at(const Json& json, const char* key) { return number_of(need(json, key, "picture")); }
inline size_t place_at(const Json& json, const char* key) {
  return static_cast<size_t>(std::max(0.0, number_at(json, key)));
}
inline bool is_true(const Json& json, const char* key) {
  const Json* member = json.find(key);
  return member && member->if_boolean() && *member->if_boolean();
}
inline bool has(const Json& json, const char* key) {
  const Json* member = json.find(key);
  return member && !member->is_null();
}

}  // namespace fugu::inline in_report
