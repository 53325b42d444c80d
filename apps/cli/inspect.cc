// fugu inspect: a look at a table before any decision.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/lists.h"
#include "fugu/core/error.h"
#include "fugu/inspect/inspection.h"

namespace fugu::cli {
namespace {

struct InspectOptions {
  std::string table, database_table, query, secret, na, separator, small, people;
  bool no_header = false;
  GeneralOptions general;
};

uint64_t read_small(const std::string& text) {
  if (text.empty()) return InspectionRequest{}.small;
  uint64_t rows = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (error != std::errc() || end != text.data() + text.size() || rows < 1)
    throw Error(ErrorKind::kUsage, fmt::format("--small: '{}' is not a number of rows", text),
                "for example --small 5");
  return rows;
}

void run(const InspectOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  InspectionRequest request{options.table,
                            split_list(options.secret, "--secret"),
                            split_list(options.na, "--na"),
                            read_separator(options.separator),
                            !options.no_header,
                            read_small(options.small)};
  request.people = options.people;
  QuestionOptions source{
      .table = options.table, .database_table = options.database_table, .query = options.query};
  source.separator = options.separator;
  source.no_header = options.no_header;
  request.database = open_for(source);
  std::optional<Interruptible> interruptible;
  if (request.database) interruptible.emplace();
  ProgressBar bar(options.general.quiet);
  const Inspection inspection = inspect_table(request, bar.callback());
  bar.clear();
  print(json ? inspection_to_json(inspection).pretty() : inspection_text(inspection));
}

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "inspect", "a table's columns: kind, values, missing fields, and what each gives away of a secret");
  auto options = std::make_shared<InspectOptions>();
  command
      ->add_option(
          "TABLE", options->table,
          "CSV or TSV, also gz or zst; - is standard input; or a database: postgresql://... or sqlite:FILE")
      ->type_name("TABLE")
      ->required();
  add_flag_like<QuestionOptions>(*command, "table", options->database_table, "Input");
  add_flag_like<QuestionOptions>(*command, "query", options->query, "Input");
  command
      ->add_option("--secret", options->secret, "the column that must not be learned; several are one secret")
      ->type_name("COL[,COL]")
      ->group("Columns");
  add_flag_like<QuestionOptions>(*command, "count", options->people, "Columns");
  command->add_option("--na", options->na, "texts that mean missing, besides the empty field")
      ->type_name("TEXT[,TEXT]")
      ->group("Input");
  command
      ->add_option("--small", options->small, "cells with fewer rows are counted as small; 5 when not given")
      ->type_name("N")
      ->group("Columns");
  command->add_option("--separator", options->separator, "between fields; found by itself when not given")
      ->type_name("CHAR")
      ->group("Input");
  add_flag_like<QuestionOptions>(*command, "no-header", options->no_header, "Input");
  add_general_options(*command, options->general);
  command->footer(
      "fugu inspect fugu-demo/adult-occupation.csv --secret race\n"
      "fugu inspect people.csv --format json\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
