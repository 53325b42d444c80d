// The manual page fugu(1) as roff, made from the definition of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fugu::cli {

std::string man_page(const CLI::App& program, const std::string& version);

}  // namespace fugu::cli
