// Fields of several columns as one label: the one place that joins them, for what counts rows and for what
// releases them.
//
// A promise speaks of labels. So no two different rows of texts may share one: two secrets that count as one
// would not be hidden from each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_rows {

// The label of missing values under Missing::kKeep.
inline constexpr const char* kMissingLabel = "(missing)";

// Whether a field is missing: an empty one is, and one of the texts `na`.
bool means_missing(std::string_view text, const std::vector<std::string>& na);

struct JoinedLabel {
  std::string label;   // "p & q", "sex = F & age = 30"
  std::string parted;  // the texts parted by NUL, which no field holds

  // The text of one more column; `name`, where given, stands before it.
  void add(std::string_view name, std::string_view text);
};

// What stands before the text of a given column.
std::string given_prefix(std::string_view column);

// Whether no other texts of these columns make this label; `names` are those of the columns, as they were
// added.
bool splits_once(std::string_view label, const std::vector<std::string>& names);

// The texts of such a label; nullopt where several make it, or none do.
std::optional<std::vector<std::string>> texts_of_label(std::string_view label,
                                                       const std::vector<std::string>& names);

// Adds the label to `labels` and its texts to `parted`, which go together; its index there, or none when
// other texts made the same label before.
std::optional<size_t> add_label(const JoinedLabel& joined, uint64_t line, uint64_t times, Tally& labels,
                                Tally& parted);

// How missing fields are written, column by column. What --missing keep makes one label is one secret or
// group only when it is written in one way.
class MissingTexts {
 public:
  // False when a missing field of the column was written in another way before.
  bool add(size_t column, std::string_view text);
  // Takes over what another has seen; a column that is written in two ways, where there is one.
  std::optional<size_t> add(const MissingTexts& other);

 private:
  std::vector<std::vector<std::string>> texts_;  // by column; of two ways no more are kept
};

// Both (data). `place` names the table, where that is known the row, and the columns; `what` is "secrets" or
// "groups".
Error same_label(const std::string& place, const std::string& what);
Error missing_in_two_ways(const std::string& place);

}  // namespace fugu::inline in_rows
