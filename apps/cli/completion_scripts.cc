#include "apps/cli/completion_scripts.h"

#include <fmt/format.h>

#include "apps/cli/shape.h"

namespace fugu::cli {
namespace {

std::string joined(const std::vector<std::string>& items, const char* separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::vector<std::string> all_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const OptionShape& option : options_of(app))
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// The commands that have commands.
std::vector<const CLI::App*> with_commands(const CLI::App& program) {
  auto found = commands_of(program);
  std::erase_if(found, [](const CLI::App* command) { return commands_of(*command).empty(); });
  return found;
}

// Text within '…' of a shell, with `special` characters escaped by a backslash.
std::string within_quotes(const std::string& text, const std::string& special) {
  std::string out;
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (special.find(c) != std::string::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

constexpr const char* kNothing = "COMPREPLY=()";

// What bash offers as the value of an option: its words, files, folders, or nothing.
std::string bash_value(const OptionShape& option) {
  if (!option.words.empty())
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", joined(option.words, " "));
  if (option.takes_folder())
    return "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\"))";
  if (option.takes_file())
    return "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\"))";
  return kNothing;
}

std::string zsh_value(const OptionShape& option) {
  if (!option.words.empty())
    return fmt::format(":{}:({})", option.names.empty() ? option.value : "value", joined(option.words, " "));
  if (option.takes_folder()) return ":folder:_files -/";
  if (option.takes_file()) return ":file:_files";
  return fmt::format(":{}: ", within_quotes(option.value, "[]:\\"));
}

std::string zsh_arguments(const CLI::App& app) {
  std::string out = "      _arguments";
  int place = 0;
  for (const OptionShape& option : options_of(app)) {
    if (option.is_argument()) {
      ++place;
      out += fmt::format(" \\\n        '{}{}'", option.many ? "*" : std::to_string(place), zsh_value(option));
    }
    for (const std::string& name : option.names) {
      out += fmt::format(" \\\n        '{}[{}]{}'", name, within_quotes(option.description, "[]:\\"),
                         option.value.empty() ? "" : zsh_value(option));
    }
  }
  return out + "\n";
}

std::string fish_option(const std::string& condition, const OptionShape& option) {
  std::string out = fmt::format("complete -c fugu -n '{}'", condition);
  for (const std::string& name : option.names) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.words.empty()) {
    out += fmt::format(" -x -a '{}'", joined(option.words, " "));
  } else if (option.takes_folder()) {
    out += " -x -a '(__fish_complete_directories)'";
  } else if (option.takes_file()) {
    out += option.is_argument() ? " -F" : " -r -F";
  } else if (!option.value.empty()) {
    out += " -x";
  }
  return out + fmt::format(" -d '{}'\n", within_quotes(option.description, ""));
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string out =
      "# bash completion for fugu\n"
      "_fugu() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" "
      "command=\"${COMP_WORDS[1]}\"\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  out += fmt::format("    COMPREPLY=($(compgen -W '{} {}' -- \"$current\"))\n    return\n  fi\n",
                     joined(command_names(program), " "), joined(all_names(program), " "));
  for (const CLI::App* command : with_commands(program)) {
    out += fmt::format(
        "  if [ \"$command\" = {} ]; then\n    if [ \"$COMP_CWORD\" -eq 2 ]; then\n      "
        "COMPREPLY=($(compgen -W '{}' -- "
        "\"$current\"))\n      return\n    fi\n    command=\"${{COMP_WORDS[2]}}\"\n  fi\n",
        command->get_name(), joined(command_names(*command), " "));
  }
  out += "  case \"$command\" in\n";
  for (const CLI::App* command : runnable_of(program)) {
    out += fmt::format("    {})\n      case \"$previous\" in\n", command->get_name());
    std::string argument = kNothing;
    for (const OptionShape& option : options_of(*command)) {
      if (option.is_argument()) {
        if (argument == kNothing) argument = bash_value(option);
      } else if (!option.value.empty()) {
        out += fmt::format("        {}) {}; return ;;\n", joined(option.names, "|"), bash_value(option));
      }
    }
    out += fmt::format(
        "      esac\n      case \"$current\" in\n        -*) COMPREPLY=($(compgen -W '{}' -- \"$current\")) "
        ";;\n        *) {} ;;\n"
        "      esac ;;\n",
        joined(all_names(*command), " "), argument);
  }
  return out + "  esac\n}\ncomplete -F _fugu fugu\n";
}

std::string zsh_completion(const CLI::App& program) {
  std::string out =
      "#compdef fugu\n# zsh completion for fugu\n_fugu() {\n  if (( CURRENT == 2 )); then\n    local -a "
      "commands\n    commands=(\n";
  for (const CLI::App* command : commands_of(program)) {
    out +=
        fmt::format("      '{}:{}'\n", command->get_name(), within_quotes(command->get_description(), ":\\"));
  }
  out += "    )\n    _describe command commands\n";
  out += fmt::format("    compadd -- {}\n    return\n  fi\n", joined(all_names(program), " "));
  out += "  shift words\n  (( CURRENT-- ))\n";
  for (const CLI::App* command : with_commands(program)) {
    out += fmt::format(
        "  if [[ $words[1] == {} ]]; then\n    if (( CURRENT == 2 )); then\n      compadd -- {}\n      "
        "return\n    fi\n"
        "    shift words\n    (( CURRENT-- ))\n  fi\n",
        command->get_name(), joined(command_names(*command), " "));
  }
  out += "  case $words[1] in\n";
  for (const CLI::App* command : runnable_of(program)) {
    out += fmt::format("    {})\n{}      ;;\n", command->get_name(), zsh_arguments(*command));
  }
  return out +
         "  esac\n}\n"
         "if [[ $funcstack[1] == _fugu ]]; then\n  _fugu \"$@\"\n"
         "elif (( $+functions[compdef] )); then\n  compdef _fugu fugu\nfi\n";
}

std::string fish_completion(const CLI::App& program) {
  std::string out = "# fish completion for fugu\ncomplete -c fugu -f\n";
  for (const CLI::App* command : commands_of(program)) {
    out += fmt::format("complete -c fugu -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                       within_quotes(command->get_description(), ""));
  }
  for (const OptionShape& option : options_of(program)) out += fish_option("__fish_use_subcommand", option);
  for (const CLI::App* command : with_commands(program)) {
    const std::string names = joined(command_names(*command), " ");
    out += fmt::format(
        "complete -c fugu -n '__fish_seen_subcommand_from {0}; and not __fish_seen_subcommand_from {1}' -a "
        "'{1}'\n",
        command->get_name(), names);
  }
  for (const CLI::App* command : runnable_of(program)) {
    for (const OptionShape& option : options_of(*command)) {
      out += fish_option("__fish_seen_subcommand_from " + command->get_name(), option);
    }
  }
  return out;
}

}  // namespace fugu::cli
