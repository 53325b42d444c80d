// fugu report: a plan as a page that can be read, printed and kept.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "apps/page/page_assets.h"
#include "fugu/ask/plan_io.h"
#include "fugu/ask/plan_options.h"
#include "fugu/ask/release_texts.h"
#include "fugu/plan/publishable.h"
#include "fugu/report/decision.h"
#include "fugu/report/picture.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

constexpr double kSecondsCompared = 20;  // for the comparison, when no time limit is given

struct ReportOptions {
  std::string plan;
  std::string output;
  std::string time_limit;
  std::string publish_min;
  std::string title, table, date;
  bool for_public = false;
  bool force = false;
  GeneralOptions general;
};

ReportHead head_of(const ReportOptions& options, const std::string& digest) {
  return {.title = options.title,
          .table = options.table,
          .date = options.date,
          .version = "fugu " FUGU_VERSION,
          .digest = digest};
}

Json picture_of(const Plan& plan, const ReportOptions& options, const Progress& progress) {
  const ReportHead head = head_of(options, plan_digest(plan_to_json(plan)));
  if (!options.for_public)
    return report_picture(plan, head, read_time_limit(options.time_limit, kSecondsCompared), progress);
  Json picture = public_picture(plan, read_publish_min(options.publish_min));
  add_head(picture, head);
  return picture;
}

Json picture_of(const ModelPlan& plan, const ReportOptions& options, const Progress&) {
  if (!options.time_limit.empty())
    throw usage("--time-limit cannot be used with the plan of a model: no other methods are shown",
                "leave it out");
  Json picture = options.for_public ? public_picture(plan) : plan_picture(plan);
  add_head(picture, head_of(options, plan_digest(model_plan_to_json(plan))));
  return picture;
}

void check(const ReportOptions& options) {
  read_time_limit(options.time_limit, kSecondsCompared);
  if (options.for_public && !options.time_limit.empty())
    throw usage("--time-limit cannot be used with --public: it shows no other methods", "leave it out");
  read_publish_min(options.publish_min);
  if (!options.for_public && !options.publish_min.empty())
    throw usage("--publish-min cannot be used without --public: the report is for its owner", "leave it out");
  if (options.output.empty() && !options.general.json())
    throw usage("--output is missing", "name the file of the report, for example -o report.html");
  if (!options.output.empty() && options.output != "-" && same_file(options.plan, options.output))
    throw usage("--output: this is the plan itself", "give the report another name");
}

std::string wrote(const ReportOptions& options) {
  return options.for_public
             ? fmt::format("Wrote {}. It may be published: it holds no counts.\n", printable(options.output))
             : fmt::format("Wrote {}, readable by its owner only: it shows how often each value occurs.\n",
                           printable(options.output));
}

void run(const ReportOptions& options) {
  check(options);
  const auto threads = options.general.limit_threads();
  const bool to_file = !options.output.empty() && options.output != "-";
  const OutputFile file{options.output, options.force,
                        options.for_public ? Access::kPublic : Access::kPrivate};
  if (to_file) file.check();

  ProgressBar bar(options.general.quiet);
  const auto proved = read_and_verify_any(options.plan);
  const Json picture =
      std::visit([&](const auto& one) { return picture_of(one.plan, options, bar.callback()); }, proved);
  bar.clear();
  if (to_file) file.write(report_page(picture, report_assets()));
  if (const ProvedPlan* table = std::get_if<ProvedPlan>(&proved); table && options.for_public) {
    const std::string range = range_warning(table->plan, read_publish_min(options.publish_min));
    if (!range.empty()) warn(range);
  }
  if (options.general.json()) return print(picture.pretty());
  print(to_file ? wrote(options) : report_page(picture, report_assets()));
}

}  // namespace

Command add_report(CLI::App& program) {
  CLI::App* command = program.add_subcommand("report", "a plan as a page: the promise, its cost, its use");
  auto options = std::make_shared<ReportOptions>();
  using enum FlagKind;
  add_flag(*command, Flag{"PLAN", kFile, "PLAN", "", "the plan"}.needed(), options->plan);
  add_output_options(*command, options->output, options->force,
                     "write the page to FILE, as HTML, mode 0600 unless --public; - prints it");
  add_flag(*command,
           Flag{"public", kSwitch, "", "Output",
                "only what may be published: the promise and the noise; no counts, no frequencies"}
               .everyday(),
           options->for_public);
  auto said = [&](const char* flag, std::string& value, const char* what) {
    add_flag(*command, Flag{flag, kWord, "TEXT", "Output", what}.everyday(), value);
  };
  said("title", options->title, "the heading of the page");
  said("table-name", options->table, "what to call the table on the page");
  said("date", options->date, "the date to put on the page");
  add_flag_like<ReleaseTexts>(*command, "publish-min", options->publish_min, "Output");
  add_flag_like<PlanOptions>(*command, "time-limit", options->time_limit, "How much");
  command->get_option("--time-limit")
      ->description(
          "stop searching for the optimal noise and channel after so many seconds in all; default 20");
  add_general_options(*command, options->general);
  command->get_option("--format")->description("text says what was written; json prints the page's numbers");
  command->footer(
      "fugu report fugu-demo/plan.json -o report.html --table-name adult-occupation.csv --date 2026-07-01\n"
      "fugu report fugu-demo/plan.json --public -o public.html\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
