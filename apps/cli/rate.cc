// fugu model rate: hide the rate of a whole table behind a count, a sum, a mean or a histogram of it.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/model_options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"
#include "fugu/ask/rate_question.h"
#include "fugu/ask/release_texts.h"
#include "fugu/calibrate/rate.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/plan/publishable.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

// Empty text is a flag not given.
struct RateFlags {
  RateOptions rate;
  QuestionOptions question;
  bool compare = false;
  std::string publish_min = {};
  ModelOptions model;
};

void check_flags(const RateFlags& options) {
  options.rate.check();
  const std::string& observed = options.model.observed;
  if (!observed.empty() && observed != "-" && observed != "table")
    throw usage("--observed: this must be table or -",
                "table releases what the table holds, - reads the true number from standard input");
  if (observed == "table" && !options.question.scenario.empty())
    throw usage("--observed table: there is no table", "use --observed -");
  if (observed == "-" && (options.question.table == "-" || options.question.scenario == "-"))
    throw usage("--observed -: standard input is already in use", "give the other input a file");
  if (options.compare && (!options.rate.method.empty() || !observed.empty() || !options.model.output.empty()))
    throw usage("--compare makes no plan", "leave out --method, --observed and -o");
}

void compare(const RateFlags& options, const RateModel& model, const Budget& budget, ProgressBar& bar) {
  Json candidates = Json::array();
  TextTable table({{"method"},
                   {"scale", Align::kRight},
                   {"error", Align::kRight},
                   {"proved", Align::kRight},
                   {"what it uses"}});
  for (const RateMethod& method : kRateMethods) {
    Json row = Json::object();
    row.add("method", Json::string(std::string(method.name)));
    row.add("noise", Json::string("laplace"));
    const std::string reason = why_not(model, budget, method.name);
    if (!reason.empty()) {
      for (const char* key : {"scale", "mse", "loss"}) row.add(key, Json::null());
      row.add("note", Json::string(reason));
      table.add({std::string(method.name), "-", "-", "-", reason});
    } else {
      const ModelPlan plan = calibrate(model, budget, method.name, bar.callback());
      const double proved = plan.witness.loss ? *plan.witness.loss : *plan.witness.delta;
      row.add("scale", Json::number(plan.noise.scale->value));
      row.add("mse", Json::number(plan.mse));
      row.add("loss", plan.witness.loss ? Json::number(*plan.witness.loss) : Json::null());
      row.add("note", Json::null());
      table.add({std::string(method.name), rounded_up(plan.noise.scale->value, 6),
                 compact(std::sqrt(plan.mse), 5), rounded_up(proved, 6), std::string(method.title)});
    }
    candidates.if_array()->push_back(std::move(row));
  }
  bar.clear();
  if (options.model.general.json()) {
    Json json = Json::object();
    json.add("candidates", std::move(candidates));
    return print(json.pretty());
  }
  print(fmt::format("epsilon {}: {}\n\n{}", budget.epsilon.text(), in_words(budget.epsilon, budget.delta),
                    table.text()));
}

void run(RateFlags options) {
  (void)options.model.general.json();
  const auto threads = options.model.general.limit_threads();
  check_flags(options);
  const Budget budget = options.model.budget.read(kEpsilonHint);
  const uint64_t least = read_publish_min(options.publish_min);
  options.question.epsilon = options.model.budget.epsilon;
  options.model.check_output({options.question.table, options.question.scenario});
  ProgressBar bar(options.model.general.quiet);
  const Question question = read_question(options.question, bar.callback());
  const RateInput input = read_rate(options.rate, question.scenario, question.rows.has_value());
  if (options.compare) return compare(options, input.model, budget, bar);
  std::optional<std::vector<int64_t>> observed;
  if (options.model.observed == "table") observed = input.truth;
  if (options.model.observed == "-") observed = read_observed(input.model);
  if (observed) check_publishable(input.model, least);
  const ModelPlan plan = calibrate(input.model, budget, options.rate.method, bar.callback());
  if (plan.noise.is_none() && input.model.estimated) {
    warn(
        "no noise is needed under these distributions, but they were estimated from this very table: whoever "
        "knows its frequencies can work out the rate from the number. --method group does not depend on "
        "them");
  }
  finish(options.model, plan, observed, bar.callback());
}

}  // namespace

Command add_rate(CLI::App& parent) {
  CLI::App* command = parent.add_subcommand(
      "rate", "hide a rate of the whole table when releasing a count, a sum, a mean or a histogram");
  auto options = std::make_shared<RateFlags>();
  constexpr const char* kTable = "The table";
  QuestionOptions& question = options->question;
  auto like = [&](const char* name, auto& value) {
    add_flag_like<QuestionOptions>(*command, name, value, kTable);
  };
  like("TABLE", question.table);
  like("secret", question.secret);
  add_flag(*command,
           Flag{"public", FlagKind::kWord, "COL", kTable, "the column to count or add up, by name or number"}
               .everyday(),
           question.published);
  add_flags(*command, options->rate);
  like("scenario", question.scenario);
  like("table", question.database_table);
  like("query", question.query);
  like("clip", question.clip);
  like("step", question.step);
  like("kind", question.kind);
  like("na", question.na);
  like("missing", question.missing);
  like("rows-independent", question.rows_independent);
  like("separator", question.separator);
  like("no-header", question.no_header);
  add_flag(
      *command,
      Flag{"compare", FlagKind::kSwitch, "", "Method", "show every method side by side; no plan"}.everyday(),
      options->compare);
  add_model_options(*command, options->model,
                    "release the true numbers: table takes the table's, - reads them from standard input");
  add_flag_like<ReleaseTexts>(*command, "publish-min", options->publish_min, "Output");
  command->footer(
      "fugu model rate patients.csv --secret died --public ward --count ICU --within 0.05 --epsilon 1 "
      "--compare\n"
      "fugu model rate patients.csv --secret died --public days --mean --within 0.05 --epsilon 1 -o "
      "plan.json\n"
      "fugu model rate patients.csv --secret died --public ward --histogram --within 0.05 --epsilon 1 "
      "--observed "
      "table\n"
      "fugu model rate --scenario laws.json --rows 1000 --count ICU --within all --epsilon 1\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
