// fugu estimate: what whoever receives a release can say of the true values.
#include <unistd.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/core/error.h"
#include "fugu/report/estimate_text.h"

namespace fugu::cli {
namespace {

struct EstimateFlags {
  EstimateTexts asked;
  std::string statement;
  GeneralOptions general;
};

// Named, or the receipt that stands beside the table.
std::string statement_path(const EstimateFlags& flags) {
  if (!flags.statement.empty()) return flags.statement;
  std::string receipt = flags.asked.table + ".receipt.json";
  if (flags.asked.table != "-" && access(receipt.c_str(), R_OK) == 0) return receipt;
  throw usage("--statement is missing", "give the statement or the receipt that came with the table");
}

void run(const EstimateFlags& flags) {
  const bool json = flags.general.json();
  const auto threads = flags.general.limit_threads();
  const std::string path = statement_path(flags);
  const std::string place = path == "-" ? "standard input" : path;
  ProgressBar bar(flags.general.quiet);
  const auto estimated =
      estimate_table(flags.asked, parse_json(read_text(path), place), place, bar.callback());
  bar.clear();
  if (json) return print(estimated_to_json(estimated).pretty());
  std::string text;
  for (const Estimated& found : estimated)
    text +=
        (text.empty() ? "" : "\n") + estimate_text(found.column, found.estimate, found.options, found.group);
  print(text);
}

}  // namespace

Command add_estimate(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "estimate",
      "for whoever receives a release: mean, quantiles and shares of the true values, with bounds");
  auto flags = std::make_shared<EstimateFlags>();
  command->add_option("TABLE", flags->asked.table, "the released table; - is standard input")
      ->type_name("TABLE")
      ->required();
  command
      ->add_option("--statement", flags->statement,
                   "the statement or receipt of the release; TABLE.receipt.json when not given")
      ->type_name("FILE")
      ->group("Input");
  command->add_option("--column", flags->asked.column, "the released column; the statement's when not given")
      ->type_name("COL")
      ->group("Input");
  command->add_option("--by", flags->asked.by, "estimate each group of rows that agree in these columns")
      ->type_name("COL[,COL]")
      ->group("Estimates");
  command
      ->add_option("--confidence", flags->asked.confidence,
                   "how sure each bound is by itself; 0.95 when not given")
      ->type_name("C")
      ->group("Estimates");
  command
      ->add_option(
          "--of", flags->asked.of,
          "table: of the very rows that were released (default); population: of the law that they were "
          "drawn from")
      ->type_name("table|population")
      ->group("Estimates");
  command
      ->add_option("--support", flags->asked.support,
                   "the least and the greatest true value; the released ones when not given and not stated")
      ->type_name("LO:HI")
      ->group("Estimates");
  command->add_option("--bin", flags->asked.bin, "width of the histogram's bins; chosen when not given")
      ->type_name("W")
      ->group("Estimates");
  command->add_option("--quantiles", flags->asked.quantiles, "levels; 0.1,0.25,0.5,0.75,0.9 when not given")
      ->type_name("Q[,Q]")
      ->group("Estimates");
  command->add_option("--separator", flags->asked.separator, "between fields; found by itself when not given")
      ->type_name("CHAR")
      ->group("Input");
  command
      ->add_flag("--part", flags->asked.part,
                 "the table holds some of the release's rows, or all of them written anew: its digest is not "
                 "compared, and it may have fewer rows")
      ->disable_flag_override()
      ->group("Input");
  command->add_flag("--no-header", flags->asked.no_header, "the first line is data; name columns by number")
      ->disable_flag_override()
      ->group("Input");
  add_general_options(*command, flags->general);
  command->footer(
      "fugu estimate fugu-demo/released.csv --statement fugu-demo/statement.json\n"
      "fugu estimate out.csv --by region --format json\n");
  return {command, [flags] { run(*flags); }};
}

}  // namespace fugu::cli
