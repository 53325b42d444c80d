// fugu inspect: a look at a table before any decision.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/job_draft.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/lists.h"
#include "fugu/core/error.h"
#include "fugu/inspect/inspection.h"

namespace fugu::cli {
namespace {

struct InspectOptions {
  QuestionOptions question;  // the table, how it is read, and for a job's draft the columns
  std::string small;
  bool job = false;
  GeneralOptions general;
};

uint64_t read_small(const std::string& text) {
  if (text.empty()) return InspectionRequest{}.small;
  uint64_t rows = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (error != std::errc() || end != text.data() + text.size() || rows < 1)
    throw usage(fmt::format("--small: '{}' is not a number of rows", text), "for example --small 5");
  return rows;
}

void check(const InspectOptions& options) {
  const QuestionOptions& question = options.question;
  if (!options.job && !question.published.empty())
    throw usage("--public: it is for --job alone", "leave it out, or add --job");
  if (options.job && question.table == "-")
    throw usage("--job: a job names its table, and standard input has no name", "name the table's file");
}

void run(const InspectOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  check(options);
  QuestionOptions source = options.question;
  const std::string secret = options.job ? "" : source.secret;  // a draft has the columns as they stand
  InspectionRequest request{source.table,
                            split_list(secret, "--secret"),
                            split_list(source.na, "--na"),
                            read_separator(source.separator),
                            !source.no_header,
                            read_small(options.small)};
  request.people = source.people;
  request.database = open_for(source);
  std::optional<Interruptible> interruptible;
  if (request.database) interruptible.emplace();
  ProgressBar bar(options.general.quiet);
  const Inspection inspection = inspect_table(request, bar.callback());
  bar.clear();
  if (options.job) return print(job_text(drafted_job(options.question, inspection)));
  print(json ? inspection_to_json(inspection).pretty() : inspection_text(inspection));
}

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "inspect", "a table's columns: kind, values, missing fields, and what each gives away of a secret");
  auto options = std::make_shared<InspectOptions>();
  command
      ->add_option(
          "TABLE", options->question.table,
          "CSV or TSV, also gz or zst; - is standard input; or a database: postgresql://... or sqlite:FILE")
      ->type_name("TABLE")
      ->required();
  add_flag_like<QuestionOptions>(*command, "table", options->question.database_table, "Input");
  add_flag_like<QuestionOptions>(*command, "query", options->question.query, "Input");
  command
      ->add_option("--secret", options->question.secret,
                   "the column that must not be learned; several are one secret")
      ->type_name("COL[,COL]")
      ->group("Columns");
  command
      ->add_option("--public", options->question.published,
                   "with --job: the column to be released, or several")
      ->type_name("COL[,COL]")
      ->group("Columns");
  add_flag_like<QuestionOptions>(*command, "count", options->question.people, "Columns");
  command->add_option("--na", options->question.na, "texts that mean missing, besides the empty field")
      ->type_name("TEXT[,TEXT]")
      ->group("Input");
  command
      ->add_option("--small", options->small, "cells with fewer rows are counted as small; 5 when not given")
      ->type_name("N")
      ->group("Columns");
  command
      ->add_option("--separator", options->question.separator,
                   "between fields; found by itself when not given")
      ->type_name("CHAR")
      ->group("Input");
  add_flag_like<QuestionOptions>(*command, "no-header", options->question.no_header, "Input");
  command
      ->add_flag(
          "--job", options->job,
          "print the first draft of a job in place of the look: every column with its kind, and no value")
      ->disable_flag_override()
      ->group("Output");
  add_general_options(*command, options->general);
  command->footer(
      "fugu inspect fugu-demo/adult-occupation.csv --secret race\n"
      "fugu inspect people.csv --format json\n"
      "fugu inspect fugu-demo/adult-occupation.csv --secret race --public occupation --job\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
