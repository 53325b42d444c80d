// fugu preview: what a release would leave of its table, before it is made.
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/database.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/plan_io.h"
#include "fugu/ask/preview_question.h"
#include "fugu/core/error.h"
#include "fugu/report/preview_text.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct PreviewFlags {
  PreviewTexts asked;
  std::string output;
  bool force = false;
  GeneralOptions general;
};

std::string of_statement(const PreviewFlags& flags, const Json& json, const std::string& place) {
  const PreviewTexts& asked = flags.asked;
  if (!asked.table.empty() || !asked.cross.empty() || !asked.draws.empty() || !asked.rows.empty() ||
      !asked.separator.empty() || !asked.database_table.empty() || !asked.query.empty())
    throw usage(place + ": a statement has no rows to draw, cross or show",
                "give the statement alone, or the plan");
  const StatementPreview preview = preview_of_statement(json, place);
  return flags.general.json() ? statement_preview_to_json(preview).pretty() : preview_text(preview);
}

std::string of_plan(const PreviewFlags& flags, const Json& json, const std::string& place) {
  QuestionOptions question;
  question.table = flags.asked.table;
  question.database_table = flags.asked.database_table;
  question.query = flags.asked.query;
  const auto database = flags.asked.table.empty() ? nullptr : open_for(question);
  const PreviewOptions options = read_preview(flags.asked, database);
  const Plan plan = verified_table_plan(json, place);
  const Preview preview = preview_of(plan, options);
  return flags.general.json() ? preview_to_json(preview).pretty() : preview_text(plan.scenario, preview);
}

void run(const PreviewFlags& flags) {
  flags.general.json();  // an unknown format is told before any work
  const auto threads = flags.general.limit_threads();
  const std::string& path = flags.asked.plan;
  const std::string place = path == "-" ? "standard input" : path;
  const bool to_file = !flags.output.empty() && flags.output != "-";
  const Json json = parse_json(read_text(path), place);
  const bool is_public = is_statement(json);
  const OutputFile file{flags.output, flags.force, is_public ? Access::kPublic : Access::kPrivate};
  if (to_file) file.check();
  const std::string text = is_public ? of_statement(flags, json, place) : of_plan(flags, json, place);
  if (!to_file) return print(text);
  file.write(text);
  print("Wrote " + printable(flags.output) +
        (is_public ? ". It may be published.\n" : ", readable by its owner only.\n"));
}

}  // namespace

Command add_preview(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("preview", "rows, shares and associations before and after a release");
  auto flags = std::make_shared<PreviewFlags>();
  add_flags(*command, flags->asked);
  add_output_options(*command, flags->output, flags->force,
                     "write the preview to FILE, mode 0600 unless it is of a statement; - prints it");
  add_general_options(*command, flags->general);
  command->footer(
      "fugu preview fugu-demo/plan.json\n"
      "fugu preview plan.json table.csv --cross region,job\n"
      "fugu preview statement.json\n");
  return {command, [flags] { run(*flags); }};
}

}  // namespace fugu::cli
