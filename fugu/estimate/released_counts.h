// How often each value was released, by groups of rows that agree in other columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/row_source.h"
#include "fugu/estimate/estimate.h"

namespace fugu::inline in_estimate {

struct ReleasedTable {
  std::string path;                    // "-" is standard input
  std::string column = {};             // name or number; the statement's when empty, by its name
  size_t place = 0;                    // of the column among those released together, and
  size_t together = 1;                 // how many these are: without a header, the table's columns
  std::vector<std::string> by = {};    // names or numbers
  std::optional<char> separator = {};  // detected when not given
  bool header = true;
  RowSource* rows = nullptr;  // counted in place of the file, where given
};

struct ReleasedGroup {
  std::string name;  // "sex = F & region = north"; empty when there is one
  ReleasedCounts counts;
};

// Where the column stands in the table. Error (data): a header without its name. Error (usage): no such
// column.
size_t released_column(const TableHead& head, const ReleasedTable& table, const WrittenColumn& column);

// Error (data) with the line: a text that is not UTF-8 or, of a released column, that no release by its
// statement holds; null for another column.
void check_written(const TableHead& head, size_t place, uint64_t line, std::string_view text,
                   const WrittenColumn* released);

// In the order of their names. Errors of ChunkReader and count_rows(). Error (data) with the line: a value
// that no release by this statement holds; a header without the statement's column. Error (usage): no such
// column.
std::vector<ReleasedGroup> count_released(const ReleasedTable& table, const PublishedColumn& column,
                                          const Progress& progress);

}  // namespace fugu::inline in_estimate
