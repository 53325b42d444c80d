// A look at a table before any decision: what its columns are, and what each gives away of a secret.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/progress.h"
#include "fugu/count/row_source.h"
#include "fugu/database/database_table.h"
#include "fugu/scenario/reading.h"

namespace fugu::inline in_inspect {

struct InspectionRequest {
  std::string path;                      // "-" is standard input
  std::vector<std::string> secret = {};  // names or numbers
  std::vector<std::string> na = {};      // texts that mean missing besides the empty field
  std::optional<char> separator = {};
  bool header = true;
  uint64_t small = 5;       // fewer rows than this are too few to publish
  std::string people = {};  // the column that says how many people a row stands for, by name or number
  std::shared_ptr<DatabaseTable> database = {};  // in place of the path, where given
  std::shared_ptr<RowSource> rows = {};          // the same; it can be counted again and again
};

// What a column says of the secret, in the rows where that is not missing; that a field of the column is
// missing is a value like any other.
struct ColumnSecret {
  double loss = 0;                     // the largest |log P(x|s) / P(x|t)| of two secrets; may be infinite
  std::optional<Rational> w_inf = {};  // data units; of categories in the order of their bytes
  // The share of the secret's entropy that the column tells, 0 to 1: of each row, what the other rows with
  // its value tell, so that values which nearly no one shares tell nearly nothing.
  double told = 0;
  double guessed = 0;  // the share of rows whose secret is guessed right from the other rows with that value
  uint64_t small_cells = 0;  // pairs of secret and value with few rows, but some
};

struct InspectedColumn {
  std::string name;
  // number, date, category, ordered category, code, mixed, empty, many; other for a type that cannot be read
  std::string kind;
  std::string said_kind = {};           // the same for --kind; empty where it is asked about
  Reading reads = {};                   // of numbers and dates
  uint64_t distinct = 0;                // values; 0 where there are too many to count
  uint64_t missing = 0;                 // rows
  std::optional<Lattice> lattice = {};  // of numbers
  std::optional<std::pair<Rational, Rational>> range = {};
  uint64_t small_values = 0;  // with few rows
  bool name_is_data = false;  // as count/column_name.h says
  bool names_people = false;  // it may be a person's number
  std::string note = {};
  std::optional<ColumnSecret> secret = {};
};

struct Inspection {
  uint64_t rows = 0;
  uint64_t small = 5;  // as asked
  std::vector<std::string> secret = {};
  uint64_t secrets = 0;  // distinct
  double guessed = 0;    // the share of rows that the most frequent secret has
  std::vector<InspectedColumn> columns =
      {};  // with a secret by what they tell of it, the most first; else as they stand
};

// Errors of ChunkReader, count_columns() and of columns that do not exist; Error (usage): `people` with
// `rows`.
Inspection inspect_table(const InspectionRequest& request, const Progress& progress);

// A sentence for each column that reveals the secret.
struct InspectionWarning {
  std::string column;  // empty: it is about the whole table
  std::string text;
};
std::vector<InspectionWarning> inspection_warnings(const Inspection& inspection);

std::string inspection_text(const Inspection& inspection);
Json inspection_to_json(const Inspection& inspection);

}  // namespace fugu::inline in_inspect
