// What the command line looks like, read off its definition: help, man page and completion are made from
// this.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fugu::cli {

// An option or argument as users see it. Its words are what the value may be where its type is written
// "a|b|c".
struct OptionShape {
  const CLI::Option* option = nullptr;
  std::vector<std::string> names = {};  // "-o", "--output"; empty for an argument
  std::string value = {};               // "FILE", "text|json"; empty for a flag; the name of an argument
  std::vector<std::string> words = {};
  std::string group = {};
  std::string description = {};
  bool required = false;
  bool many = false;  // an argument that may be given several times

  bool is_argument() const { return names.empty(); }
  bool takes_file() const { return value == "FILE" || value == "TABLE" || value == "PLAN" || value == "JOB"; }
  bool takes_folder() const { return value == "DIR"; }
};

// A command with more flags than this has a short help, and shows all of them with --help-all.
inline constexpr size_t kShortHelp = 10;

// Not the hidden ones, nor --help-all where --help says it all; arguments first, then by group in the order
// of their first option.
std::vector<OptionShape> options_of(const CLI::App& app);

// The commands of the program, or of a command that has some, in order.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::vector<std::string> command_names(const CLI::App& program);

// Those that do something: in place of a command that has commands, these.
std::vector<const CLI::App*> runnable_of(const CLI::App& app);

// "fugu model count".
std::string full_name(const CLI::App& app);
// Without the program's: "model count".
std::string name_in_program(const CLI::App& app);

// "fugu compare [TABLE] [options]".
std::string usage_line(const CLI::App& app);

// The lines of the footer that are commands, as "fugu compare …"; the footer holds one a line.
std::vector<std::string> examples_of(const CLI::App& app);

}  // namespace fugu::cli
