// fugu, the program: parses, dispatches, and turns every failure into two lines and an exit status.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/help.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/man_page.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/core/error.h"
#include "fugu/report/wording.h"
#include "fugu/table/database_url.h"

namespace fugu::cli {
namespace {

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
  CLI::App program(
      "fugu finds the least noise that provably hides a secret in a column of a table, and proves it.",
      "fugu");
  program.formatter(std::make_shared<HelpFormatter>());
  program.option_defaults()->group("General");
  program.set_help_flag("-h,--help", "show this help")->group("General");
  program.set_version_flag("--version", kVersion, "show the version")->group("General");
  program.require_subcommand(0, 1);
  bool man = false;
  program.add_flag("--man", man, "print the manual page as roff")->group("");
  program.footer(
      "fugu demo\nfugu compare fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon "
      "0.5\n");
  const Command commands[] = {add_demo(program),      add_inspect(program),   add_compare(program),
                              add_calibrate(program), add_verify(program),    add_release(program),
                              add_statement(program), add_estimate(program),  add_report(program),
                              add_figure(program),    add_studio(program),    add_count(program),
                              add_chain(program),     add_compose(program),   add_ledger(program),
                              add_audit(program),     add_completion(program)};
  try {
    program.parse(count, words);
  } catch (const CLI::CallForHelp&) {
    return print(program.help());
  } catch (const CLI::CallForVersion&) {
    return print(std::string(kVersion) + "\n");
  } catch (const CLI::ParseError& error) {
    throw usage_error(program, error);
  }
  if (man) return print(man_page(program, kVersion));
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  throw no_command(program);
}

Error no_memory() {
  return {ErrorKind::kBug, "the memory does not suffice",
          "use a machine with more, or less data; --threads 1 needs less"};
}

}  // namespace
}  // namespace fugu::cli

int main(int count, char** words) {
  using fugu::Error;
  using fugu::ErrorKind;
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
  } catch (const std::bad_alloc&) {
    return fugu::cli::fail(fugu::cli::no_memory());
  } catch (const std::exception& error) {
    // TBB and the standard library say so when there is no room for a thread's stack.
    if (std::string_view(error.what()).find("pthread_create") != std::string_view::npos ||
        std::string_view(error.what()).find("Resource temporarily unavailable") != std::string_view::npos)
      return fugu::cli::fail(fugu::cli::no_memory());
    return fugu::cli::fail(Error(ErrorKind::kBug, fmt::format("unexpected: {}", error.what()),
                                 "this is a mistake of fugu: please report it"));
  }
}
