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

void run(int count, char** words) {
  CLI::App program("fugu finds noise that provably hides a secret in a column of a table, and proves it.",
                   "fugu");
  program.formatter(std::make_shared<HelpFormatter>());
  program.option_defaults()->group("General");
  program.set_help_flag("-h,--help", "show this help")->group("General");
  program.set_version_flag("--version", kVersion, "show the version")->group("General");
  program.require_subcommand(0, 1);
  bool man = false, flags = false;
  program.add_flag("--man", man, "print the manual page as roff")->group("");
  program.add_flag("--flags", flags, "print what can be asked, for scripts/docs-help")->group("");
  program.footer(
      "fugu demo\nfugu compare fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon "
      "0.5\n");
  const Command commands[] = {
      add_demo(program),     add_inspect(program), add_compare(program), add_calibrate(program),
      add_verify(program),   add_release(program), add_run(program),     add_statement(program),
      add_estimate(program), add_preview(program), add_report(program),  add_figure(program),
      add_studio(program),   add_count(program),   add_rate(program),    add_chain(program),
      add_compose(program),  add_ledger(program),  add_audit(program),   add_completion(program)};
  try {
    program.parse(count, words);
    check_values(program);
  } catch (const CLI::CallForHelp&) {
    return print(program.help());
  } catch (const CLI::CallForVersion&) {
    return print(std::string(kVersion) + "\n");
  } catch (const CLI::ParseError& error) {
    throw usage_error(program, error);
  }
  if (man) return print(man_page(program, kVersion));
  if (flags) return print(flags_to_json().pretty());
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  throw no_command(program);
}

}  // namespace
}  // namespace fugu::cli

int main(int count, char** words) {
  using fugu::Error;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error like any other
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a limit of file size
  // The list of processes shows the words as they are in memory: passwords go first.
  std::vector<std::string> copies(words, words + count);
  std::vector<char*> kept;
  for (std::string& copy : copies) kept.push_back(copy.data());
  for (int k = 0; k < count; ++k) fugu::hide_passwords(words[k]);
  try {
    fugu::cli::run(count, kept.data());
    return 0;
  } catch (const Error& error) {
    return fugu::cli::fail(error);
  } catch (const fugu::cli::Interrupted& interrupted) {
    std::fputs("fugu: stopped; nothing was written\nhint: run the command again\n", stderr);
    return 128 + interrupted.signal;
  } catch (const std::exception& error) {
    return fugu::cli::fail(fugu::unexpected(error));
  }
}
