#include "fugu/rows/person_draw.h"

#include <fmt/format.h>

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

  // Of rows of one person, at most so many; puts them in order.
  std::vector<size_t> of(std::vector<size_t>& own, uint64_t most) {
    if (own.size() == 1) return std::vector<size_t>(std::min(rows_[own.front()].times, most), own.front());
    // What is written in two ways and is one number counts on: the order of the texts says which is which.
    std::sort(own.begin(), own.end(), [&](size_t a, size_t b) { return rows_[a].texts < rows_[b].texts; });
    std::unordered_map<std::string, uint64_t> seen;         // parts of a key, and how many rows have had them
    std::vector<std::pair<HmacSha256::Mac, size_t>> least;  // increasing
    for (size_t row : own) {
      const auto known = seen.try_emplace(parts_of(rows_[row]), 0).first;
      for (uint64_t j = 0; j < rows_[row].times; ++j) {
        std::string message = known->first;
        append_number(message, known->second++);
        const std::pair<HmacSha256::Mac, size_t> one{keys_.of(message), row};
        if (least.size() == most && !(one.first < least.back().first)) continue;
        if (least.size() == most) least.pop_back();
        least.insert(std::upper_bound(least.begin(), least.end(), one,
                                      [](const auto& a, const auto& b) { return a.first < b.first; }),
                     one);
      }
    }
    std::vector<size_t> taken;
    for (const auto& [key, row] : least) taken.push_back(row);
    return taken;
  }

  bool have_one_secret(const std::vector<size_t>& own) const {
    const std::vector<std::string_view> first = texts_in(rows_[own.front()].texts);
    return std::all_of(own.begin(), own.end(), [&](size_t row) {
      const std::vector<std::string_view> texts = texts_in(rows_[row].texts);
      for (size_t k = 0; k < terms_.secrets; ++k) {
        if (rule_.label_of(texts[k]) != rule_.label_of(first[k])) return false;
      }
      return true;
    });
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

namespace {

// Calls back with the places of each person's rows.
template <class Visit>
void visit_people(const std::vector<PersonRow>& rows, const Visit& visit) {
  Tally people;
  std::vector<size_t> person(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) person[k] = people.add(rows[k].person, 0);
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return person[a] < person[b]; });
  std::vector<size_t> own;
  for (size_t k = 0; k < order.size();) {
    own.clear();
    for (const size_t whose = person[order[k]]; k < order.size() && person[order[k]] == whose; ++k)
      own.push_back(order[k]);
    visit(own);
  }
}

}  // namespace

std::vector<size_t> drawn_rows(const std::vector<PersonRow>& rows, const std::string& seed,
                               const RowTerms& terms) {
  PersonDraw draw(rows, seed, terms);
  std::vector<size_t> taken;
  visit_people(rows, [&](std::vector<size_t>& own) { taken.push_back(draw.of(own, 1).front()); });
  std::sort(taken.begin(), taken.end());
  return taken;
}

std::vector<PersonBag> drawn_bags(const std::vector<PersonRow>& rows, const std::string& seed,
                                  const RowTerms& terms, uint64_t most) {
  PersonDraw draw(rows, seed, terms);
  std::vector<PersonBag> bags;
  visit_people(rows, [&](std::vector<size_t>& own) {
    PersonBag& bag = bags.emplace_back();
    bag.first = own.front();
    bag.one_secret = draw.have_one_secret(own);
    bag.rows = draw.of(own, most);
  });
  return bags;
}

Error several_secrets(const std::string& place) {
  return Error(ErrorKind::kData, place + ": one person's rows have different secrets",
               "give all rows of a person the same secret; without --rows-per-person, fugu releases one row "
               "per person, and the promise is about the secret in that row");
}

}  // namespace fugu::inline in_rows
