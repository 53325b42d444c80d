// The flags that commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "fugu/ask/question.h"

namespace fugu::cli {

// What every command takes.
struct GeneralOptions {
  std::string format = "text";
  bool quiet = false;
  std::string threads = {};

  // Error (usage) for an unknown format.
  bool json() const;
  // Limits the work to so many threads as long as it lives. Error (usage) unless 1 to 1024.
  std::shared_ptr<void> limit_threads() const;
};
void add_general_options(CLI::App& command, GeneralOptions& options);
// -o and --force; `what` says what is written.
void add_output_options(CLI::App& command, std::string& output, bool& force, const char* what);

// What a release, a statement or a public report tells: read_publish_min().
void add_publish_min(CLI::App& command, std::string& text, const char* group);

// --table and --query, where TABLE is a database.
void add_database_options(CLI::App& command, std::string& table, std::string& query, const char* group);

void add_question_options(CLI::App& command, QuestionOptions& options);

}  // namespace fugu::cli
