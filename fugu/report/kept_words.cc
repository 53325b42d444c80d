#include "fugu/report/kept_words.h"

#include <fmt/format.h>

#include "fugu/plan/plan.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

// The unit of a column of numbers, with a blank before it: of dates their own, of others none is known.
std::string unit_of(const ColumnShape& shape) {
  if (shape.reads.date) return fmt::format(" {}s", word_of(shape.reads.date->unit));
  return shape.reads.numbers.percent ? " %" : "";
}

std::string name_of(const Scenario& scenario, size_t c) {
  if (!scenario.source || c >= scenario.source->published.size()) return fmt::format("column {}", c + 1);
  return printable(listed(*scenario.source, {scenario.source->published[c]}));
}

// What becomes of the numbers of a column, beside how far they spread.
std::string change_words(const Scenario& scenario, const RowFacts& rows, size_t c) {
  const std::string unit = unit_of(scenario.shape(c));
  return fmt::format("values change by {}{} (root mean square), beside a spread of {}{}",
                     compact(rows.rms[c], 3), unit, compact(rows.spread[c], 3), unit);
}

}  // namespace

bool has_numbers(const Scenario& scenario) {
  for (size_t c = 0; c < scenario.released_columns(); ++c) {
    if (!scenario.shape(c).is_categorical()) return true;
  }
  return false;
}

std::vector<std::string> kept_words(const Scenario& scenario, const RowFacts& rows) {
  const size_t columns = scenario.released_columns();
  if (columns == 1) {
    std::vector<std::string> words{fmt::format("{} of the values stay unchanged", percent(rows.unchanged))};
    if (!scenario.shape(0).is_categorical() && rows.rms[0] > 0)
      words.push_back(change_words(scenario, rows, 0));
    return words;
  }
  std::vector<std::string> words{fmt::format(
      "{} of the rows stay unchanged{}", percent(rows.unchanged),
      rows.unchanged < 1
          ? fmt::format("; a changed row differs in {} columns on average", compact(rows.changed_columns, 2))
          : "")};
  std::string categories;
  for (size_t c = 0; c < columns; ++c) {
    if (scenario.shape(c).is_categorical())
      categories += fmt::format("{}{} {}", categories.empty() ? "" : ", ", name_of(scenario, c),
                                percent(rows.columns[c]));
  }
  if (!categories.empty()) words.push_back("unchanged by column: " + categories);
  for (size_t c = 0; c < columns; ++c) {
    if (!scenario.shape(c).is_categorical())
      words.push_back(fmt::format("{}: {} unchanged; {}", name_of(scenario, c), percent(rows.columns[c]),
                                  change_words(scenario, rows, c)));
  }
  return words;
}

std::string frequencies_words(const RowFacts& rows, const std::optional<TypicalShare>& share) {
  std::string words =
      rows.keeps_frequencies ? "frequencies hold as they stand" : "frequencies must be estimated";
  if (!share || share->within == 0) return words;
  return words + fmt::format(": a share of {} {} about ±{} points", percent(share->share),
                             share->within >= share->share ? "stays unknown, by" : "is then known to",
                             compact(100 * share->within, 2));
}

const char* composes_words(Repeated repeated) {
  switch (repeated) {
    case Repeated::kNothing:
      return "composes: a second release reveals nothing new";
    case Repeated::kAddsToAny:
      return "composes: its epsilon adds to that of any other releases of the same values";
    case Repeated::kAddsUp:
      return "composes: epsilons of releases by this method, kantorovich, relaxed, harmonic or sensitivity "
             "add up; beside another method ask fugu compose";
    case Repeated::kInfluence:
      return "composes: further releases add up by their influence";
    default:
      return "does not simply add up with more releases of the same values: ask fugu compose first";
  }
}

}  // namespace fugu::inline in_report
