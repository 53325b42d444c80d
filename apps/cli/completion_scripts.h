// Completion scripts for shells, made from the definition of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fugu::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace fugu::cli
