#include "fugu/audit/row_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/audit/output_law.h"
#include "fugu/audit/trials.h"

namespace fugu {
namespace {

// A count to be tested, and how its event is called.
struct Question {
  const char* check;
  std::string event;
  Trials trials;
};

std::string of_column(const ColumnRelease& column, size_t columns) {
  return columns > 1 ? fmt::format(" of column '{}'", column.map.name) : "";
}

void ask_law(const OutputLaw& law, const AuditedColumn& rows, const std::vector<double>& levels,
             const std::string& where, std::vector<Question>& questions) {
  for (size_t level = 0; level < law.levels(); ++level) {
    Trials trials;
    for (size_t row = 0; row < rows.truth.size(); ++row) {
      if (const auto cut = law.cut(rows.truth[row], level))
        trials.add(rows.released[row] <= cut->at, cut->chance);
    }
    questions.push_back(
        {"law", fmt::format("outputs{} in the lowest {:.3g} of their law", where, levels[level]), trials});
  }
}

void ask_digits(const OutputLaw& law, const AuditedColumn& rows, const std::string& where,
                std::vector<Question>& questions) {
  Trials trials;
  for (size_t row = 0; row < rows.truth.size(); ++row) {
    if (const auto chance = law.even(rows.truth[row])) trials.add(rows.released[row] % 2 == 0, *chance);
  }
  questions.push_back({"digits", fmt::format("outputs{} at even lattice points", where), trials});
}

// The distances between rows that are compared: small ones, powers of two and ten, and half of all.
std::vector<size_t> distances(size_t rows) {
  std::vector<size_t> result{3, 5, 7};
  for (size_t d = 1; d <= rows / 2; d *= 2) result.push_back(d);
  for (size_t d = 10; d <= rows / 2; d *= 10) result.push_back(d);
  result.push_back(rows / 2);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  std::erase_if(result, [&](size_t d) { return d == 0 || 2 * d > rows; });
  return result;
}

// Pairs of rows that have no row in common, `distance` apart.
template <class Visit>
void for_each_pair(size_t rows, size_t distance, Visit visit) {
  for (size_t row = 0; row + distance < rows; ++row) {
    if (row / distance % 2 == 0) visit(row, row + distance);
  }
}

void ask_rows(const OutputLaw& law, const AuditedColumn& rows, size_t median, const std::string& where,
              std::vector<Question>& questions) {
  if (law.changes_nothing()) return;
  const size_t size = rows.truth.size();
  for (size_t distance : distances(size)) {
    Trials sides, same;
    for_each_pair(size, distance, [&](size_t a, size_t b) {
      const auto cut_a = law.cut(rows.truth[a], median), cut_b = law.cut(rows.truth[b], median);
      if (cut_a && cut_b)
        sides.add((rows.released[a] <= cut_a->at) == (rows.released[b] <= cut_b->at),
                  agreement(cut_a->chance, cut_b->chance));
      if (const auto chance = law.same_noise())
        same.add(rows.released[a] - rows.truth[a] == rows.released[b] - rows.truth[b], *chance);
    });
    questions.push_back(
        {"rows", fmt::format("rows{} {} apart on the same side of their medians", where, distance), sides});
    questions.push_back({"rows", fmt::format("rows{} {} apart with the same noise", where, distance), same});
  }
}

Check check_possible(const std::vector<OutputLaw>& laws, const AuditedRows& rows) {
  Check check{"possible", rows.rows()};
  for (size_t c = 0; c < laws.size(); ++c) {
    const AuditedColumn& column = rows.columns[c];
    for (size_t row = 0; row < column.truth.size() && !check.fault; ++row) {
      if (laws[c].is_possible(column.truth[row], column.released[row])) continue;
      check.fault = fmt::format("row {} has an output that its value never becomes", row + 1);
      check.rarity = 0;
    }
  }
  return check;
}

void judge(const std::vector<Question>& questions, const Rational& error, std::vector<Check>& checks) {
  for (const char* name : {"law", "digits", "rows"}) checks.push_back({name});
  const double least = round_down(error / Integer(2 * std::max<size_t>(questions.size(), 1)));
  for (const Question& question : questions) {
    Check& check = *std::find_if(checks.begin(), checks.end(),
                                 [&](const Check& one) { return one.name == question.check; });
    if (question.trials.rows() == 0) continue;
    ++check.tests;
    const double many = question.trials.rarity_of_many(), few = question.trials.rarity_of_few();
    const double rarity = std::min(many, few);
    if (rarity >= check.rarity) continue;
    check.rarity = rarity;
    if (rarity <= least)
      check.fault = fmt::format("there are too {} {}", many < few ? "many" : "few", question.event);
  }
}

}  // namespace

std::vector<Check> check_rows(const std::vector<ColumnRelease>& columns, const AuditedRows& rows,
                              const Rational& error) {
  Check texts{"texts", rows.rows()};
  if (rows.odd_text) {
    texts.fault = fmt::format("the text of row {} is not that of a lattice point", *rows.odd_text);
    texts.rarity = 0;
    return {texts};
  }
  const std::vector<double> levels = usual_levels(rows.rows());
  const auto median = static_cast<size_t>(std::find(levels.begin(), levels.end(), 0.5) - levels.begin());
  std::vector<OutputLaw> laws;
  std::vector<Question> questions;
  for (size_t c = 0; c < columns.size(); ++c) {
    const OutputLaw& law = laws.emplace_back(columns[c], levels);
    const std::string where = of_column(columns[c], columns.size());
    ask_law(law, rows.columns[c], levels, where, questions);
    ask_digits(law, rows.columns[c], where, questions);
    ask_rows(law, rows.columns[c], median, where, questions);
  }
  std::vector<Check> checks{texts, check_possible(laws, rows)};
  judge(questions, error, checks);
  return checks;
}

}  // namespace fugu
