#include "apps/cli/options.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <charconv>

#include "fugu/ask/lists.h"
#include "fugu/core/error.h"

namespace fugu::cli {

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
  options.tables = tables;
  command.add_option("--format", options.format, "how the result is written; text when not given")
      ->type_name(tables ? "text|json|csv" : "text|json")
      ->group("General");
  command.add_flag("--quiet", options.quiet, "no progress bar")->disable_flag_override()->group("General");
  command.add_option("--threads", options.threads, "use at most N threads; all cores when not given")
      ->type_name("N")
      ->group("General");
}

void add_output_options(CLI::App& command, std::string& output, bool& force, const char* what) {
  command.add_option("-o,--output", output, what)->type_name("FILE")->group("Output");
  command.add_flag("--force", force, "replace an existing file")->disable_flag_override()->group("Output");
}

CLI::Option* add_flag(CLI::App& command, const Flag& flag, std::string& value) {
  const std::string letter = flag.letter ? std::string{'-', flag.letter, ','} : "";
  CLI::Option* option = command.add_option(letter + flag.dashed(), value, flag.help)->type_name(flag.value);
  if (*flag.group) option->group(flag.group);
  if (flag.is_argument() && flag.required) option->required();
  if (flag.kind == FlagKind::kNamesOrFile) {
    option->transform([name = flag.dashed()](const std::string& list) {
      return list.starts_with('@') ? list_of_file(list.substr(1), name) : list;
    });
  }
  return option;
}

CLI::Option* add_flag(CLI::App& command, const Flag& flag, bool& value) {
  return command.add_flag(flag.dashed(), value, flag.help)->disable_flag_override()->group(flag.group);
}

CLI::Option* add_flag(CLI::App& command, const Flag& flag, std::vector<std::string>& value) {
  return command.add_option(flag.dashed(), value, flag.help)
      ->type_name(flag.value)
      ->allow_extra_args(false)
      ->group(flag.group);
}

}  // namespace fugu::cli
