// Some rows of each person, drawn at random: which depends on the seed and on the person's own rows, and on
// nothing else, neither their order nor where they are read from.
//
// A row is its texts: the secret's, the given and the published ones, in this order, a missing one as its
// label and a published number as its shortest decimal. Of m equal rows of a person the j-th, j = 0 … m - 1,
// has the key HMAC-SHA-256(seed, person, texts, j), each part behind its length; the rows of the least keys
// are taken. To whoever does not know the seed that is a uniform draw among the person's rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/rows/row_rule.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_rows {

// Rows of a person with the same texts.
struct PersonRow {
  std::string_view person;
  std::string_view texts;  // parted by NUL
  uint64_t times;          // at least 1
};

// The places of those that are taken, one of each person, in their order. `seed` is 64 hexadecimal digits,
// the terms say what is missing and which texts are published.
std::vector<size_t> drawn_rows(const std::vector<PersonRow>& rows, const std::string& seed,
                               const RowTerms& terms);

// A person's rows that are taken, at most so many: their places, those of equal rows again and again, in the
// order of their keys.
struct PersonBag {
  std::vector<size_t> rows;
  size_t first = 0;        // the place of the person's first row
  bool one_secret = true;  // of all the person's rows
};
// One for each person, in the order of their first rows.
std::vector<PersonBag> drawn_bags(const std::vector<PersonRow>& rows, const std::string& seed,
                                  const RowTerms& terms, uint64_t most);

// Error (data) of people whose rows do not have one secret, of whom the first is at `place`.
Error several_secrets(const std::string& place);

// What RowRule says of rows that differ in the person alone, said once. One for each thread.
class PersonJudge {
 public:
  // It must outlive this; the extra text of its terms is the person.
  explicit PersonJudge(const RowRule& rule) : rule_(rule) {}

  // Of a row of texts parted by NUL, the person's last.
  bool is_value(std::string_view row);

 private:
  const RowRule& rule_;
  Tally known_;                  // texts but the person's
  std::vector<uint8_t> values_;  // by these
};

// The person of such a row, and the texts before it.
std::pair<std::string_view, std::string_view> person_and_texts(std::string_view row);

}  // namespace fugu::inline in_rows
