// What is said of an inspection.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/inspect/inspection.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_inspect {
namespace {

constexpr double kTells = 0.1;   // of the secret's entropy: a column that does reveals it
constexpr double kGains = 0.05;  // in guesses

std::string loss_words(double loss) { return std::isinf(loss) ? "infinite" : for_people(loss, 4); }

std::string step_words(const InspectedColumn& column) {
  if (!column.lattice) return "-";
  const std::string step = short_text(column.lattice->step);
  return column.reads.date ? fmt::format("{} day{}", step, column.lattice->step == 1 ? "" : "s") : step;
}

std::string joined(const std::vector<std::string>& names) {
  return printable(fmt::format("{}", fmt::join(names, " & ")));
}

std::vector<std::string> cells_of_row(const InspectedColumn& column, const Inspection& inspection) {
  const bool many = column.kind == "many" || column.kind == "other";
  std::vector<std::string> row{
      printable(column.name), column.kind,
      column.kind == "many" ? "many"
      : many                ? "-"
                            : grouped(column.distinct),
      many ? "-" : percent(static_cast<double>(column.missing) / static_cast<double>(inspection.rows)),
      step_words(column)};
  if (inspection.secret.empty()) {
    row.push_back(many ? "-" : grouped(column.small_values));
  } else if (column.secret) {
    const ColumnSecret& told = *column.secret;
    row.insert(row.end(), {percent(told.told), percent(told.guessed), loss_words(told.loss),
                           told.w_inf ? short_text(*told.w_inf) : "-", grouped(told.small_cells)});
  } else {
    row.insert(row.end(), 5, "-");
  }
  row.push_back(printable(column.note));
  return row;
}

// What the titles mean.
std::string legend(const Inspection& inspection) {
  if (inspection.secret.empty()) {
    return fmt::format(
        "small values: how many values fewer than {} rows have. Name a secret (--secret COLUMN) to see what "
        "each column reveals about it.",
        inspection.small);
  }
  return fmt::format(
      "tells: how much of the uncertainty about the secret the column removes; guesses right: for how many "
      "rows one can guess the secret from it; raw loss: how far one value moves the odds between two "
      "secrets, as a power of e; W_inf: how far values must move, at most, until any two secrets look alike "
      "(of categories: places in their list); small cells: how many pairs of a secret and a value fewer than "
      "{} rows have. At an epsilon above the raw loss the column needs no noise.",
      inspection.small);
}

}  // namespace

std::vector<InspectionWarning> inspection_warnings(const Inspection& inspection) {
  std::vector<InspectionWarning> warnings;
  if (std::any_of(inspection.columns.begin(), inspection.columns.end(),
                  [](const InspectedColumn& column) { return column.name_is_data; })) {
    warnings.push_back(
        {"",
         "The first line looks like data: names of columns are among their own values, or numbers above "
         "numbers. If it is, give --no-header; if it is a header, rename such a column before you use it."});
  }
  for (const InspectedColumn& column : inspection.columns) {
    if (column.secret &&
        (column.secret->told >= kTells || column.secret->guessed >= inspection.guessed + kGains))
      warnings.push_back({column.name, fmt::format("{} reveals {}: do not publish it next to a release.",
                                                   printable(column.name), joined(inspection.secret))});
  }
  return warnings;
}

std::string inspection_text(const Inspection& inspection) {
  const bool secret = !inspection.secret.empty();
  std::string out =
      fmt::format("{}, {}.\n", counted(inspection.rows, "row"), counted(inspection.columns.size(), "column"));
  if (secret) {
    out += fmt::format("The secret {} has {}; guessing the most frequent is right for {} of the rows.\n",
                       joined(inspection.secret), counted(inspection.secrets, "value"),
                       percent(inspection.guessed));
  }
  std::vector<TextColumn> titles{{"column"}, {"kind"}};
  for (const char* title : {"values", "missing", "step"}) titles.push_back({title, Align::kRight});
  for (const char* title : {"tells", "guesses right", "raw loss", "W_inf", "small cells"}) {
    if (secret) titles.push_back({title, Align::kRight});
  }
  if (!secret) titles.push_back({"small values", Align::kRight});
  titles.push_back({""});
  TextTable table(titles);
  for (const InspectedColumn& column : inspection.columns) table.add(cells_of_row(column, inspection));
  out += "\n" + table.text();
  out += "\n";
  for (const InspectionWarning& warning : inspection_warnings(inspection))
    out += wrapped(warning.text, kTextWidth, 0) + "\n";
  return out + wrapped(legend(inspection), kTextWidth, 0) + "\n";
}

Json inspection_to_json(const Inspection& inspection) {
  Json columns = Json::array();
  for (const InspectedColumn& column : inspection.columns) {
    Json entry = Json::object();
    entry.add("name", Json::string(column.name));
    entry.add("kind", Json::string(column.kind));
    entry.add("values", column.kind == "many" || column.kind == "other"
                            ? Json::null()
                            : Json::number(static_cast<long long>(column.distinct)));
    entry.add("missing", Json::number(static_cast<long long>(column.missing)));
    entry.add("lattice", column.lattice ? lattice_to_json(*column.lattice) : Json::null());
    entry.add("range", column.range ? Json::array({value_to_json(column.reads, column.range->first),
                                                   value_to_json(column.reads, column.range->second)})
                                    : Json::null());
    entry.add("small_values", Json::number(static_cast<long long>(column.small_values)));
    entry.add("name_is_data", Json::boolean(column.name_is_data));
    entry.add("note", column.note.empty() ? Json::null() : Json::string(column.note));
    if (column.secret) {
      const ColumnSecret& told = *column.secret;
      Json secret = Json::object();
      secret.add("told", Json::number(told.told));
      secret.add("guessed", Json::number(told.guessed));
      secret.add("loss", Json::number(told.loss));  // null when infinite
      secret.add("w_inf", told.w_inf ? number_to_json(*told.w_inf) : Json::null());
      secret.add("small_cells", Json::number(static_cast<long long>(told.small_cells)));
      entry.add("secret", std::move(secret));
    }
    columns.if_array()->push_back(std::move(entry));
  }
  Json json = Json::object();
  json.add("rows", Json::number(static_cast<long long>(inspection.rows)));
  json.add("secret", Json::strings(inspection.secret));
  json.add("secrets", inspection.secret.empty() ? Json::null()
                                                : Json::number(static_cast<long long>(inspection.secrets)));
  json.add("guessed", inspection.secret.empty() ? Json::null() : Json::number(inspection.guessed));
  json.add("columns", std::move(columns));
  return json;
}

}  // namespace fugu::inline in_inspect
