// fugu demo: the whole story on the paper's own table.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "apps/cli/adult_counts.h"
#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/job.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_io.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/plan/statement.h"
#include "fugu/release/release_file.h"
#include "fugu/report/compared.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/variance_chart.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"
#include "fugu/verify/verify.h"

namespace fugu::cli {
namespace {

struct DemoOptions {
  std::string folder = "fugu-demo";
  bool force = false;
  bool quiet = false;
};

std::string adult_csv() {
  std::string text = "race,occupation\n";
  auto add = [&](const char* race, const char* occupation, uint32_t people) {
    for (uint32_t k = 0; k < people; ++k) text.append(race).append(",").append(occupation).append("\n");
  };
  for (const AdultOccupation& row : kAdultOccupations) add("White", row.name, row.white);
  for (const AdultOccupation& row : kAdultOccupations)
    add("Asian-Pac-Islander", row.name, row.asian_pac_islander);
  return text;
}

std::string paper_order() {
  std::string order;
  for (const AdultOccupation& row : kAdultOccupations)
    order += (order.empty() ? "" : ",") + std::string(row.name);
  return order;
}

// A line for each epsilon.
std::string errors_text(const std::vector<Comparison>& comparisons) {
  TextTable table({{"epsilon", Align::kLeft},
                   {"Theorem 1", Align::kRight},
                   {"Theorem 2", Align::kRight},
                   {"exact", Align::kRight}});
  for (const Comparison& comparison : comparisons) {
    std::vector<std::string> cells{comparison.epsilon.text()};
    for (const char* method : {"kantorovich", "relaxed", "exact"}) {
      for (const Candidate& candidate : comparison.candidates) {
        if (candidate.method == method) cells.push_back(compact(std::sqrt(*candidate.mse), 4));
      }
    }
    table.add(std::move(cells));
  }
  return table.text();
}

class Demo {
 public:
  explicit Demo(const DemoOptions& options) : options_(options), bar_(options.quiet) {}

  void run() {
    prepare_folder();
    write_table();
    const Question question = compare_methods();
    calibrate_plan(question.scenario);
    verify_plan();
    draw_figure(question.scenario);
    release_rows();
    write_job();
  }

 private:
  OutputFile file(const std::string& name, Access access = Access::kPublic) const {
    return {(std::filesystem::path(options_.folder) / name).string(), options_.force, access};
  }

  // Says what is done, and the command that does the same.
  void tell(const std::string& words, const std::string& command = {}) {
    print(fmt::format("\n{}. {}\n", ++step_, wrapped(words, 96, 3)) +
          (command.empty() ? "" : "   $ " + command + "\n"));
  }

  void prepare_folder() const {
    std::error_code failed;
    std::filesystem::create_directories(options_.folder, failed);
    if (!std::filesystem::is_directory(options_.folder)) {
      throw Error(ErrorKind::kIo, fmt::format("{}: the folder cannot be created", options_.folder),
                  "give another with --dir");
    }
    for (const char* name :
         {kTable, kCompared, kScenario, kPlan, kFigure, kReleased, kReceipt, kStatement, kJob})
      file(name).check();
  }

  void write_table() {
    file(kTable).write(adult_csv());
    print(
        fmt::format("fugu demo: 28,856 people with their race and occupation, as in the paper's example.\n"
                    "We want to release the occupation without revealing the race.\n"));
    tell(fmt::format("The table is written to {}, one row per person.", file(kTable).path));
  }

  Question compare_methods() {
    QuestionOptions ask;
    ask.table = file(kTable).path;
    ask.secret = "race";
    ask.published = "occupation";
    ask.order = paper_order();
    ask.epsilon = "0.1,0.3,0.5,0.8";
    tell(
        fmt::format("How much noise does each method add? All are proved; {} has them all. The least Laplace "
                    "noise beside that of the paper's theorems, as its error (root mean square):",
                    file(kCompared).path),
        fmt::format("fugu compare {} --secret race --public occupation \\\n       --epsilon {} \\\n       "
                    "--order \"{}\" --paper",
                    shell_word(ask.table), ask.epsilon, ask.order));
    Question question = read_question(ask, bar_.callback());
    const std::vector<Comparison> comparisons = compare_question(question, ask, {}, bar_.callback());
    bar_.clear();
    file(kCompared).write(compared_text(question, comparisons));
    print(errors_text(comparisons));
    question.scenario.epsilon = Epsilon::parse("0.5", "epsilon", ErrorKind::kBug);
    file(kScenario, Access::kPrivate).write(scenario_to_json(question.scenario).pretty());
    return question;
  }

  void calibrate_plan(const Scenario& scenario) {
    tell(fmt::format("The distributions are kept in {}. The least Laplace noise at epsilon 0.5 becomes a "
                     "plan: the exact noise, with its proof.",
                     file(kScenario).path),
         fmt::format("fugu calibrate --scenario {} --epsilon 0.5 --method exact -o {} --force",
                     shell_word(file(kScenario).path), shell_word(file(kPlan).path)));
    const Plan plan = calibrate(scenario, "exact", "laplace", bar_.callback());
    bar_.clear();
    file(kPlan, Access::kPrivate).write(plan_to_json(plan).pretty());
    print(fmt::format("   {}\n   noise: {}\n   error: {}\n", guarantee_words(plan), noise_words(plan),
                      error_words(plan)));
  }

  void verify_plan() {
    const std::string path = file(kPlan).path;
    tell("The plan is read back and proved again, without trusting whoever made it.",
         "fugu verify " + shell_word(path));
    const Plan plan = plan_from_json(parse_json(read_text(path), path), path);
    const std::string told = verified_text(plan, verify(plan));
    print("   " + told.substr(0, told.find("\n  ") + 1));
  }

  void draw_figure(const Scenario& scenario) {
    const LineChart chart = variance_chart(scenario, figure_epsilons(), "laplace", {}, bar_.callback());
    bar_.clear();
    file(kFigure).write(to_svg(chart, variance_name(scenario)));
    tell(fmt::format("The paper's last figure, with fugu's methods added, is drawn to {}.",
                     file(kFigure).path));
  }

  void release_rows() {
    const std::string table = file(kTable).path, plan_path = file(kPlan).path, out = file(kReleased).path;
    tell(
        "The plan is applied to the table: every occupation gets its own draw of the noise. The race is not "
        "written.",
        fmt::format("fugu release {} --plan {} -o {} --force", shell_word(table), shell_word(plan_path),
                    shell_word(out)));
    const ProvedPlan proved = read_and_verify(plan_path);
    const FileRelease to{.output = out, .force = options_.force};
    const auto released = release_to_file({.input = table}, proved.plan, to, bar_.callback());
    bar_.clear();
    file(kStatement).write(statement_to_json({proved.plan}).pretty());
    print(fmt::format(
        "   {} released. The file, its receipt and its statement may be published; look at them with\n"
        "   $ head {}\n   $ cat {}\n   $ fugu statement {}\n",
        counted(released.summary.released, "row"), shell_word(out), shell_word(to.receipt()),
        shell_word(plan_path)));
  }

  void write_job() {
    Job job;
    job.question.table = kTable;
    job.question.secret = "race";
    job.question.published = "occupation";
    job.question.order = paper_order();
    job.question.epsilon = "0.5";
    job.output.output = "job-released.csv";
    file(kJob).write(job_text(job));
    tell("All of this as one file for version control, without counts. What it would do:",
         "fugu run --check " + shell_word(file(kJob).path));
  }

  static constexpr const char* kTable = "adult-occupation.csv";
  static constexpr const char* kCompared = "compare.txt";
  static constexpr const char* kScenario = "scenario.json";
  static constexpr const char* kPlan = "plan.json";
  static constexpr const char* kFigure = "figure.svg";
  static constexpr const char* kReleased = "released.csv";
  static constexpr const char* kReceipt = "released.csv.receipt.json";
  static constexpr const char* kStatement = "statement.json";
  static constexpr const char* kJob = "job.json";

  const DemoOptions& options_;
  ProgressBar bar_;
  int step_ = 0;
};

}  // namespace

Command add_demo(CLI::App& program) {
  CLI::App* command = program.add_subcommand("demo", "a tour on a small bundled table, in a few seconds");
  auto options = std::make_shared<DemoOptions>();
  command->add_option("--dir", options->folder, "folder for the files; default fugu-demo")
      ->type_name("DIR")
      ->group("Output");
  command->add_flag("--force", options->force, "replace existing files")
      ->disable_flag_override()
      ->group("Output");
  command->add_flag("--quiet", options->quiet, "no progress bar")->disable_flag_override()->group("General");
  command->footer("fugu demo --dir fugu-demo --force\n");
  return {command, [options] { Demo(*options).run(); }};
}

}  // namespace fugu::cli
