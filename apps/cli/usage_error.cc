#include "apps/cli/usage_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "apps/cli/shape.h"

namespace fugu::cli {
namespace {

std::string help_command(const CLI::App& app) { return full_name(app) + " --help"; }

// Letters to add, remove or change to make one text the other.
size_t edits(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row[b.size()];
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  size_t least = std::min<size_t>(3, word.size() / 2);
  for (const std::string& candidate : known) {
    const size_t distance = edits(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  return nearest ? fmt::format("did you mean {}? ", *nearest) : "";
}

Error unexpected(const CLI::App& program) {
  const CLI::App& app = active(program);
  const auto rest = program.remaining(true);
  const std::string word = rest.empty() ? "" : rest.front();
  if (word.starts_with("-")) {
    std::vector<std::string> known;
    for (const OptionShape& option : options_of(app))
      known.insert(known.end(), option.names.begin(), option.names.end());
    const std::string name = word.substr(0, word.find('='));
    return usage(fmt::format("the option '{}' is unknown", name),
                 fmt::format("{}{} --help-all lists the options", did_you_mean(name, known), full_name(app)));
  }
  if (const auto names = command_names(app); !names.empty()) {
    return usage(
        fmt::format("there is no command '{}'", &app == &program ? word : name_in_program(app) + " " + word),
        fmt::format("{}use one of {}", did_you_mean(word, names), fmt::join(names, ", ")));
  }
  return usage(fmt::format("the argument '{}' is not expected", word),
               help_command(app) + " shows what is expected");
}

}  // namespace

const CLI::App& active(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? program : active(*chosen.back());
}

Error usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const std::string hint = help_command(active(program)) + " shows what is expected";
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return unexpected(program);
  const std::string text = error.what();
  const std::string name = text.substr(0, std::min(text.find(':'), text.find(' ')));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    if (text.find("flag override") != std::string::npos)
      return usage(fmt::format("--{}: this takes no value", name), hint);
    if (text.find("missing") != std::string::npos) return usage(name + ": its value is missing", hint);
    return usage(name + ": given more than once", "give it once; " + hint);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error)) return usage(name + " is missing", hint);
  return usage(text, hint);
}

}  // namespace fugu::cli
