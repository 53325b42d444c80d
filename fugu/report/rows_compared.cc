#include "fugu/report/rows_compared.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/report/leakage_text.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

const char* repeated_words(Repeated repeated) {
  switch (repeated) {
    case Repeated::kNothing:
      return "at no cost";
    case Repeated::kAddsToAny:
      return "epsilons add up";
    case Repeated::kAddsUp:
      return "epsilons add up (*)";
    case Repeated::kInfluence:
      return "within its influence";
    default:
      return "ask fugu compose";
  }
}

// By method.
std::string methods_table(const std::vector<const Candidate*>& shown, bool several) {
  std::vector<TextColumn> head{{"method", Align::kLeft}, {"rows unchanged", Align::kRight}};
  if (several) head.push_back({"columns changed", Align::kRight});
  head.insert(head.end(), {{"frequencies as they stand", Align::kLeft},
                           {"may be repeated", Align::kLeft},
                           {"secret guessed", Align::kRight},
                           {"bits revealed", Align::kRight},
                           {"maximal leakage", Align::kRight}});
  TextTable table(head);
  bool starred = false;  // whether some epsilons add up only beside some
  for (const Candidate* candidate : shown) {
    const RowFacts& rows = *candidate->rows;
    std::vector<std::string> cells{candidate->method, percent(rows.unchanged)};
    if (several) cells.push_back(rows.unchanged < 1 ? compact(rows.changed_columns, 3) : "-");
    cells.insert(cells.end(),
                 {rows.keeps_frequencies ? "right" : "must be estimated", repeated_words(candidate->repeated),
                  percent_up(rows.leakage.guessed_after.high), rounded_up(rows.leakage.told.high, 3),
                  rounded_up(rows.leakage.maximal.high, 3)});
    table.add(std::move(cells));
    starred = starred || candidate->repeated == Repeated::kAddsUp;
  }
  if (!starred) return table.text();
  return table.text() + "\n" +
         wrapped(
             "(*) beside releases by this method, kantorovich, relaxed, harmonic or sensitivity; beside "
             "another method ask fugu compose.",
             kTextWidth, 0) +
         "\n";
}

std::string released_name(const Scenario& scenario, size_t c) {
  return scenario.rows_per_person() == 1 ? column_name(scenario, c)
                                         : listed(*scenario.source, {scenario.source->published[c]});
}

// By released column: how much of it stays, or how far it is moved beside how far its values spread.
std::string columns_table(const Scenario& scenario, const std::vector<const Candidate*>& shown) {
  std::vector<TextColumn> head{{"column", Align::kLeft}, {"spread", Align::kRight}};
  for (const Candidate* candidate : shown) head.push_back({candidate->method, Align::kRight});
  TextTable table(head);
  for (size_t c = 0; c < scenario.released_columns(); ++c) {
    const bool category = scenario.shape(c).is_categorical();
    std::vector<std::string> cells{printable(released_name(scenario, c)),
                                   category ? "-" : compact(shown.front()->rows->spread[c], 3)};
    for (const Candidate* candidate : shown)
      cells.push_back(category ? percent(candidate->rows->columns[c])
                               : "±" + compact(candidate->rows->rms[c], 3));
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace

std::string guessing_sentence(const Scenario& scenario, const std::vector<Candidate>& candidates) {
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [](const Candidate& candidate) { return candidate.rows.has_value(); });
  if (found == candidates.end()) return "";
  const Leakage& leakage = found->rows->leakage;
  return fmt::format(
      "The best guess of somebody who knows {2} is right for {0} of the people without any release, and for "
      "at most {1} with their true values. Figures are rounded up; those of releases are upper bounds{3}.",
      percent_up(leakage.guessed_before.high), percent_up(leakage.guessed_true.high),
      guesser_words(scenario, leakage),
      scenario.priors.size() > 1 ? ", the maximal leakage that of the worst prior" : "");
}

std::string rows_text(const Scenario& scenario, const std::vector<Candidate>& candidates) {
  std::vector<const Candidate*> shown;
  for (const Candidate& candidate : candidates) {
    if (candidate.rows) shown.push_back(&candidate);
  }
  if (shown.empty()) return "";
  std::string out = "\nWhat happens to the rows:\n\n" + methods_table(shown, scenario.released_columns() > 1);
  out += "\n" + wrapped(guessing_sentence(scenario, candidates), kTextWidth, 0) + "\n";
  if (!scenario.is_joint()) return out;
  out += "\nFor each column, the share that stays; for numbers, the change (rms) next to their spread:\n\n" +
         columns_table(scenario, shown);
  for (const Candidate* candidate : shown) {
    for (size_t c = 0; c < scenario.released_columns(); ++c) {
      const RowFacts& rows = *candidate->rows;
      if (candidate->method == "swap" || scenario.shape(c).is_categorical() || rows.rms[c] <= rows.spread[c])
        continue;
      out += fmt::format("\nWarning: {} changes {} by more than its own spread.\n", candidate->method,
                         printable(released_name(scenario, c)));
    }
  }
  return out;
}

Json rows_to_json(const Candidate& candidate) {
  const RowFacts& rows = *candidate.rows;
  Json columns = Json::array();
  for (size_t c = 0; c < rows.columns.size(); ++c) {
    Json column = Json::object();
    column.add("unchanged", Json::number(rows.columns[c]));
    column.add("rms", Json::number(rows.rms[c]));
    column.add("spread", Json::number(rows.spread[c]));
    columns.if_array()->push_back(std::move(column));
  }
  Json json = Json::object();
  json.add("unchanged", Json::number(rows.unchanged));
  json.add("changed_columns", Json::number(rows.changed_columns));
  json.add("columns", std::move(columns));
  json.add("frequencies_hold", Json::boolean(rows.keeps_frequencies));
  json.add("composes", Json::boolean(candidate.repeated != Repeated::kAsk));
  json.add("leakage", leakage_to_json(rows.leakage));
  return json;
}

}  // namespace fugu::inline in_report
