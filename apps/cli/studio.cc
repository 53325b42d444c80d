// fugu studio: the same work in a page on this machine.
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <spawn.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <thread>

#include "apps/cli/commands.h"
#include "apps/cli/ledger_words.h"
#include "apps/cli/options.h"
#include "apps/cli/text_io.h"
#include "apps/studio/studio.h"
#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "fugu/file/byte_source.h"
#include "fugu/ledger/release_within_budget.h"
#include "fugu/run/ledger_request.h"

extern char** environ;

namespace fugu::cli {
namespace {

struct StudioOptions {
  std::vector<std::string> tables;
  std::string folder, port, upload_limit, threads;
  LedgerTexts ledger;
  bool no_browser = false;
};

int read_port(const std::string& text) {
  if (text.empty()) return 0;
  int port = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535)
    throw usage(fmt::format("--port: '{}' is not a port", text), "give a number from 1 to 65535");
  return port;
}

// "500", "500M", "2G": bytes.
uint64_t read_size(const std::string& text, uint64_t otherwise) {
  if (text.empty()) return otherwise;
  uint64_t size = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), size);
  const std::string unit(end, text.data() + text.size());
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (failed != std::errc() || shift < 0 || size < 1 || size > (uint64_t{1} << 50) >> shift)
    throw usage(fmt::format("--upload-limit: '{}' is not a size", text), "for example --upload-limit 500M");
  return size << shift;
}

MoreFlags ledger_flags(const LedgerTexts& ledger) {
  MoreFlags flags;
  const std::pair<const char*, const std::string&> all[] = {{"--ledger", ledger.path},
                                                            {"--dataset", ledger.dataset},
                                                            {"--budget", ledger.budget},
                                                            {"--budget-delta", ledger.budget_delta}};
  for (const auto& [name, value] : all) {
    if (!value.empty()) flags.emplace_back(name, value);
  }
  if (ledger.values_unchanged) flags.emplace_back("--values-unchanged", "");
  return flags;
}

studio::Settings settings_of(const StudioOptions& options) {
  check_ledger(options.ledger, false);
  check_ledger_file(options.ledger);
  for (const std::string& table : options.tables) {
    if (table == "-") throw usage("TABLE: the studio reads files, not standard input", "name a CSV file");
    FileSource{table};  // says now what is wrong with the name
  }
  studio::Settings settings{.tables = options.tables, .port = read_port(options.port)};
  if (!options.folder.empty()) settings.folder = options.folder;
  settings.folder_named = !options.folder.empty();
  settings.limits.upload_size = read_size(options.upload_limit, settings.limits.upload_size);
  if (options.ledger.given()) {
    settings.ledger = {
        options.ledger.path,
        ledger_flags(options.ledger),
        options.ledger.values_unchanged,
        [ledger = options.ledger](const std::string& output) { return spend_request(ledger, output, now()); },
        spent_text,
        [ledger = options.ledger](const Plan& plan) {
          return outlook_text(ask_within_budget({ledger.path, spend_request(ledger, "", now())}, plan, {}));
        }};
  }
  return settings;
}

// In a session of its own, so that Ctrl-C here does not reach the browser.
void open_browser(const std::string& file) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, each, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  std::string program = "xdg-open", argument = file;
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  ::posix_spawnp(&child, "xdg-open", &actions, &attributes, words,
                 environ);  // without one: the address is printed
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
}

// Until a signal comes, or whoever started this is gone: a page must not outlive its terminal.
void wait_for_end(const sigset_t& signals, pid_t parent) {
  const timespec glance{0, 300'000'000};
  while (::sigtimedwait(&signals, nullptr, &glance) < 0 && ::getppid() == parent) {
  }
}

void run(const StudioOptions& options) {
  const GeneralOptions general{.threads = options.threads};
  const auto threads = general.limit_threads();
  const pid_t parent = ::getppid();
  studio::Settings settings = settings_of(options);
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, each);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any thread: all inherit it
  ::signal(SIGCHLD, SIG_IGN);                       // the browser's starter leaves nothing behind

  studio::Studio studio(std::move(settings));
  print(studio.address() + "\n");
  if (::isatty(STDOUT_FILENO) == 1) {
    print("Open it in a browser on this machine. Whoever has the address can use it. Ctrl-C stops it.\n");
    if (!options.no_browser) open_browser(studio.opening_file());
  }
  std::thread server([&] { studio.serve(); });
  wait_for_end(signals, parent);
  studio.quit();
  server.join();
  if (!studio.ended()) std::_Exit(0);  // a file or a ledger half written is not seen: both appear whole
}

}  // namespace

Command add_studio(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("studio", "all of this as a page in your browser, on this machine only");
  auto options = std::make_shared<StudioOptions>();
  using enum FlagKind;
  constexpr const char *kFolders = "Files", *kGeneral = "General";
  add_flag(*command,
           Flag{"TABLE", kFiles, "TABLE", "", "tables that the page may open, besides those dropped on it"},
           options->tables);
  add_flag(*command,
           Flag{"folder", kWord, "DIR", kFolders,
                "write releases here, and let the page open the tables in it; by default releases go to the "
                "current folder"}
               .everyday(),
           options->folder);
  add_flag(*command,
           Flag{"upload-limit", kWord, "SIZE", kFolders,
                "largest table that may be dropped on the page, such as 500M; default 2G"},
           options->upload_limit);
  add_flags(*command, options->ledger);
  add_flag(*command,
           Flag{"port", kNumber, "N", kGeneral, "port on 127.0.0.1; default: any free one"}.everyday(),
           options->port);
  add_flag(*command, Flag{"no-browser", kSwitch, "", kGeneral, "only print the address"}.everyday(),
           options->no_browser);
  add_flag(*command, Flag{"threads", kNumber, "N", kGeneral, "use at most N threads; all cores by default"},
           options->threads);
  command->footer(
      "fugu studio fugu-demo/adult-occupation.csv\n"
      "fugu studio people.csv --folder out --ledger budget.db --dataset people --budget 1\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
