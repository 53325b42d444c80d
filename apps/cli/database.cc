#include "apps/cli/database.h"

#include <optional>

#include "apps/cli/interrupt.h"
#include "fugu/count/database_rows.h"

namespace fugu::cli {

std::shared_ptr<DatabaseTable> open_for(QuestionOptions& question, bool writes) {
  auto database = open_database_of(question, writes, stop_if_interrupted);
  if (database) question.rows = std::make_shared<DatabaseRows>(database);
  return database;
}

Question ask(QuestionOptions question, const Progress& progress) {
  if (!question.scenario.empty()) return read_question(question, progress);
  const auto database = open_for(question);
  std::optional<Interruptible> interruptible;
  if (database) interruptible.emplace();
  return read_question(question, progress);
}

}  // namespace fugu::cli
