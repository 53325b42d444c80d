// A question as people write it, in texts: flags of the command line, arguments of Python, fields of a page.
//
// Every front end fills these texts and gets the same scenario and the same words for what is wrong with
// them: a flag is named as the command line has it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/remembered_rows.h"
#include "fugu/count/table_model.h"
#include "fugu/database/database_table.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_ask {

// What makes a scenario: a table and its columns, or a scenario file. Empty text is a flag not given.
struct QuestionOptions {
  std::string table = {};           // a file, "-", or the URL of a database
  std::string database_table = {};  // --table, of a database; else
  std::string query = {};           // --query
  std::string scenario = {};
  std::string secret = {};
  std::string published = {};  // kAllColumns: every column that has no other role
  std::string except = {};     // of these
  std::string epsilon = {};
  std::string delta = {};
  std::string promise = {};
  std::string shares = {};
  std::string pairs = {};
  std::string noise = {};
  std::string step = {};
  std::string clip = {};
  std::string bin = {};
  std::string bin_edges = {};
  std::string merge_rare = {};
  std::string map = {};  // files
  std::string map_rest = {};
  std::string date_unit = {};
  std::string noise_shares = {};
  std::string order = {};
  std::string secret_order = {};
  std::string na = {};
  std::string missing = {};
  std::string not_missing = {};
  std::string kind = {};
  std::string separator = {};
  std::string range = {};
  std::string confidence = {};
  std::string bounds = {};
  std::string population = {};
  std::string given = {};
  std::string known = {};
  std::string also = {};
  std::string min_group = {};
  std::vector<std::string> priors = {};  // files
  std::string closeness = {};
  std::string person = {};
  std::string weight = {};
  std::string people = {};  // --count
  std::string rows_per_person = {};
  bool rows_independent = false;
  bool no_header = false;
  bool census = false;
  // Counted in place of a table's file, where given.
  std::shared_ptr<RowSource> rows = {};
  // What is to be remembered of a file that is counted, where given.
  std::shared_ptr<RememberedRows> remembered = {};

  // In the order given; empty when there is none. Error (usage) for what is no epsilon.
  std::vector<Epsilon> epsilons() const;
  // In the order given; empty when there is none. Error (usage) for what is no noise.
  std::vector<std::string> noises() const;
};
// The database that TABLE is the URL of; null where it is a file. `writes` and `stop` are as DatabaseRequest
// has them. Error (usage) for flags that do not go with it; errors of open_database().
std::shared_ptr<DatabaseTable> open_database_of(const QuestionOptions& options, bool writes = false,
                                                const std::function<void()>& stop = {});

// What --public says for every column that has no other role.
inline constexpr const char* kAllColumns = "all";

// The columns that are to be released, as the table's head calls them where all are: this is the one place
// that says which these are. Error (usage): --except without all of them, or of a column that has a role; all
// columns where one is called so; columns that the table does not have; none that is left.
std::vector<std::string> released_columns(const QuestionOptions& options, const TableHead& head);

// How a table is read: --separator, as the reader takes it. Error (usage).
std::optional<char> read_separator(const std::string& text);

// The --closeness that the text says; 0 when it is empty. Error (usage).
Rational read_closeness(const std::string& text);

// Error (usage) when the output is one of the files that the question is read from.
void check_is_no_input(const QuestionOptions& options, const std::string& output);

struct Question {
  Scenario scenario;
  std::optional<TableCounts> rows;  // where a table was counted
  BeforeShaping before = {};        // where its column was shaped
};
// Its epsilon is the first of those given. Error (usage) when the flags do not make a question; errors of
// scenario_from_table() and scenario_from_json().
Question read_question(const QuestionOptions& options, const Progress& progress);

}  // namespace fugu::inline in_ask
