#include "apps/cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "apps/cli/shape.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

constexpr size_t kWidth = 80, kColumn = 26;

// A long choice goes on in the next line, after a bar.
std::string broken(const std::string& left) {
  std::string out;
  size_t column = 2;
  for (size_t at = 0; at < left.size();) {
    const size_t next = std::min(left.find('|', at), left.size() - 1) + 1;
    if (at > 0 && column + next - at > kWidth) {
      out += "\n" + std::string(kColumn, ' ');
      column = kColumn;
    }
    out += left.substr(at, next - at);
    column += next - at;
    at = next;
  }
  return out;
}

std::string entry(const std::string& left, const std::string& right) {
  const std::string gap = left.size() + 4 > kColumn ? "\n" + std::string(kColumn, ' ')
                                                    : std::string(kColumn - 2 - left.size(), ' ');
  return "  " + broken(left) + gap + wrapped(right, kWidth, kColumn) + "\n";
}

std::string left_side(const OptionShape& option) {
  if (option.is_argument()) return option.value;
  return fmt::format("{}{}{}", fmt::join(option.names, ", "), option.value.empty() ? "" : " ", option.value);
}

// An example, broken before a flag where it is too long, as a shell takes it.
std::string example_lines(const std::string& example) {
  std::string out = "  ";
  size_t column = 2;
  for (size_t at = 0; at < example.size();) {
    const size_t next = std::min(example.find(" -", at + 1), example.size());
    const std::string part = example.substr(at, next - at);
    if (at > 0 && column + part.size() > kWidth - 2) {
      out += " \\\n     ";
      column = 5;
    }
    out += part;
    column += part.size();
    at = next;
  }
  return out + "\n";
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  std::string description = app->get_description();
  description[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(description[0])));
  std::string out = wrapped(description, kWidth, 0) + "\n\nUsage: " + usage_line(*app) + "\n";
  const auto commands = commands_of(*app);
  if (!commands.empty()) out += "\nCommands:\n";
  for (const CLI::App* command : commands) out += entry(command->get_name(), command->get_description());
  std::string group;
  for (const OptionShape& option : options_of(*app)) {
    const std::string heading = option.is_argument() ? "Arguments" : option.group;
    if (heading != group) out += fmt::format("\n{}:\n", heading);
    group = heading;
    out += entry(left_side(option), option.description);
  }
  const auto examples = examples_of(*app);
  if (!examples.empty()) out += examples.size() == 1 ? "\nExample:\n" : "\nExamples:\n";
  for (const std::string& example : examples) out += example_lines(example);
  return out;
}

}  // namespace fugu::cli
