#include "fugu/audit/row_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "fugu/audit/output_law.h"
#include "fugu/audit/row_pairs.h"
#include "fugu/audit/trials.h"

namespace fugu::inline in_audit {
namespace {

std::string of_column(const ColumnRelease& column, size_t columns) {
  return columns > 1 ? fmt::format(" of column '{}'", column.map.name) : "";
}

// The laws of a column and its rows, and how it is called: " of column 'age'", or nothing where there is one.
struct CheckedColumn {
  const OutputLaw& law;
  const AuditedColumn& rows;
  const std::string& where;
  std::vector<std::optional<Chance>> kept;  // by row: that its value is released as it is
};

std::vector<std::optional<Chance>> kept_chances(const OutputLaw& law, const AuditedColumn& rows) {
  std::unordered_map<int64_t, std::optional<Chance>> known;
  std::vector<std::optional<Chance>> kept;
  kept.reserve(rows.truth.size());
  for (int64_t value : rows.truth) {
    const auto [found, fresh] = known.try_emplace(value);
    if (fresh) found->second = law.kept(value);
    kept.push_back(found->second);
  }
  return kept;
}

std::string in_lowest(double level) { return fmt::format("in the lowest {:.3g} of their law", level); }
constexpr const char* kKept = "that are the value itself";

// Counts of each group of rows by itself: `visit` adds what it counts to the trials of a row.
template <class Visit>
void ask_groups(const CheckedColumn& column, const RowGroups& groups, const std::vector<uint32_t>& asked,
                const std::string& event, std::vector<TestedEvent>& questions, Visit visit) {
  std::vector<Trials> trials(groups.names.size() + 1);
  for (size_t row = 0; row < column.rows.truth.size(); ++row) visit(row, trials[groups.of_row[row]]);
  for (uint32_t group : asked)
    questions.push_back({groups.check,
                         fmt::format("outputs{} of {} {}", column.where, groups.names[group], event),
                         trials[group]});
}

void add_cut(const CheckedColumn& column, size_t row, size_t level, Trials& trials) {
  if (const auto cut = column.law.cut(column.rows.truth[row], level))
    trials.add(column.rows.released[row] <= cut->at, cut->chance);
}

void add_kept(const CheckedColumn& column, size_t row, Trials& trials) {
  if (column.kept[row]) trials.add(column.rows.released[row] == column.rows.truth[row], *column.kept[row]);
}

void ask_law(const CheckedColumn& column, const std::vector<double>& levels,
             std::vector<TestedEvent>& questions) {
  for (size_t level = 0; level < levels.size(); ++level) {
    Trials trials;
    for (size_t row = 0; row < column.rows.truth.size(); ++row) add_cut(column, row, level, trials);
    questions.push_back({"law", fmt::format("outputs{} {}", column.where, in_lowest(levels[level])), trials});
  }
  Trials trials;
  for (size_t row = 0; row < column.rows.truth.size(); ++row) add_kept(column, row, trials);
  questions.push_back({"law", fmt::format("outputs{} {}", column.where, kKept), trials});
}

void ask_digits(const OutputLaw& law, const AuditedColumn& rows, const std::string& where,
                std::vector<TestedEvent>& questions) {
  Trials trials;
  for (size_t row = 0; row < rows.truth.size(); ++row) {
    if (const auto chance = law.even(rows.truth[row])) trials.add(rows.released[row] % 2 == 0, *chance);
  }
  questions.push_back({"digits", fmt::format("outputs{} at even lattice points", where), trials});
}

// The groups with most rows, those with enough.
std::vector<uint32_t> common(const RowGroups& groups) {
  constexpr size_t kMost = 50;
  std::vector<uint64_t> rows(groups.names.size() + 1);
  for (uint32_t group : groups.of_row) ++rows[group];
  std::vector<uint32_t> result;
  for (uint32_t group = 0; group < groups.names.size(); ++group) {
    if (rows[group] >= kFewestRows) result.push_back(group);
  }
  std::stable_sort(result.begin(), result.end(), [&](uint32_t a, uint32_t b) { return rows[a] > rows[b]; });
  result.resize(std::min(result.size(), kMost));
  return result;
}

void ask_apart(const CheckedColumn& column, const std::vector<double>& levels, const RowGroups& groups,
               std::vector<TestedEvent>& questions) {
  const std::vector<uint32_t> asked = common(groups);
  for (double wanted : {1.0 / 16, 1.0 / 4, 1.0 / 2, 3.0 / 4, 15.0 / 16}) {
    const auto level = static_cast<size_t>(std::find(levels.begin(), levels.end(), wanted) - levels.begin());
    ask_groups(column, groups, asked, in_lowest(wanted), questions,
               [&](size_t row, Trials& trials) { add_cut(column, row, level, trials); });
  }
  ask_groups(column, groups, asked, kKept, questions,
             [&](size_t row, Trials& trials) { add_kept(column, row, trials); });
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

void judge(const std::vector<TestedEvent>& questions, const Rational& error, std::vector<Check>& checks) {
  for (const char* name : {"law", "digits", "rows", "secrets"}) checks.push_back({name});
  // Which counts have rows at all is decided by the true values alone.
  const auto asked = static_cast<size_t>(std::count_if(
      questions.begin(), questions.end(), [](const TestedEvent& one) { return one.trials.rows() > 0; }));
  const double least = round_down(error / Integer(2 * std::max<size_t>(asked, 1)));
  for (const TestedEvent& question : questions) {
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
                              const Rational& error, const std::vector<RowGroups>& groups) {
  Check texts{"texts", rows.rows()};
  if (rows.odd_text) {
    texts.fault = fmt::format("the text of row {} is not that of a lattice point", *rows.odd_text);
    texts.rarity = 0;
    return {texts};
  }
  const std::vector<double> levels = usual_levels(rows.rows());
  const auto median = static_cast<size_t>(std::find(levels.begin(), levels.end(), 0.5) - levels.begin());
  std::vector<OutputLaw> laws;
  std::vector<std::string> names;
  std::vector<TestedEvent> questions;
  for (size_t c = 0; c < columns.size(); ++c) {
    const OutputLaw& law = laws.emplace_back(columns[c], levels);
    const std::string& where = names.emplace_back(of_column(columns[c], columns.size()));
    const CheckedColumn column{law, rows.columns[c], where, kept_chances(law, rows.columns[c])};
    ask_law(column, levels, questions);
    ask_digits(law, rows.columns[c], where, questions);
    for (const RowGroups& one : groups) ask_apart(column, levels, one, questions);
  }
  ask_pairs(laws, rows, names, median, questions);
  std::vector<Check> checks{texts, check_possible(laws, rows)};
  judge(questions, error, checks);
  const bool of_secrets = std::any_of(
      groups.begin(), groups.end(), [](const RowGroups& one) { return one.check == std::string("secrets"); });
  if (!of_secrets) checks.pop_back();
  return checks;
}

}  // namespace fugu::inline in_audit
