#include "fugu/release/chosen_rows.h"

#include <fmt/format.h>

#include "fugu/core/error.h"
#include "fugu/rows/person_draw.h"

namespace fugu::inline in_release {

ChosenRows::ChosenRows(RowSource& source, const RowLayout& layout, const Person& person,
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
  for (size_t row : drawn_rows(rows, person.seed, terms)) {
    people_.add(rows[row].person, lines[row]);
    choices_.push_back(texts_.add(rows[row].texts, 0));
  }
  for (const Tally::Entry& person_left : left_out.entries()) {
    if (people_.find(person_left.key)) continue;
    throw usage(fmt::format("{}, {}: the person would be left out, and the columns that are kept show that",
                            layout.name.row(person_left.line), layout.places[*layout.person]),
                "release without kept columns, or correct the rows whose fields are missing");
  }
  taken_ = std::make_unique<std::atomic<bool>[]>(choices_.size());
}

bool ChosenRows::take(std::string_view person, std::string_view texts) {
  const auto found = people_.find(person);
  return found && texts_[choices_[*found]].key == texts && !taken_[*found].exchange(true);
}

void ChosenRows::give_back(std::string_view person) {
  if (const auto found = people_.find(person)) taken_[*found] = false;
}

void ChosenRows::check_taken(const std::string& file) const {
  for (size_t k = 0; k < choices_.size(); ++k) {
    if (taken_[k]) continue;
    throw Error(ErrorKind::kIo, fmt::format("{}: the table was changed while it was released", file),
                "run the command again when nobody writes to it; a plan of --person reads the table twice");
  }
}

}  // namespace fugu::inline in_release
