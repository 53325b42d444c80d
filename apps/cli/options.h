// The flags that commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "fugu/ask/flags.h"

namespace fugu::cli {

// What every command takes.
struct GeneralOptions {
  std::string format = "text";
  bool quiet = false;
  std::string threads = {};
  bool tables = false;  // the command's result can be a table, written as CSV

  // Error (usage) for an unknown format.
  bool json() const;
  bool csv() const;
  // Limits the work to so many threads as long as it lives. Error (usage) unless 1 to 1024.
  std::shared_ptr<void> limit_threads() const;
};
// `tables` says that a result can be written as CSV.
void add_general_options(CLI::App& command, GeneralOptions& options, bool tables = false);
// -o and --force; `what` says what is written.
void add_output_options(CLI::App& command, std::string& output, bool& force, const char* what);

// One flag, as its row says it. What is given goes to `value`.
CLI::Option* add_flag(CLI::App& command, const Flag& flag, std::string& value);
CLI::Option* add_flag(CLI::App& command, const Flag& flag, bool& value);
CLI::Option* add_flag(CLI::App& command, const Flag& flag, std::vector<std::string>& value);

// All of a command's flags that fill these texts (fugu/ask/flags.h).
template <class Options>
void add_flags(CLI::App& command, Options& options) {
  for (const auto* row : flags_for<Options>(command.get_name()))
    std::visit([&](auto member) { add_flag(command, row->flag, options.*member); }, row->to);
}

// A flag that other commands have, too, under the heading of this one.
template <class Options, class Value>
void add_flag_like(CLI::App& command, const char* name, Value& value, const char* group) {
  Flag flag = flag_named<Options>(name);
  flag.group = group;
  add_flag(command, flag, value);
}

}  // namespace fugu::cli
