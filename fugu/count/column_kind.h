// What the texts of a column are taken for: numbers, dates, or categories, with an order or without, of which
// codes are some that look like numbers and are none (docs/columns.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/scenario/reading.h"

namespace fugu::inline in_count {

enum class ColumnKind { kNumber, kCategory, kOrdered, kCode, kDate };
// "number", "category", "ordered category", "code", "date".
const char* word_of(ColumnKind kind);

// As somebody says it: "number", "number:comma", "date:mdy", "code".
struct KindSaid {
  ColumnKind kind = ColumnKind::kCategory;
  NumberForm numbers = {};
  std::optional<DateForm> date = {};  // none: as the texts show
  bool is_categorical() const { return kind != ColumnKind::kNumber && kind != ColumnKind::kDate; }
};
// nullopt for any other words.
std::optional<KindSaid> kind_named(std::string_view words);
inline constexpr const char* kKindHint =
    "write COL=number, COL=date, COL=category, COL=ordered or COL=code; number:comma, number:thousands, "
    "number:percent, date:dmy and date:mdy say how it is written";

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

// What a column's texts are taken for where nobody says it, and what there is to ask about that.
struct DetectedKind {
  enum Doubt : uint8_t {
    kNone,
    kMayBeCode,     // whole numbers with a sign of a code
    kNumberForm,    // numbers as people write them: `reads`, or the `other` form
    kMixedNumbers,  // numbers and texts
    kDayOrMonth,    // dates of which day and month cannot be told apart
    kMixedDates,    // dates and texts, of which the dates are more
    kMixedForms,    // dates of several forms
  };
  ColumnKind kind = ColumnKind::kCategory;
  Doubt doubt = kNone;
  Reading reads = {};                    // of numbers and dates, in days
  std::optional<NumberForm> other = {};  // with kNumberForm
  std::string why = {};                  // of kMayBeCode its sign
};
// Of the distinct texts, without those that are missing. Precondition: there is one.
DetectedKind detect_kind(std::string_view name, const std::vector<std::string_view>& texts);
// The doubt in words, with the flag that ends it for the column of that name: "may hold numbers with a
// decimal comma", "--kind price=number:comma"; COL=… where the name would have to be quoted.
struct DoubtWords {
  std::string what, hint;
};
DoubtWords words_of(const DetectedKind& detected, std::string_view name);

// The forms of dates that all of these texts have: two where day and month cannot be told apart.
std::vector<DateForm> date_forms_of(const std::vector<std::string_view>& texts);
// Whether a text is a date of any form; a number as people write it, but not a plain one.
bool is_date(std::string_view text);
bool is_written_number(std::string_view text);

// The texts in the order that they tell themselves: by the number that each begins with, but for signs
// ("[0-10)", "< 20", "30 to 40"), or by their place on a scale that everybody knows (low, medium, high;
// Monday to Sunday). Nullopt where they tell none.
std::optional<std::vector<std::string>> told_order(std::vector<std::string> texts);

}  // namespace fugu::inline in_count
