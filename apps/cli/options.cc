#include "apps/cli/options.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <charconv>

#include "apps/cli/help.h"
#include "fugu/ask/lists.h"
#include "fugu/core/error.h"

namespace fugu::cli {
namespace {

// Under its heading, and in the short help where its row says so.
CLI::Option* placed(CLI::App& command, const Flag& flag, CLI::Option* option) {
  if (*flag.group) option->group(flag.group);
  if (flag.is_everyday(command.get_name())) mark_everyday(command, option);
  return option;
}

}  // namespace

bool GeneralOptions::json() const {
  if (format == "json") return true;
  if (format == "text" || csv()) return false;
  throw usage(fmt::format("--format: '{}' is unknown", format),
              tables ? "use one of text, json, csv" : "use one of text, json");
}

bool GeneralOptions::csv() const { return tables && format == "csv"; }

std::shared_ptr<void> GeneralOptions::limit_threads() const {
  if (threads.empty()) return nullptr;
  size_t count = 0;
  const auto [end, failed] = std::from_chars(threads.data(), threads.data() + threads.size(), count);
  if (failed != std::errc() || end != threads.data() + threads.size() || count < 1 || count > 1024) {
    throw usage(fmt::format("--threads: '{}' is not a number of threads", threads),
                "give a number from 1 to 1024");
  }
  return std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

void add_general_options(CLI::App& command, GeneralOptions& options, bool tables) {
  constexpr const char* kGeneral = "General";
  options.tables = tables;
  add_flag(command,
           Flag{"format", FlagKind::kChoice, tables ? "text|json|csv" : "text|json", kGeneral,
                "how to write the result; text by default"}
               .everyday("audit compare estimate figure inspect ledger preview report"),
           options.format);
  add_flag(command, Flag{"quiet", FlagKind::kSwitch, "", kGeneral, "no progress bar"}, options.quiet);
  add_flag(command,
           Flag{"threads", FlagKind::kNumber, "N", kGeneral, "use at most N threads; all cores by default"},
           options.threads);
}

void add_output_options(CLI::App& command, std::string& output, bool& force, const char* what) {
  constexpr const char* kOutput = "Output";
  add_flag(command, Flag{"output", FlagKind::kFile, "FILE", kOutput, what}.lettered('o').everyday(), output);
  add_flag(command,
           Flag{"force", FlagKind::kSwitch, "", kOutput, "replace an existing file"}.everyday(
               "calibrate figure preview report"),
           force);
}

CLI::Option* add_flag(CLI::App& command, const Flag& flag, std::string& value) {
  const std::string letter = flag.letter ? std::string{'-', flag.letter, ','} : "";
  CLI::Option* option = placed(
      command, flag, command.add_option(letter + flag.dashed(), value, flag.help)->type_name(flag.value));
  if (flag.is_argument() && flag.required) option->required();
  if (flag.kind == FlagKind::kNamesOrFile) {
    option->transform([name = flag.dashed()](const std::string& list) {
      return list.starts_with('@') ? list_of_file(list.substr(1), name) : list;
    });
  }
  return option;
}

CLI::Option* add_flag(CLI::App& command, const Flag& flag, bool& value) {
  return placed(command, flag, command.add_flag(flag.dashed(), value, flag.help)->disable_flag_override());
}

CLI::Option* add_flag(CLI::App& command, const Flag& flag, std::vector<std::string>& value) {
  CLI::Option* option = command.add_option(flag.dashed(), value, flag.help)->type_name(flag.value);
  if (flag.is_argument()) {
    if (flag.required) option->required();
  } else {
    option->allow_extra_args(false);
  }
  return placed(command, flag, option);
}

}  // namespace fugu::cli
