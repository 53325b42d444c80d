// What is wrong with a command line, in fugu's own words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "fugu/core/error.h"

namespace fugu::cli {

// `error` is what CLI11 threw while it parsed `program`; not for its calls for help or version.
Error usage_error(const CLI::App& program, const CLI::ParseError& error);

// The command that was named, or the program when none was.
const CLI::App& active(const CLI::App& program);

}  // namespace fugu::cli
