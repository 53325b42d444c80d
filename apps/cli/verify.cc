// fugu verify: recomputes every number of a plan, trusting none.
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/plan_io.h"
#include "fugu/report/model_text.h"
#include "fugu/report/plan_text.h"

namespace fugu::cli {
namespace {

struct VerifyOptions {
  GeneralOptions general;
  std::string plan;
};

void run(const VerifyOptions& options) {
  const bool json = options.general.json();
  const auto threads = options.general.limit_threads();
  const auto any = read_and_verify_any(options.plan);
  std::visit(
      [&](const auto& proved) {
        print(json ? verified_to_json(proved.plan, proved.witness).pretty()
                   : verified_text(proved.plan, proved.witness));
      },
      any);
}

}  // namespace

Command add_verify(CLI::App& program) {
  CLI::App* command = program.add_subcommand("verify", "prove a plan again, trusting none of its numbers");
  auto options = std::make_shared<VerifyOptions>();
  command->add_option("PLAN", options->plan, "the plan; - is standard input")->type_name("PLAN")->required();
  add_general_options(*command, options->general);
  command->footer(
      "fugu verify fugu-demo/plan.json\n"
      "fugu verify fugu-demo/plan.json --format json\n");
  return {command, [options] { run(*options); }};
}

}  // namespace fugu::cli
