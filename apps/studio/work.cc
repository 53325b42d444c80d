#include "apps/studio/work.h"

#include <fmt/format.h>

#include <filesystem>

#include "apps/page/page_assets.h"
#include "apps/studio/first_rows.h"
#include "apps/studio/job_file.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/preview_question.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/core/json_read.h"
#include "fugu/inspect/inspection.h"
#include "fugu/law/promise_words.h"
#include "fugu/plan/statement.h"
#include "fugu/report/compared.h"
#include "fugu/report/decision.h"
#include "fugu/report/picture.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/plot.h"
#include "fugu/report/rows_compared.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/shaping.h"
#include "fugu/show/wording.h"

namespace fugu::studio {
namespace {

constexpr double kComparedSeconds = 60;  // for each optimum, when the page gives no time limit
constexpr double kErrorSeconds = 20;     // for error against epsilon
constexpr size_t kFirstRows = 8;
constexpr double kReportSeconds = 10;  // for the linear programmes of a report

// How long the optimal methods may take to be compared.
OptimumOptions compared_optimum(const Asking& asking) {
  OptimumOptions optimum;
  optimum.seconds = read_time_limit(asking.plan.time_limit, kComparedSeconds);
  return optimum;
}

std::vector<std::string> compared_noises(const Asking& asking, const Scenario& scenario) {
  std::vector<std::string> noises = asking.question.noises();
  if (noises.empty()) noises.push_back("laplace");
  if (!scenario.delta.is_zero() && asking.question.noise.empty()) noises.push_back("gaussian");
  return noises;
}

// {method: what it is}.
Json titles_of(const Comparison& comparison) {
  Json titles = Json::object();
  for (const Candidate& candidate : comparison.candidates) {
    if (!titles.find(candidate.method)) titles.add(candidate.method, Json::string(candidate.title));
  }
  return titles;
}

// Why a statement or a release of the plan would be refused, where it would.
std::optional<Error> why_not_published(const Plan& plan) {
  try {
    check_publishable(plan, kPublishMin);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

std::string publishing_hint(const Plan& plan) {
  const auto refused = why_not_published(plan);
  if (!refused) {
    const std::string range = range_warning(plan, kPublishMin);
    return range.empty() ? "" : fmt::format("warning: {}\n", range);
  }
  return fmt::format("This plan cannot be released: {}.\n{}.\n", refused->message(), refused->hint());
}

// What is left of the budget, before anything is spent; null without a ledger.
Json left_of(const LedgerUse& ledger, const Plan& plan) {
  if (ledger.path.empty()) return Json::null();
  try {
    return Json::string(ledger.ahead(plan));
  } catch (const Error& error) {
    return Json::string(fmt::format("The ledger: {}.\n{}.\n", error.message(), error.hint()));
  }
}

// One plan has one epsilon; the page's field is a text like the flag.
void check_one_plan(const Asking& asking) {
  asking.plan.check(one_noise(asking.question));
  check_one_epsilon(asking.question);
}

}  // namespace

std::string command_of(const std::string& command, const Asking& asking, const Settings& settings) {
  QuestionOptions question = asking.question;
  question.table = asking.table.name;
  MoreFlags more;
  PlanOptions plan = asking.plan;
  if (command == "compare") plan = {.time_limit = asking.plan.time_limit};
  if (command == "calibrate") more.emplace_back("-o", "plan.json");
  if (command == "release") {
    if (!asking.keep.empty()) more.emplace_back("--keep", asking.keep);
    if (asking.shuffle) more.emplace_back("--shuffle", "");
    more.insert(more.end(), settings.ledger.flags.begin(), settings.ledger.flags.end());
    const std::string output = asking.output.empty() ? "released.csv" : asking.output;
    more.emplace_back("-o", (std::filesystem::path(settings.folder) / output).lexically_normal().string());
  }
  return command_line(command, question, plan, more);
}

Json Work::rows(const Asking& asking, const Progress&) {
  const QuestionOptions& question = asking.question;
  return first_rows(asking.table.path,
                    {.separator = read_separator(question.separator), .header = !question.no_header},
                    kFirstRows);
}

Json Work::inspect(const Asking& asking, const Progress& progress) {
  const QuestionOptions& question = asking.question;
  const Inspection inspection = inspect_table({.path = asking.table.path,
                                               .secret = split_list(question.secret, "--secret"),
                                               .na = split_list(question.na, "--na"),
                                               .separator = read_separator(question.separator),
                                               .header = !question.no_header},
                                              progress);
  Json json = inspection_to_json(inspection);
  Json::Array warnings;
  for (const auto& [column, text] : inspection_warnings(inspection)) {
    Json warning = Json::object();
    warning.add("column", column.empty() ? Json::null() : Json::string(column));
    warning.add("text", Json::string(text));
    warnings.push_back(std::move(warning));
  }
  json.add("warnings", Json::array(std::move(warnings)));
  return json;
}

Json Work::promise(const Asking& asking, const Progress& progress) {
  check_one_epsilon(asking.question);
  const auto read = questions_.read(asking, progress);
  const Scenario& scenario = read->question.scenario;
  Json json = Json::object();
  json.add("words", Json::string(in_words(scenario)));
  json.add("truth", Json::string(truth_sentence(scenario, read->question.rows.has_value())));
  json.add("command", Json::string(command_of("compare", asking, settings_)));
  json.add("chosen", Json::string(method_for(scenario, asking.question, {}).method));
  return json;
}

Json Work::compare(const Asking& asking, const Progress& progress) {
  check_one_epsilon(asking.question);
  const auto read = questions_.read(asking, progress);
  const Scenario& scenario = read->question.scenario;
  const auto comparisons = compare_question(read->question, asking.question, {}, progress, Compared::kDirect);
  Json json = comparison_to_json(comparisons.front());
  json.add("titles", titles_of(comparisons.front()));
  json.add("words", Json::string(in_words(scenario)));
  json.add("truth", Json::string(truth_sentence(scenario, read->question.rows.has_value())));
  json.add("guessing", Json::string(guessing_sentence(scenario, comparisons.front().released())));
  json.add("facts", read->facts);
  json.add("command", Json::string(command_of("compare", asking, settings_)));
  json.add("chosen", Json::string(method_for(scenario, asking.question, {}).method));
  return json;
}

Json Work::optima(const Asking& asking, const Progress& progress) {
  check_one_epsilon(asking.question);
  const auto read = questions_.read(asking, progress);
  Json json = Json::object();
  json.add("epsilon", Json::string(read->question.scenario.stated().epsilon.text()));
  const auto comparisons = compare_question(read->question, asking.question, compared_optimum(asking),
                                            progress, Compared::kOptima);
  const Json compared = comparison_to_json(comparisons.front());
  json.add("candidates", *compared.find("candidates"));
  json.add("titles", titles_of(comparisons.front()));
  return json;
}

Json Work::laws(const Asking& asking, const Progress& progress) {
  const auto read = questions_.read(asking, progress);
  Json json = Json::object();
  const Json transport = transport_picture(read->question.scenario);
  Emphasis emphasis;
  if (const Json* pair = transport.find("pair")) emphasis.secrets = need_strings(*pair, "picture");
  json.add("laws", plots_to_json(laws_picture(read->question.scenario), emphasis, PlotsFor::kPage));
  json.add("transport", plots_to_json(transport, {}, PlotsFor::kPage));
  return json;
}

Json Work::errors_of(const Asking& asking, bool programmes, const Progress& progress) {
  const auto read = questions_.read(asking, progress);
  const Scenario& scenario = read->question.scenario;
  Json json = Json::object();
  const Json errors = error_picture(
      scenario, epsilons_around(scenario),
      {.noises = compared_noises(asking, scenario), .seconds = kErrorSeconds, .programmes = programmes},
      progress);
  json.add("error", plots_to_json(errors, {{}, asking.plan.method}, PlotsFor::kPage));
  return json;
}

Json Work::downloads_of(const std::shared_ptr<const Plan>& plan, const std::vector<std::string>& beside,
                        Downloads::Kept kept) {
  auto text = [&](const char* name, const char* type, std::function<std::string()> make) {
    return downloads_.add({"", name, type, "", std::move(make)}, kept);
  };
  Json files = Json::object();
  files.add("plan", text("plan.json", "application/json", [plan] { return plan_to_json(*plan).pretty(); }));
  if (!why_not_published(*plan)) {
    files.add("statement", text("statement.json", "application/json", [plan, beside] {
                return statement_to_json(Statement{*plan, {}, beside}).pretty();
              }));
  }
  files.add("report", text("report.html", "text/html", [plan, alone = reporting_] {
              const std::lock_guard lock(*alone);
              return report_page(report_picture(*plan, {}, kReportSeconds, {}), report_assets());
            }));
  return files;
}

Json Work::commands(const Asking& asking, const Progress&) {
  Json commands = Json::object();
  commands.add("calibrate", Json::string(command_of("calibrate", asking, settings_)));
  commands.add("release", Json::string(command_of("release", asking, settings_)));
  return commands;
}

Json Work::save_job(const Asking& asking, const Progress&) {
  const std::string text = job_text(saved_job(asking));
  return downloads_.add({"", "job.json", "application/json", "", [text] { return text; }});
}

ShownPlan Work::plan_of(const Asking& asking, const Progress& progress) {
  if (auto shown = shown_.again(asking)) return *shown;
  const auto read = questions_.read(asking, progress);
  auto plan = std::make_shared<const Plan>(
      make_plan(read->question.scenario, asking.question, asking.plan, progress));
  const Json contents = plan_to_json(*plan);
  return {std::move(plan), read->state, *contents.find("digest")->if_string(), contents.canonical().size()};
}

Json Work::calibrate(const Asking& asking, const Progress& progress) {
  check_one_plan(asking);
  const ShownPlan shown = plan_of(asking, progress);
  const std::shared_ptr<const Plan>& plan = shown.plan;
  shown_.add(asking, shown);
  Json json = Json::object();
  json.add("method", Json::string(plan->method));
  json.add("digest", Json::string(shown.digest));
  json.add("epsilon", Json::string(plan->scenario.stated().epsilon.text()));
  json.add("error", Json::string(error_words(*plan)));
  json.add("summary", Json::string(plan_summary(*plan)));
  json.add("assumptions", Json::strings(plan->assumptions));
  json.add("notes", Json::strings(plan->notes));
  json.add("hint", Json::string(shaping_hint(*plan).text() + publishing_hint(*plan)));
  json.add("statement", Json::string(statement_text(Statement{*plan})));
  json.add("loss", plots_to_json(loss_picture(*plan), {}, PlotsFor::kPage));
  json.add("noise", plots_to_json(noise_picture(plan->scenario, plan->mechanism), {}, PlotsFor::kPage));
  json.add("ledger", left_of(settings_.ledger, *plan));
  json.add("files", downloads_of(plan));
  json.add("commands", commands(asking, progress));
  return json;
}

Json Work::preview(const Asking& asking, const Progress&) {
  const ShownPlan shown = shown_.find(asking);
  return preview_to_json(preview_of(*shown.plan, read_preview({.table = asking.table.path,
                                                               .cross = asking.cross,
                                                               .separator = asking.question.separator})));
}

Json Work::rest(const Asking& asking) {
  const ShownPlan shown = shown_.rest(asking);
  history_.add_plan(asking, shown, downloads_of(shown.plan, {}, Downloads::Kept::kUntilForgotten));
  return history();
}

}  // namespace fugu::studio
