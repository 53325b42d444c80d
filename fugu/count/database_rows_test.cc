#include "fugu/count/database_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "fugu/core/error.h"
#include "fugu/count/table_model.h"
#include "fugu/csv/csv_field.h"
#include "fugu/database/sqlite.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

TableQuestion question_of(const std::string& path, Missing missing) {
  TableQuestion question{.epsilon = Epsilon::parse("1", "epsilon", ErrorKind::kUsage)};
  question.table = {.path = path, .secret = {"s"}, .published = {"x"}, .missing = missing};
  return question;
}

std::string text_of(const TableQuestion& question) {
  try {
    TableCounts counts;
    return scenario_to_json(scenario_from_table(question, {}, &counts)).canonical() +
           fmt::format(" {} {}", counts.rows, counts.dropped);
  } catch (const Error& error) {
    return fmt::format("{}", static_cast<int>(error.kind()));
  }
}

// Random rows in a file and in a database make the same scenario, or are refused alike.
RC_GTEST_PROP(DatabaseRowsProperty, GiveTheScenarioOfTheFile, ()) {
  auto text = rc::gen::element<std::string>("a", "A", " a", "b,", "\"", "1", "1.0", "01", "é", "", "x\ny");
  const auto rows = *rc::gen::resize(
      30, rc::gen::container<std::vector<std::pair<std::string, std::string>>>(rc::gen::pair(text, text)));
  const auto missing = *rc::gen::element(Missing::kError, Missing::kDrop, Missing::kKeep);
  TempFile csv("s,x\n"), file("");
  {
    std::ofstream out(csv.path(), std::ios::app);
    Database database(file.path());
    database.run("BEGIN; CREATE TABLE t (s TEXT, x TEXT)");
    for (const auto& [secret, value] : rows) {
      out << csv_field(secret, ',') << ',' << csv_field(value, ',') << '\n';
      Query(database, "INSERT INTO t VALUES (?, nullif(?, ''))").bind(secret).bind(value).step();
    }
    database.run("COMMIT");
  }
  TableQuestion there = question_of("", missing);
  there.rows = std::make_shared<DatabaseRows>(open_database({.url = "sqlite:" + file.path(), .table = "t"}));
  RC_ASSERT(text_of(there) == text_of(question_of(csv.path(), missing)));
}

}  // namespace
}  // namespace fugu
