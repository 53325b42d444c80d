// Strict JSON that keeps what was written: numbers as their literals, objects in order, no repeated keys.
//
//   Json scenario = parse_json(text, "scenario.json");
//   const Json& mass = scenario.at("priors", "scenario.json");
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fugu::inline in_core {

class Json {
 public:
  struct Number {
    std::string literal;
  };
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;  // null
  static Json null() { return Json(); }
  static Json boolean(bool value) { return Json(Value(value)); }
  static Json number(std::string literal) { return Json(Value(Number{std::move(literal)})); }
  static Json number(long long value) { return number(std::to_string(value)); }
  static Json number(double value);  // shortest text that reads back; null when not finite
  static Json string(std::string value) { return Json(Value(std::move(value))); }
  static Json strings(const std::vector<std::string>& values);
  static Json array(Array values = {}) { return Json(Value(std::move(values))); }
  static Json object(Object members = {}) { return Json(Value(std::move(members))); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  const bool* if_boolean() const { return std::get_if<bool>(&value_); }
  const Number* if_number() const { return std::get_if<Number>(&value_); }
  const std::string* if_string() const { return std::get_if<std::string>(&value_); }
  const Array* if_array() const { return std::get_if<Array>(&value_); }
  const Object* if_object() const { return std::get_if<Object>(&value_); }
  Array* if_array() { return std::get_if<Array>(&value_); }
  Object* if_object() { return std::get_if<Object>(&value_); }

  // The member of that name, or nullptr (also when this is not an object).
  const Json* find(std::string_view key) const;
  // Adds a member. Precondition: this is an object without that key.
  void add(std::string key, Json value);

  // For people: two-space indent, short arrays of scalars on one line.
  std::string pretty() const;
  // For digests: members sorted by the bytes of their keys, no space, number literals as they stand.
  // Of an object, its member `without` may be left out.
  std::string canonical(std::string_view without = {}) const;

 private:
  using Value = std::variant<std::monostate, bool, Number, std::string, Array, Object>;
  explicit Json(Value value) : value_(std::move(value)) {}
  void write(std::string& out, int indent, bool canonical, std::string_view without = {}) const;

  Value value_;
};

// Error (data) with line and column when the text is not JSON, ends early, repeats a key, nests deeper
// than 64, or is not UTF-8. `place` (a file name) begins the message.
Json parse_json(std::string_view text, const std::string& place);

}  // namespace fugu::inline in_core
