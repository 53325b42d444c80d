// fugu run: a job from its file, done or explained.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/making.h"
#include "apps/cli/text_io.h"
#include "apps/page/page_assets.h"
#include "fugu/ask/lists.h"
#include "fugu/run/job_check.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct RunOptions {
  std::string job;
  bool check = false, force = false, values_unchanged = false;
  GeneralOptions general;
};

Job read_job(const RunOptions& options, const std::string& place) {
  const std::string folder =
      options.job == "-" ? "" : std::filesystem::path(options.job).parent_path().string();
  Job job = job_in_folder(job_from_json(parse_json(read_text(options.job), place), place), folder);
  job.output.force = options.force;
  job.ledger.values_unchanged = options.values_unchanged;
  if (options.job != "-") job.path = options.job;
  check_complete(job, place);
  return job;
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

void explain(const Job& job, const GeneralOptions& general) {
  const Interruptible interruptible;
  const JobCheck checked = check_job(job, stop_if_interrupted);
  const std::string command = shell_line(job_words(job));
  if (general.json()) {
    Json json = Json::object();
    json.add("checked", Json::boolean(true));
    json.add("writes", Json::strings(checked.writes));
    json.add("sentences", Json::strings(checked.sentences));
    json.add("command", Json::string(command));
    return print(json.pretty());
  }
  std::string text;
  for (const std::string& sentence : checked.sentences)
    text += wrapped(printable(sentence), kTextWidth, 0) + "\n";
  print(text + "By hand: " + printable(command) + "\nNothing was counted, and nothing was written.\n");
}

void run(const RunOptions& options) {
  options.general.json();  // before any work
  const std::string place = options.job == "-" ? "standard input" : options.job;
  try {
    const Job job = read_job(options, place);
    if (options.check) return explain(job, options.general);
    if (!job.releases()) {
      check_plan_outputs(job);
      return run_calibrate({.question = job.question,
                            .general = options.general,
                            .plan = job.plan,
                            .output = job.files.plan,
                            .force = options.force,
                            .beside = job.files,
                            .publish_min = job.release.publish_min});
    }
    ReleaseAsked asked = asked_of(job);
    asked.page = report_assets();
    run_release(asked, options.general);
  } catch (const Error& error) {
    throw named_in_job(error, place);
  }
}

}  // namespace

Command add_run(CLI::App& program) {
  CLI::App* command = program.add_subcommand("run", "do what a job file says: calibrate, release, write");
  auto options = std::make_shared<RunOptions>();
  command->add_option("JOB", options->job, "the job file; the paths in it are relative to its folder")
      ->type_name("FILE")
      ->required();
  command->add_flag("--check", options->check, "explain what would happen, and do nothing")
      ->disable_flag_override()
      ->group("What is done");
  add_flag_like<LedgerTexts>(*command, "values-unchanged", options->values_unchanged, "What is done");
  add_flag_like<ReleaseOutput>(*command, "force", options->force, "Output");
  add_general_options(*command, options->general);
  command->footer(
      "fugu run --check fugu-demo/job.json\n"
      "fugu run fugu-demo/job.json\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
