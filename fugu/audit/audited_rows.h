// Rows whose true values and released values are both known.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fugu/audit/column_texts.h"
#include "fugu/plan/plan.h"
#include "fugu/release/column_map.h"

namespace fugu::inline in_audit {

// Lattice indices of one released column, row by row.
struct AuditedColumn {
  std::vector<int64_t> truth;
  std::vector<int64_t> released;
};

struct AuditedRows {
  std::vector<AuditedColumn> columns;
  // The first row, from 1, whose released text is not the one that its lattice point is written as; nothing
  // where all are. The rows from there on were not read.
  std::optional<uint64_t> odd_text = {};
  // Of a file that was read: the names of all its columns, none without a header, and the fields of those
  // that the plan does not release.
  std::vector<std::string> header = {};
  std::vector<ColumnTexts> others = {};
  uint64_t rows() const { return columns.front().released.size(); }
};

// Releases the table at `path` by the plan and writes it to the file descriptor `output`: CSV with commas.
// The program has one: release_rows(). Tests have faulty ones, to see that they are caught.
using RowReleaser = std::function<void(const Plan& plan, const std::string& path, int output)>;

// release_table(), as fugu release runs it on new data. Errors of release_table().
void release_rows(const Plan& plan, const std::string& path, int output);

// True values, of each released column one vector, and under which prior each row was drawn, where columns
// are known.
struct TrueRows {
  std::vector<std::vector<int64_t>> values;
  std::vector<size_t> priors = {};
};

// Releases rows with these true values. Error (usage) when a value of the plan, or a group of its known
// columns, has no text that a table could have; errors of the releaser; Error (guarantee) when rows come out
// that did not go in.
AuditedRows release_and_read(const Plan& plan, TrueRows truth, const RowReleaser& releaser);

// Of several rows of a person (scenario/bags.h), whose every axis is a column here: the rows of all people.
AuditedRows row_by_row(const AuditedRows& bags, size_t columns);

// Reads the released columns of a table by the plan into `rows`, whose columns must be there. Error (usage)
// for columns that the table does not have; errors of ChunkReader.
struct AuditedTable {
  std::string path;
  std::optional<char> separator = {};
};
void read_released(const Plan& plan, const AuditedTable& table, AuditedRows& rows);

}  // namespace fugu::inline in_audit
