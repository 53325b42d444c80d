#include "fugu/estimate/released_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/core/error.h"
#include "fugu/core/utf8.h"
#include "fugu/count/csv_rows.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_estimate {

size_t released_column(const TableHead& head, const ReleasedTable& table, const WrittenColumn& column) {
  if (!table.column.empty()) return head.column(table.column, "--column");
  if (head.columns == table.together && (head.header.empty() || column.name.empty())) return table.place;
  if (column.name.empty()) {
    throw Error(ErrorKind::kUsage, "--column: the statement names no column", "name the released column");
  }
  const auto& names = head.header;
  if (!names.empty() && std::find(names.begin(), names.end(), column.name) == names.end()) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: the table has no column '{}', which the statement is about", head.file,
                            is_printable(column.name) ? column.name : "?"),
                "give the statement of this release, or --column NAME if the column was renamed, or "
                "--no-header");
  }
  return head.column(column.name, "--column");
}

void check_written(const TableHead& head, size_t place, uint64_t line, std::string_view text,
                   const WrittenColumn* released) {
  auto wrong = [&](const char* what, const char* hint) {
    return Error(ErrorKind::kData,
                 fmt::format("{}, {}: {}", head.name().row(line), head.column_place(place), what), hint);
  };
  if (!is_utf8(text)) throw wrong("the text is not UTF-8", "save the file as UTF-8");
  if (released && !released->index(text)) {
    throw wrong("this value cannot come from the statement's release",
                "the statement and the table must belong to the same release");
  }
}

std::vector<ReleasedGroup> count_released(const ReleasedTable& table, const PublishedColumn& column,
                                          const Progress& progress) {
  std::optional<CsvRows> file;
  if (!table.rows) file.emplace(table.path, CsvOptions{.separator = table.separator, .header = table.header});
  RowSource& source = table.rows ? *table.rows : *file;
  const TableHead& head = source.head();
  const size_t released = released_column(head, table, column);
  std::vector<size_t> used;
  std::vector<std::string> names;
  for (const std::string& text : table.by) {
    const size_t group = head.column(text, "--by");
    if (group == released || std::find(used.begin(), used.end(), group) != used.end()) {
      throw Error(ErrorKind::kUsage, fmt::format("--by: {} is named twice", head.column_place(group)),
                  "name other columns of the table");
    }
    used.push_back(group);
    names.push_back(table.header ? head.column_text(group) : "column " + head.column_text(group));
  }
  used.push_back(released);
  auto check = [&](const Field* fields, uint64_t line) {
    for (size_t k = 0; k < used.size(); ++k)
      check_written(head, used[k], line, fields[k].text, k + 1 == used.size() ? &column : nullptr);
  };
  const RowCounts rows = source.count(used, check, progress);
  std::map<std::string, ReleasedCounts> groups;
  for (const Tally::Entry& row : rows.rows.entries()) {
    const auto parts = texts_in(row.key);
    std::string name;
    for (size_t k = 0; k < names.size(); ++k)
      name += fmt::format("{}{} = {}", k == 0 ? "" : " & ", names[k], parts[k]);
    groups[name][*column.index(parts.back())] += row.count;
  }
  if (groups.empty())
    throw Error(ErrorKind::kData, head.file + ": the table has no rows", "give the released table");
  std::vector<ReleasedGroup> result;
  for (auto& [name, counts] : groups) result.push_back({name, std::move(counts)});
  return result;
}

}  // namespace fugu::inline in_estimate
