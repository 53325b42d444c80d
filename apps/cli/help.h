// The text of --help and --help-all, made from the definition of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

namespace fugu::cli {

class HelpFormatter : public CLI::FormatterBase {
 public:
  // A command with more than kShortHelp flags shows those that were marked, and two examples; with mode kAll
  // it shows everything, by group.
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

  void mark_everyday(const CLI::Option* option) { everyday_.insert(option); }

 private:
  std::set<const CLI::Option*> everyday_ = {};
};

// Shows an option in the short help of its command.
void mark_everyday(const CLI::App& command, const CLI::Option* option);

}  // namespace fugu::cli
