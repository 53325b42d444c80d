#include "fugu/rows/person_draw.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "fugu/core/digest.h"
#include "fugu/core/number.h"
#include "fugu/table/row_key.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_rows {
namespace {

std::string bytes_of_seed(const std::string& hex) {
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (size_t k = 0; k + 1 < hex.size(); k += 2)
    bytes += static_cast<char>(digit(hex[k]) << 4 | digit(hex[k + 1]));
  return bytes;
}

void append_number(std::string& to, uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>(number >> shift & 0xFF);
}

void append_part(std::string& to, std::string_view text) {
  append_number(to, text.size());
  to += text;
}

class PersonDraw {
 public:
  PersonDraw(const std::vector<PersonRow>& rows, const std::string& seed, const RowTerms& terms)
      : rows_(rows), terms_(terms), rule_(terms), keys_(bytes_of_seed(seed)) {}

  // Of rows of one person; puts them in order.
  size_t of(std::vector<size_t>& own) {
    if (own.size() == 1) return own.front();
    // What is written in two ways and is one number counts on: the order of the texts says which is which.
    std::sort(own.begin(), own.end(), [&](size_t a, size_t b) { return rows_[a].texts < rows_[b].texts; });
    std::unordered_map<std::string, uint64_t> seen;  // parts of a key, and how many rows have had them
    size_t best = own.front();
    HmacSha256::Mac least{};
    bool first = true;
    for (size_t row : own) {
      const auto known = seen.try_emplace(parts_of(rows_[row]), 0).first;
      for (uint64_t j = 0; j < rows_[row].times; ++j) {
        std::string message = known->first;
        append_number(message, known->second++);
        const HmacSha256::Mac key = keys_.of(message);
        if (!first && !(key < least)) continue;
        first = false;
        least = key;
        best = row;
      }
    }
    return best;
  }

 private:
  std::string parts_of(const PersonRow& row) const {
    std::string parts;
    append_part(parts, row.person);
    const std::vector<std::string_view> texts = texts_in(row.texts);
    for (size_t k = 0; k < texts.size(); ++k) {
      const auto number = k < terms_.published() ? std::nullopt : parse_decimal(texts[k]);
      append_part(parts, number ? to_text(*number) : std::string(rule_.label_of(texts[k])));
    }
    return parts;
  }

  const std::vector<PersonRow>& rows_;
  const RowTerms& terms_;
  RowRule rule_;
  HmacSha256 keys_;
};

}  // namespace

std::pair<std::string_view, std::string_view> person_and_texts(std::string_view row) {
  const size_t end = row.rfind('\0');
  return {row.substr(end + 1), row.substr(0, end)};
}

bool PersonJudge::is_value(std::string_view row) {
  const auto [person, texts] = person_and_texts(row);
  if (rule_.is_missing(person)) return false;  // left out, or an error before
  const size_t known = known_.size(), place = known_.add(texts, 0);
  if (known_.size() > known) values_.push_back(rule_.judge(texts_in(row)).kind == RowVerdict::kValue ? 1 : 0);
  return values_[place] != 0;
}

std::vector<size_t> drawn_rows(const std::vector<PersonRow>& rows, const std::string& seed,
                               const RowTerms& terms) {
  Tally people;
  std::vector<size_t> person(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) person[k] = people.add(rows[k].person, 0);
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return person[a] < person[b]; });
  PersonDraw draw(rows, seed, terms);
  std::vector<size_t> taken, own;
  taken.reserve(people.size());
  for (size_t k = 0; k < order.size();) {
    own.clear();
    for (const size_t whose = person[order[k]]; k < order.size() && person[order[k]] == whose; ++k)
      own.push_back(order[k]);
    taken.push_back(draw.of(own));
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

}  // namespace fugu::inline in_rows
