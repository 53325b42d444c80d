#include "fugu/report/cross_text.h"

#include <fmt/format.h>

#include "fugu/csv/csv_field.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

double share_of(uint64_t count, const CrossTable& table) {
  return static_cast<double>(count) / static_cast<double>(table.rows);
}

std::string lines_of(const CrossTable& table, const std::vector<CrossCell>& cells, const std::string& sure) {
  std::vector<TextColumn> columns;
  for (const CrossColumn& column : table.columns) columns.push_back({printable(column.name), Align::kLeft});
  columns.push_back({"count", Align::kRight});
  columns.push_back({"share", Align::kRight});
  columns.push_back({"standard error, at most", Align::kRight});
  columns.push_back({sure + " that it is", Align::kRight});
  TextTable text(std::move(columns));
  for (const CrossCell& cell : cells) {
    std::vector<std::string> line;
    for (const auto& value : cell.values) line.push_back(value ? printable(*value) : "(all)");
    line.push_back(grouped(cell.count));
    line.push_back(fmt::format("{:.2f} %", 100 * share_of(cell.count, table)));
    line.push_back(rounded_up(cell.bounds.standard_error, 3));
    line.push_back(fmt::format("{} to {}", grouped(cell.bounds.low), grouped(cell.bounds.high)));
    text.add(std::move(line));
  }
  return text.text();
}

std::string names_of(const CrossTable& table) {
  std::vector<std::string> names;
  for (const CrossColumn& column : table.columns) names.push_back(printable(column.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

Json cross_value(const CrossColumn& column, const std::optional<std::string>& text) {
  if (!text) return Json::null();
  const bool is_number = column.released && !column.released->is_categorical();
  const auto number = is_number ? column.released->reads.number(*text) : std::nullopt;
  return number ? value_to_json(column.released->reads, *number) : Json::string(*text);
}

Json cells_to_json(const CrossTable& table, const std::vector<CrossCell>& cells) {
  Json list = Json::array();
  for (const CrossCell& cell : cells) {
    Json values = Json::array();
    for (size_t c = 0; c < cell.values.size(); ++c)
      values.if_array()->push_back(cross_value(table.columns[c], cell.values[c]));
    Json one = Json::object();
    one.add("values", std::move(values));
    one.add("count", Json::number(static_cast<long long>(cell.count)));
    one.add("share", Json::number(share_of(cell.count, table)));
    one.add("standard_error", Json::number(cell.bounds.standard_error));
    one.add("low", Json::number(static_cast<long long>(cell.bounds.low)));
    one.add("high", Json::number(static_cast<long long>(cell.bounds.high)));
    list.if_array()->push_back(std::move(one));
  }
  return list;
}

void add_cross_table(Json& json, const CrossTable& table) {
  std::vector<std::string> names;
  for (const CrossColumn& column : table.columns) names.push_back(column.name);
  json.add("table", Json::strings(names));
  json.add("rows", Json::number(static_cast<long long>(table.rows)));
  json.add("cells", cells_to_json(table, table.cells));
  json.add("totals", cells_to_json(table, table.totals));
  json.add("notes", Json::strings(table.notes));
}

}  // namespace

std::string cross_text(const CrossTables& tables) {
  const std::string sure = fmt::format("{} % sure", for_people(100 * tables.confidence, 12));
  std::string out;
  for (const CrossTable& table : tables.tables) {
    out += fmt::format("{}{} released, counted by {} as they stand\n\n", out.empty() ? "" : "\n",
                       counted(table.rows, "row"), names_of(table));
    out += lines_of(table, table.cells, sure);
    out += "\n  Totals\n" + lines_of(table, table.totals, sure);
    for (const std::string& note : table.notes) out += field("note", printable(note));
  }
  return out;
}

Json cross_to_json(const CrossTables& tables) {
  Json json = Json::object();
  json.add("confidence", Json::number(tables.confidence));
  json.add("of", Json::string("table"));
  if (tables.one) {
    add_cross_table(json, tables.tables.front());
    return json;
  }
  Json list = Json::array();
  for (const CrossTable& table : tables.tables) {
    Json one = Json::object();
    add_cross_table(one, table);
    list.if_array()->push_back(std::move(one));
  }
  json.add("tables", std::move(list));
  return json;
}

std::string cross_csv(const CrossTables& tables) {
  const CrossTable& table = tables.tables.front();
  std::string out = "line,";
  for (const CrossColumn& column : table.columns) out += csv_field(column.name, ',') + ",";
  out += "count,share,standard_error,low,high\n";
  auto add = [&](const char* kind, const std::vector<CrossCell>& cells) {
    for (const CrossCell& cell : cells) {
      out += kind;
      for (const auto& value : cell.values) out += "," + csv_field(value.value_or(""), ',');
      out += fmt::format(",{},{},{},{},{}\n", cell.count, share_of(cell.count, table),
                         cell.bounds.standard_error, cell.bounds.low, cell.bounds.high);
    }
  };
  add("cell", table.cells);
  add("total", table.totals);
  return out;
}

}  // namespace fugu::inline in_report
