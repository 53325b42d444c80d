// fugu statement: what may be published of a plan.
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/plan_io.h"
#include "fugu/ask/plan_options.h"
#include "fugu/ask/release_texts.h"
#include "fugu/plan/publishable.h"
#include "fugu/plan/statement.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct StatementOptions {
  std::string plan;
  std::string output;
  std::string publish_min;
  bool force = false;
  GeneralOptions general;
};

struct Forms {
  std::string contents;  // of the file
  std::string text;      // for people
  std::string warning = {};
};

Forms both_forms(const Plan& plan, uint64_t publish_min) {
  const Statement statement{.plan = plan, .publish_min = publish_min};
  return {statement_to_json(statement).pretty(), statement_text(statement), range_warning(plan, publish_min)};
}

Forms both_forms(const ModelPlan& plan, uint64_t) {
  return {model_statement_to_json(plan).pretty(), model_statement_text(plan)};
}

void run(const StatementOptions& options) {
  const bool json = options.general.json();
  const bool to_file = !options.output.empty() && options.output != "-";
  const OutputFile file{options.output, options.force, Access::kPublic};
  if (to_file) file.check();
  const uint64_t publish_min = read_publish_min(options.publish_min);
  const auto [contents, text, warning] =
      std::visit([&](const auto& proved) { return both_forms(proved.plan, publish_min); },
                 read_and_verify_any(options.plan));
  if (to_file) file.write(contents);
  if (!warning.empty()) warn(warning);
  if (to_file || !(json || options.output == "-")) {
    print(wrapped(text, kTextWidth, 0) + "\n");
  } else {
    print(contents);
  }
}

}  // namespace

Command add_statement(CLI::App& program) {
  CLI::App* command = program.add_subcommand("statement", "the part of a plan that may be published");
  auto options = std::make_shared<StatementOptions>();
  command->add_option("PLAN", options->plan, "the plan")->type_name("PLAN")->required();
  add_output_options(*command, options->output, options->force,
                     "write the statement to FILE as JSON; - prints it");
  add_flag_like<ReleaseTexts>(*command, "publish-min", options->publish_min, "Output");
  add_general_options(*command, options->general);
  command->footer("fugu statement fugu-demo/plan.json -o statement.json\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
