#include "fugu/audit/row_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/audit/output_law.h"
#include "fugu/audit/row_pairs.h"

namespace fugu::inline in_audit {
namespace {

std::string of_column(const ColumnRelease& column, size_t columns) {
  return columns > 1 ? fmt::format(" of column '{}'", column.map.name) : "";
}

void ask_law(const OutputLaw& law, const AuditedColumn& rows, const std::vector<double>& levels,
             const std::string& where, std::vector<TestedEvent>& questions) {
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
                std::vector<TestedEvent>& questions) {
  Trials trials;
  for (size_t row = 0; row < rows.truth.size(); ++row) {
    if (const auto chance = law.even(rows.truth[row])) trials.add(rows.released[row] % 2 == 0, *chance);
  }
  questions.push_back({"digits", fmt::format("outputs{} at even lattice points", where), trials});
}

// The secrets with most rows, those with enough.
std::vector<uint32_t> common(const RowSecrets& secrets) {
  constexpr uint64_t kFewest = 20;
  constexpr size_t kMost = 50;
  std::vector<uint64_t> rows(secrets.names.size() + 1);
  for (uint32_t secret : secrets.of_row) ++rows[secret];
  std::vector<uint32_t> result;
  for (uint32_t secret = 0; secret < secrets.names.size(); ++secret) {
    if (rows[secret] >= kFewest) result.push_back(secret);
  }
  std::stable_sort(result.begin(), result.end(), [&](uint32_t a, uint32_t b) { return rows[a] > rows[b]; });
  result.resize(std::min(result.size(), kMost));
  return result;
}

void ask_secrets(const OutputLaw& law, const AuditedColumn& rows, const std::vector<double>& levels,
                 const RowSecrets& secrets, const std::string& where, std::vector<TestedEvent>& questions) {
  const std::vector<uint32_t> asked = common(secrets);
  for (double wanted : {1.0 / 16, 1.0 / 4, 1.0 / 2, 3.0 / 4, 15.0 / 16}) {
    const auto level = static_cast<size_t>(std::find(levels.begin(), levels.end(), wanted) - levels.begin());
    std::vector<Trials> trials(secrets.names.size() + 1);
    for (size_t row = 0; row < rows.truth.size(); ++row) {
      if (const auto cut = law.cut(rows.truth[row], level))
        trials[secrets.of_row[row]].add(rows.released[row] <= cut->at, cut->chance);
    }
    for (uint32_t secret : asked) {
      questions.push_back({"secrets",
                           fmt::format("outputs{} of {} in the lowest {:.3g} of their law", where,
                                       secrets.names[secret], wanted),
                           trials[secret]});
    }
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
                              const Rational& error, const RowSecrets* secrets) {
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
    ask_law(law, rows.columns[c], levels, where, questions);
    ask_digits(law, rows.columns[c], where, questions);
    if (secrets) ask_secrets(law, rows.columns[c], levels, *secrets, where, questions);
  }
  ask_pairs(laws, rows, names, median, questions);
  std::vector<Check> checks{texts, check_possible(laws, rows)};
  judge(questions, error, checks);
  if (!secrets) checks.pop_back();
  return checks;
}

}  // namespace fugu::inline in_audit
