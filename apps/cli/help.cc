#include "apps/cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "apps/cli/shape.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

constexpr size_t kWidth = 80, kColumn = 26, kCommandColumn = 14;

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

std::string entry(const std::string& left, const std::string& right, size_t column = kColumn) {
  const std::string gap =
      left.size() + 4 > column ? "\n" + std::string(column, ' ') : std::string(column - 2 - left.size(), ' ');
  return "  " + broken(left) + gap + wrapped(right, kWidth, column) + "\n";
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

// Without what follows the first full stop; the dots of "postgresql://..." are none.
std::string first_sentence(const std::string& text) {
  size_t end = text.find(". ");
  while (end != std::string::npos && end > 0 && text[end - 1] == '.') end = text.find(". ", end + 1);
  return text.substr(0, end);
}

// For the short help: the first sentence, and a word for a long list of choices.
OptionShape shortened(OptionShape option) {
  constexpr size_t kChoices = 5;
  option.description = first_sentence(option.description);
  if (!option.is_argument() && option.words.size() > kChoices) {
    option.value = option.names.back().substr(2);
    for (char& c : option.value) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return option;
}

std::string command_list(const CLI::App& app) {
  std::string out, group;
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_group() != group) out += fmt::format("\n{}:\n", command->get_group());
    group = command->get_group();
    out += entry(command->get_name(), command->get_description(), kCommandColumn);
  }
  return out;
}

std::string option_list(const std::vector<OptionShape>& options, const char* one_heading) {
  std::string out, group;
  for (const OptionShape& option : options) {
    const std::string heading = option.is_argument() ? "Arguments" : one_heading ? one_heading : option.group;
    if (heading != group) out += fmt::format("\n{}:\n", heading);
    group = heading;
    out += entry(left_side(option), option.description);
  }
  return out;
}

}  // namespace

void mark_everyday(const CLI::App& command, const CLI::Option* option) {
  if (auto* help = dynamic_cast<HelpFormatter*>(command.get_formatter().get())) help->mark_everyday(option);
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const {
  std::string description = app->get_description();
  description[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(description[0])));
  std::string out = wrapped(description, kWidth, 0) + "\n\nUsage: " + usage_line(*app) + "\n";
  out += command_list(*app);
  auto options = options_of(*app);
  const auto flags = std::count_if(options.begin(), options.end(),
                                   [](const OptionShape& option) { return !option.is_argument(); });
  // --help-all is among them only where there is more than --help shows.
  const bool is_short = mode != CLI::AppFormatMode::All && static_cast<size_t>(flags) > kShortHelp + 1;
  auto examples = examples_of(*app);
  if (is_short) {
    std::erase_if(options, [&](const OptionShape& option) {
      return !option.is_argument() && everyday_.count(option.option) == 0;
    });
    std::transform(options.begin(), options.end(), options.begin(), shortened);
    examples.resize(std::min<size_t>(examples.size(), 2));
  }
  out += option_list(options, is_short ? "Everyday options" : nullptr);
  if (is_short) out += entry("--help-all", fmt::format("show all {} options", flags));
  if (!examples.empty()) out += examples.size() == 1 ? "\nExample:\n" : "\nExamples:\n";
  for (const std::string& example : examples) out += example_lines(example);
  return out;
}

}  // namespace fugu::cli
