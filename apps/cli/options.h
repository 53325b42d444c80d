// The flags that commands share, and the question they make.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/progress.h"
#include "fugu/models/table_model.h"
#include "fugu/scenario/scenario.h"

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

// What makes a scenario: a table and its columns, or a scenario file. Empty text is a flag not given.
struct QuestionOptions {
  std::string table = {};
  std::string scenario = {};
  std::string secret = {};
  std::string published = {};
  std::string epsilon = {};
  std::string delta = {};
  std::string pairs = {};
  std::string noise = {};
  std::string step = {};
  std::string clip = {};
  std::string bin = {};
  std::string bin_edges = {};
  std::string merge_rare = {};
  std::string weights = {};
  std::string order = {};
  std::string secret_order = {};
  std::string na = {};
  std::string missing = {};
  std::string separator = {};
  std::string range = {};
  std::string confidence = {};
  std::string given = {};
  std::string min_group = {};
  std::vector<std::string> priors = {};  // files
  std::string closeness = {};
  bool no_header = false;

  // In the order given; empty when there is none. Error (usage) for what is no epsilon.
  std::vector<Epsilon> epsilons() const;
  // In the order given; empty when there is none. Error (usage) for what is no noise.
  std::vector<std::string> noises() const;
  // The first flag that shapes values (docs/shaping.md), besides --step; null when none is given.
  const char* shaping_flag() const;
};
void add_question_options(CLI::App& command, QuestionOptions& options);
// How a table is read: --separator, as the reader takes it. Error (usage).
std::optional<char> read_separator(const std::string& text);

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

}  // namespace fugu::cli
