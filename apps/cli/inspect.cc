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
    throw usage("--public: this is for --job only", "leave it out, or add --job");
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
  CLI::App* command =
      program.add_subcommand("inspect", "a table's columns, and what each reveals about a secret");
  auto options = std::make_shared<InspectOptions>();
  QuestionOptions& question = options->question;
  constexpr const char *kColumns = "Columns", *kInput = "Input";
  using enum FlagKind;
  add_flag(
      *command,
      Flag{"TABLE", kFile, "TABLE", "",
           "CSV or TSV, also gz or zst; - is standard input; or a database: postgresql://... or sqlite:FILE"}
          .needed(),
      question.table);
  add_flag_like<QuestionOptions>(*command, "table", question.database_table, kInput);
  add_flag_like<QuestionOptions>(*command, "query", question.query, kInput);
  add_flag(
      *command,
      Flag{"secret", kNames, "COL[,COL]", kColumns, "the column to hide; several make one secret"}.everyday(),
      question.secret);
  add_flag(*command,
           Flag{"public", kNames, "COL[,COL]", kColumns, "with --job: the column to release, or several"}
               .everyday(),
           question.published);
  add_flag_like<QuestionOptions>(*command, "count", question.people, kColumns);
  add_flag(*command,
           Flag{"na", kNames, "TEXT[,TEXT]", kInput, "texts that mean missing, besides the empty field"}
               .everyday(),
           question.na);
  add_flag(*command,
           Flag{"small", kNumber, "N", kColumns, "call cells with fewer rows small; default 5"}.everyday(),
           options->small);
  add_flag(*command,
           Flag{"separator", kWord, "CHAR", kInput, "between fields; detected by default"}.everyday(),
           question.separator);
  add_flag_like<QuestionOptions>(*command, "no-header", question.no_header, kInput);
  add_flag(*command,
           Flag{"job", kSwitch, "", "Output",
                "print the first draft of a job instead: every column with its kind, no values"}
               .everyday(),
           options->job);
  add_general_options(*command, options->general);
  command->footer(
      "fugu inspect fugu-demo/adult-occupation.csv --secret race\n"
      "fugu inspect people.csv --format json\n"
      "fugu inspect fugu-demo/adult-occupation.csv --secret race --public occupation --job\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
