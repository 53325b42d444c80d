// How often each secret goes with each published text in a table, by groups of people where wanted: one pass
// on all threads, memory for distinct rows of these columns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/column_kind.h"
#include "fugu/count/row_numbers.h"
#include "fugu/count/row_source.h"
#include "fugu/rows/row_rule.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_count {

struct TableColumns {
  std::string path = {};                    // "-" is standard input
  std::vector<std::string> secret = {};     // names or numbers; several make one secret, joined with " & "
  std::vector<std::string> published = {};  // names or numbers; several are one joint value
  std::vector<std::string> given = {};      // names or numbers; people who agree in them are a group
  std::vector<std::string> known = {};      // the same of columns that are known; not with given ones
  std::optional<char> separator = {};       // detected when not given
  bool header = true;
  std::vector<std::string> na = {};  // texts that mean missing besides the empty field
  Missing missing = Missing::kError;
  std::vector<std::pair<std::string, KindSaid>> kinds = {};  // of columns, by name or number
  std::vector<std::string> not_missing = {};  // texts that look missing (rows/missing_marks.h) and are values
  // Whose a row is, by name or number: of each person one row is counted, drawn by the seed
  // (rows/person_draw.h). Empty: each row is a person.
  std::string person = {}, person_seed = {};
  // Of more than one row: a number of rows is released if as many people with each secret have it, else these
  // have the next lower one (count/row_numbers.h).
  uint64_t rows_per_person = 1, least_people = 1;
  // By name or number; at most one of these and `person`. How much a row weighs, a decimal of at least 0,
  // which counts for nothing; or how many people it stands for, a whole number of at least 0.
  std::string weight = {}, people = {};
  bool rows_independent = false;  // that people seem to have several rows is no error
};

// One published column.
struct CountedColumn {
  std::string name;                    // as Source holds it
  std::string place;                   // "column 'race'"
  std::optional<KindSaid> kind = {};   // as it was said
  Tally values = {};                   // the distinct texts
  std::optional<size_t> missing = {};  // index into values of kMissingLabel, where a row has it
  uint64_t rows_per_person = 1;        // how many of the values' counts one person may be in
};

struct CountedTable {
  struct Cell {
    size_t secret;  // index into secrets
    size_t value;   // index into the values of the one column, or into joint
    size_t group;   // index into groups, 0 where there are none
    uint64_t count;
  };

  // Of whom several rows are taken.
  struct Bag {
    size_t secret;
    std::vector<size_t> values;  // of each row, as in a cell
  };

  TableName name;                           // for messages, like the places
  std::string secret_place;                 // "column 'race'"
  std::vector<std::string> secret_columns;  // as Source holds them
  std::vector<CountedColumn> published;
  std::vector<std::string> given_columns, known_columns;
  Tally secrets;  // labels, with rows and first lines
  Tally groups;   // "sex = F & age = 30"; empty when no columns are given or known
  std::vector<std::vector<std::string>> group_texts = {};  // of these, a missing text as its label
  std::vector<std::vector<size_t>> joint;  // of several columns, their distinct values: indices by column
  std::vector<Cell> cells;                 // a pair may come more than once
  uint64_t rows = 0;                       // read
  uint64_t dropped = 0;                    // of these, left out by Missing::kDrop
  std::string extra_column = {};           // of the person, weight or number of people, as Source holds it
  uint64_t people = 0;  // of whom one row each is counted, or for whom the rows stand, where this is told
  std::vector<Bag> bags = {};   // where several rows of a person are taken, in place of the cells' people
  NumbersOfRows numbers = {};   // of rows that are then released
  std::vector<Integer> masses;  // of the cells, in units; empty where rows have no weights
  Rational unit = 1;
  // Of these, whose secret is there: by its label, and by group where that is there, too.
  std::map<std::string, uint64_t> dropped_secrets;
  std::map<std::string, std::map<std::string, uint64_t>> dropped_groups;
};

// How to count, without effect on the result.
struct CountTuning {
  size_t threads = 0;  // 0: as many as TBB allows
  size_t chunk_size = size_t{1} << 20;
};

// Errors (io, data, usage) of ChunkReader and ChunkScanner. Error (data) with the line: a missing field under
// Missing::kError, a used field that is not UTF-8 or, under Missing::kKeep, is the text of kMissingLabel;
// under it as well, a secret, given or known column whose missing fields are written in more than one way;
// two secrets or groups that join to one label; people whose rows have different secrets, where several are
// taken; a used column whose name is data (count/column_name.h); no
// rows; a text of the one known column that is kOtherGroups. Error (usage): a column that is named twice, or
// has two roles; given columns and known ones; a column that looks like people's numbers, some of whom have
// several rows, where neither `person` nor `rows_independent` is there. `rows`, where given, is counted in
// place of the file; path, separator and header have no meaning then.
CountedTable count_table(const TableColumns& columns, const Progress& progress,
                         const CountTuning& tuning = {}, RowSource* rows = nullptr);

}  // namespace fugu::inline in_count
