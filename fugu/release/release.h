// Applies a verified plan to a table: every row's value plus exact noise, in order, in bounded memory.
//
// What is guaranteed: the plan was verified here, the noise drawn is the plan's, the secret columns are not
// written unless they are among the released ones, and an output appears under its name only when it is
// whole. Rows are assumed independent given the prior (docs/math.md, section 0).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/remembered_rows.h"
#include "fugu/database/database_table.h"
#include "fugu/file/byte_sink.h"
#include "fugu/file/file_state.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/publishable.h"

namespace fugu::inline in_release {

struct ReleaseRequest {
  std::string input = {};  // "-" is standard input
  std::optional<char> separator = {};
  std::vector<std::string> keep = {};  // the columns that the plan was calibrated against, carried along
  std::vector<std::string> keep_unprotected = {};  // other columns carried along as they are
  bool new_data = false;  // the table is not the one the plan was made from: its counts are not compared
  bool nearest = false;   // of new data: a row that the plan does not have is released as the nearest one is
  // The plan was made from this very file, in this state, a moment ago: its counts need not be compared
  // again, but the file must not have changed when the release is done.
  std::optional<FileState> counted = {};
  // In place of the input, where given; what a plan's counts were read from in the same transaction, and
  // reads the same again, need not be compared.
  std::shared_ptr<DatabaseTable> database = {};
  bool same_rows = false;
  // What was remembered of the rows that the plan was made of, in the same transaction, or of a file that is
  // `counted`: where the order of rows is to tell nothing, or where it was remembered, none is read once
  // more.
  std::shared_ptr<const RememberedRows> counted_rows = {};
  uint64_t total = 0;  // rows of a database, or of a table whose order was remembered: for the progress
  bool drop =
      false;  // leave out rows whose value is missing or that the plan does not know, in place of an error
  bool rows_independent = false;  // that people seem to have several rows is no error
  bool rows_are_people = false;   // every row is another person's, as in an audit: none is drawn
  bool named = false;             // the names of the table's columns are no data, for sure
  // Rows in random order, which those that trade places have unless `keep_order` says that theirs tells
  // nothing.
  bool shuffle = false, keep_order = false;
  bool digest_rows = false;       // for a ledger, which compares the rows of its releases
  bool values_unchanged = false;  // the user's word for the ledger, which the receipt repeats
  // Of how few people the release tells no text and no number.
  uint64_t publish_min = kPublishMin;
  size_t chunk_size = size_t{1} << 20;
};

struct ReleaseSummary {
  uint64_t rows = 0;     // read
  uint64_t dropped = 0;  // of these, left out because a field is missing
  uint64_t undrawn = 0;  // of these, left out because other rows of the person were drawn, or none
  uint64_t outside = 0;  // of these, left out because nothing is promised for their stratum
  uint64_t released = 0;
  std::vector<std::string> kept = {};  // column names
  std::vector<std::string> kept_unprotected = {};
  // SHA-256 of the rows as they were read, in order, where it was asked for: of whole records of a file, and
  // of the columns that are looked at of a database; empty where the secret's are not among them. Private: it
  // tells a guess of the table from another.
  std::string rows_digest = {};
};

// Whether the order of rows may tell what the plan hides: of several rows of a person the promise is about
// their bag.
bool order_tells(const Plan& plan);
// Error (usage) where it does and is to be kept.
void check_order(bool keep_order, const Plan& plan);
// Error (usage) for rows that the plan was not made from, where it releases several of a person.
void check_new_data(bool new_data, const Plan& plan);

// Whether the rows are written in random order. What a row is exchanged for hides its values; its neighbours
// in a sorted table would tell them.
bool shuffles(const ReleaseRequest& request, const Plan& plan);

// Where the released table goes: called once, when its columns are known.
using OpenOutput = std::function<ByteSink&(const std::vector<NewColumn>&)>;

// Verifies the plan, reads the table, and writes the released table to the output. Nothing about when it
// becomes visible: see AtomicFile and NewTable. Error (guarantee): the plan does not verify, or the table's
// counts are not the plan's. Error (io): the table was changed after it was counted. Error (data) with the
// line: a value that the plan does not know, or that new data has and no prior gives mass to, a missing field
// under --missing error, with `keep` a group that is no prior; a column's name that is data. Error (usage): a
// column to keep that is the secret, that is the released one, or that does not exist; `keep` that is not all
// of the plan's given columns, or whose plan does not cover every group; a row that would be left out for its
// value while columns are kept; a column that looks like people's numbers, some of whom have several rows,
// where neither the plan nor the request says what these are; standard input, where the plan takes one row of
// each person, for which the table is read twice. Error (io). Errors of check_publishable(), before anything
// is read.
ReleaseSummary release_table(const ReleaseRequest& request, const Plan& plan, const OpenOutput& open,
                             const Progress& progress);
// The same to a file descriptor, called `name` in messages and compressed by the name's ending.
ReleaseSummary release_table(const ReleaseRequest& request, const Plan& plan, int output,
                             const std::string& name, const Progress& progress);

}  // namespace fugu::inline in_release
