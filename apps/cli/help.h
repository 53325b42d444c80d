// The text of --help, made from the definition of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fugu::cli {

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace fugu::cli
