// What the texts of a column are taken for: numbers, or categories, of which codes are some that look like
// numbers and are none (docs/columns.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fugu::inline in_count {

enum class ColumnKind { kNumber, kCategory, kCode };

// nullopt for any other word than number, category, code.
std::optional<ColumnKind> kind_named(std::string_view word);

// What shows that a column of whole numbers may hold a code: "its numbers begin with zeros", "its name says
// so"; empty where nothing does. Nobody wants the mean of postal codes.
std::string sign_of_a_code(std::string_view name, const std::vector<std::string_view>& texts);

// Whether a column of this name may hold people's numbers: "patient_nbr", "userId", "Customer No".
bool may_name_people(std::string_view name);

// How often the values of a column come: how many there are, and in how many rows.
struct Repeats {
  uint64_t values = 0, rows = 0;
};

// Whether a column holds people's numbers, by its name, and some person has several rows: what comes again,
// but not more than some twenty times on average.
bool repeats_people(std::string_view name, const Repeats& seen);

}  // namespace fugu::inline in_count
