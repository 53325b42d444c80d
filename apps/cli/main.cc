// fugu, the program: parses, dispatches, and turns every failure into two lines and an exit status.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/help.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/man_page.h"
#include "apps/cli/memory.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/ask/flags.h"
#include "fugu/core/error.h"
#include "fugu/core/unexpected.h"
#include "fugu/database/database_url.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

// A variable of the shell that is not set must not weaken what is asked.
void check_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const auto values = option->results();
    if (option->get_positional() || std::find(values.begin(), values.end(), "") == values.end()) continue;
    throw usage(fmt::format("{}: the value is empty", option->get_name()),
                "give one, or leave the option out");
  }
  for (const CLI::App* command : app.get_subcommands()) check_values(*command);
}

constexpr const char* kVersion = "fugu " FUGU_VERSION;

int fail(const Error& error) {
  // fputs, unlike fmt::print, does not throw when standard error is closed.
  std::fputs(fmt::format("fugu: {}\nhint: {}\n", printable(without_credentials(error.message())),
                         printable(without_credentials(error.hint())))
                 .c_str(),
             stderr);
  return static_cast<int>(error.kind());
}

// Every command, under the heading of its task.
std::vector<Command> add_commands(CLI::App& program) {
  using Add = Command (*)(CLI::App&);
  const std::pair<const char*, std::vector<Add>> tasks[] = {
      {"Look at a table", {add_inspect, add_compare, add_preview, add_report, add_figure, add_studio}},
      {"Decide and release", {add_calibrate, add_verify, add_release, add_run, add_statement}},
      {"Receive a release", {add_estimate}},
      {"Keep account", {add_compose, add_ledger, add_audit}}};
  const std::vector<Add> models = {add_count, add_chain, add_rate};
  std::vector<Command> commands;
  auto add = [&](CLI::App& parent, const char* heading, Add one) {
    commands.push_back(one(parent));
    commands.back().app->group(heading);
  };
  for (const auto& [heading, adds] : tasks) {
    for (const Add one : adds) add(program, heading, one);
  }
  CLI::App* model = program.add_subcommand("model", "release one number under a model: count, chain, rate");
  model->group("Models")->require_subcommand(0, 1);
  model->footer("fugu model count --users 25 --p 0.7 --epsilon 1\n");
  for (const Add one : models) add(*model, "Models", one);
  for (const Add one : models) add(program, "", one);  // as 0.1 called them: fugu count
  for (const Add one : {add_demo, add_completion}) add(program, "Learn", one);
  return commands;
}

// The exit status.
int run(int count, char** words) {
  CLI::App program("fugu releases tables with noise that provably hides a secret.", "fugu");
  program.formatter(std::make_shared<HelpFormatter>());
  program.option_defaults()->group("General");
  program.set_help_flag("-h,--help", "show this help")->group("General");
  program.set_help_all_flag("--help-all", "show every option")->group("General");
  program.set_version_flag("--version", kVersion, "show the version")->group("General");
  program.require_subcommand(0, 1);
  bool man = false, flags = false;
  program.add_flag("--man", man, "print the manual page as roff")->group("");
  program.add_flag("--flags", flags, "print what can be asked, for scripts/docs-help")->group("");
  program.footer("fugu demo\n");
  const std::vector<Command> commands = add_commands(program);
  program.get_help_ptr()->description("show this help; after a command, its own");
  try {
    program.parse(count, words);
    check_values(program);
  } catch (const CLI::CallForHelp&) {
    print(program.help());
    return 0;
  } catch (const CLI::CallForAllHelp&) {
    print(program.help("", CLI::AppFormatMode::All));
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(std::string(kVersion) + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    throw usage_error(program, error);
  }
  if (man || flags) {
    print(man ? man_page(program, kVersion) : flags_to_json().pretty());
    return 0;
  }
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    command.run();
    return 0;
  }
  // Without a command the help is what people look for; a script gets the status of wrong usage.
  std::fputs(active(program).help().c_str(), stderr);
  return static_cast<int>(ErrorKind::kUsage);
}

}  // namespace
}  // namespace fugu::cli

int main(int count, char** words) {
  using fugu::Error;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error like any other
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a limit of file size
  fugu::cli::say_when_memory_ends();
  // The list of processes shows the words as they are in memory: passwords go first.
  std::vector<std::string> copies(words, words + count);
  std::vector<char*> kept;
  for (std::string& copy : copies) kept.push_back(copy.data());
  for (int k = 0; k < count; ++k) fugu::hide_passwords(words[k]);
  try {
    return fugu::cli::run(count, kept.data());
  } catch (const Error& error) {
    return fugu::cli::fail(error);
  } catch (const fugu::cli::Interrupted& interrupted) {
    std::fputs("fugu: stopped; nothing was written\nhint: run the command again\n", stderr);
    return 128 + interrupted.signal;
  } catch (const std::exception& error) {
    return fugu::cli::fail(fugu::unexpected(error));
  }
}
