// fugu estimate: what whoever receives a release can say of the true values.
#include <unistd.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/core/error.h"
#include "fugu/report/cross_text.h"
#include "fugu/report/estimate_text.h"

namespace fugu::cli {
namespace {

struct EstimateFlags {
  EstimateTexts asked;
  GeneralOptions general;
};

// Named, or the receipt that stands beside the table.
std::string statement_path(const EstimateFlags& flags) {
  if (!flags.asked.statement.empty()) return flags.asked.statement;
  std::string receipt = flags.asked.table + ".receipt.json";
  if (flags.asked.table != "-" && access(receipt.c_str(), R_OK) == 0) return receipt;
  throw usage("--statement is missing", "give the statement or the receipt that came with the table");
}

std::string csv_of(const EstimateAnswer& answer) {
  const CrossTables* tables = std::get_if<CrossTables>(&answer);
  if (tables && tables->tables.size() == 1) return cross_csv(*tables);
  throw usage("--format: csv is for one table of counts, of a release whose rows traded places",
              tables ? "name its columns with --table" : "use one of text, json");
}

void run(const EstimateFlags& flags) {
  const bool json = flags.general.json();
  const auto threads = flags.general.limit_threads();
  const std::string path = statement_path(flags);
  const std::string place = path == "-" ? "standard input" : path;
  ProgressBar bar(flags.general.quiet);
  const auto answer = estimate_table(flags.asked, parse_json(read_text(path), place), place, bar.callback());
  bar.clear();
  print(flags.general.csv() ? csv_of(answer) : json ? answer_to_json(answer).pretty() : answer_text(answer));
}

}  // namespace

Command add_estimate(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("estimate", "mean, quantiles and shares of the true values, with bounds");
  auto flags = std::make_shared<EstimateFlags>();
  add_flags(*command, flags->asked);
  add_general_options(*command, flags->general, true);
  command->footer(
      "fugu estimate fugu-demo/released.csv --statement fugu-demo/statement.json\n"
      "fugu estimate out.csv --by region --format json\n"
      "fugu estimate out.csv --table region,job --format csv\n");
  return {command, [flags] { run(*flags); }};
}

}  // namespace fugu::cli
