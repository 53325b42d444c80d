// Reading fugu's JSON files: each piece, or one clear error. `place` names the file and the path within it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/number.h"

namespace fugu::inline in_core {

Error data_error(const std::string& place, const std::string& message, const std::string& hint);

// All of these throw Error (data) when the value is not what it must be.
void check_keys(const Json& object, const std::string& place, std::initializer_list<std::string_view> known);
const Json& need(const Json& object, std::string_view key, const std::string& place);
const Json::Array& need_array(const Json& value, const std::string& place);
Rational need_number(const Json& value, const std::string& place);
// Nothing when need_number would throw.
std::optional<Rational> if_number(const Json& value);
// A whole number, not negative, of at most 10,000 digits, as a literal or in quotes.
Integer need_natural(const Json& value, const std::string& place);
std::string need_string(const Json& value, const std::string& place);
std::vector<std::string> need_strings(const Json& value, const std::string& place);
Lattice lattice_from_json(const Json& json, const std::string& place);

// A number as JSON: a literal where a decimal writes it, else a fraction in quotes.
Json number_to_json(const Rational& value);
Json lattice_to_json(const Lattice& lattice);

// Lattice points, written as their values. They must increase strictly, and there must be one.
Json points_to_json(const std::vector<int64_t>& points, const Lattice& lattice);
std::vector<int64_t> need_points(const Json& value, const Lattice& lattice, const std::string& place);

}  // namespace fugu::inline in_core
