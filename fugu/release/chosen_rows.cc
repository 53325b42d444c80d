#include "fugu/release/chosen_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/release/bag_counter.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_release {

ChosenRows::ChosenRows(RowSource& source, const RowLayout& layout, const Scenario& scenario,
                       const Progress& progress) {
  // As rows were counted: which of a person's is taken must not depend on what the plan made of others.
  const RowTerms terms{.secrets = layout.terms.secrets,
                       .given = layout.terms.given,
                       .released = layout.terms.released,
                       .given_names = layout.terms.given_names,
                       .na = layout.terms.na,
                       .missing = layout.terms.missing,
                       .extra = Extra::kPerson,
                       .drop = layout.terms.drop};
  const RowRule rule(terms);
  const size_t fields = terms.fields();
  std::vector<size_t> columns(layout.wanted.begin(), layout.wanted.begin() + static_cast<ptrdiff_t>(fields));
  columns.push_back(layout.wanted[*layout.person]);
  auto check = [&](const Field* row, uint64_t line) {
    std::vector<std::string_view> texts;
    for (size_t k = 0; k <= fields; ++k) texts.push_back(row[k].text);
    const RowVerdict verdict = rule.judge(texts);
    if (verdict.kind != RowVerdict::kRefused) return;
    const size_t place = verdict.field == fields ? *layout.person : verdict.field;
    throw rule.refusal(verdict, fmt::format("{}, {}", layout.name.row(line), layout.places[place]));
  };
  const RowCounts counts = source.count(columns, check, progress);
  std::vector<PersonRow> rows;
  std::vector<uint64_t> lines;
  PersonJudge judge(rule);
  Tally left_out;  // people of rows that are, with their lines
  for (const Tally::Entry& row : counts.rows.entries()) {
    if (!judge.is_value(row.key)) {
      if (layout.terms.keeps) left_out.add(person_and_texts(row.key).first, row.line);
      continue;
    }
    const auto [whose, texts] = person_and_texts(row.key);
    rows.push_back({whose, texts, row.count});
    lines.push_back(row.line);
  }
  if (scenario.rows_per_person() > 1) {
    choose_bags(rows, lines, layout, terms, scenario);
  } else {
    for (size_t row : drawn_rows(rows, scenario.source->person->seed, terms))
      choose(rows[row].person, rows[row].texts, lines[row]);
  }
  for (const Tally::Entry& person_left : left_out.entries()) {
    if (people_.find(person_left.key)) continue;
    throw usage(fmt::format("{}, {}: the person would be left out, and the kept columns would show that",
                            layout.name.row(person_left.line), layout.places[*layout.person]),
                "release without kept columns, or correct the rows whose fields are missing");
  }
  left_ = std::make_unique<std::atomic<uint32_t>[]>(choices_.size());
  for (size_t k = 0; k < choices_.size(); ++k) left_[k] = choices_[k].times;
}

// Persons come one after the other.
void ChosenRows::choose(std::string_view person, std::string_view texts, uint64_t line) {
  if (people_.add(person, line) == first_.size()) first_.push_back(choices_.size());
  const size_t text = texts_.add(texts, 0);
  for (size_t k = first_.back(); k < choices_.size(); ++k) {
    if (choices_[k].texts != text) continue;
    ++choices_[k].times;
    return;
  }
  choices_.push_back({text, line, 1});
}

void ChosenRows::choose_bags(const std::vector<PersonRow>& rows, const std::vector<uint64_t>& lines,
                             const RowLayout& layout, const RowTerms& terms, const Scenario& scenario) {
  const std::vector<PersonBag> bags =
      drawn_bags(rows, scenario.source->person->seed, terms, scenario.rows_per_person());
  const RowNumbers numbers(scenario);
  BagCounter counter(layout, scenario);
  uint64_t several = UINT64_MAX;  // the first line of a person with several secrets
  for (const PersonBag& bag : bags) {
    if (!bag.one_secret) several = std::min(several, lines[bag.first]);
    const uint64_t taken = numbers.released(bag.rows.size());
    for (size_t k = 0; k < taken; ++k) {
      const size_t row = bag.rows[k];
      choose(rows[row].person, rows[row].texts, lines[row]);
      counter.add(rows[row].texts, lines[row]);
    }
    counter.close();
  }
  if (several < UINT64_MAX) {
    throw several_secrets(
        fmt::format("{}: {}, {}", layout.name.file, layout.name.row(several), layout.places.front()));
  }
  if (counter.are_the_plans()) return;
  throw Error(ErrorKind::kGuarantee,
              fmt::format("{}: the table is not the one that the plan was made from", layout.name.file),
              "calibrate again");
}

size_t ChosenRows::find(std::string_view person, std::string_view texts) const {
  const auto found = people_.find(person);
  if (!found) return choices_.size();
  const size_t end = *found + 1 < first_.size() ? first_[*found + 1] : choices_.size();
  for (size_t k = first_[*found]; k < end; ++k) {
    if (texts_[choices_[k].texts].key == texts) return k;
  }
  return choices_.size();
}

bool ChosenRows::take(std::string_view person, std::string_view texts) {
  const size_t choice = find(person, texts);
  if (choice == choices_.size()) return false;
  uint32_t left = left_[choice];
  while (left > 0) {
    if (left_[choice].compare_exchange_weak(left, left - 1)) return true;
  }
  return false;
}

void ChosenRows::give_back(std::string_view person, std::string_view texts) {
  if (const size_t choice = find(person, texts); choice < choices_.size()) ++left_[choice];
}

void ChosenRows::check_taken(const std::string& file) const {
  for (size_t k = 0; k < choices_.size(); ++k) {
    if (left_[k] == 0) continue;
    throw Error(ErrorKind::kIo, fmt::format("{}: the table was changed while it was released", file),
                "run the command again when nobody writes to it; a plan with --person reads the table twice");
  }
}

}  // namespace fugu::inline in_release
