#include "apps/cli/plan_options.h"

namespace fugu::cli {
void add_time_limit(CLI::App& command, std::string& text) {
  command
      .add_option("--time-limit", text,
                  "after so many seconds the best that optimal and channel have proved will do")
      ->type_name("SECONDS")
      ->group("How much");
}

void add_plan_options(CLI::App& command, PlanOptions& options) {
  constexpr const char* kGroup = "How much";
  command
      .add_option(
          "--method", options.method,
          "how the noise is found; exact, the least of its family (the least found, if not laplace), when "
          "not "
          "given; optimal is the symmetric additive noise of least error, channel the release of least error "
          "among those that look at the value alone and give out its outputs; theorem3a and theorem3b are "
          "for "
          "gaussian noise, harmonic for the others; dp-laplace and randomized-response hide the value itself")
      ->type_name(
          "sensitivity|kantorovich|relaxed|harmonic|exact|optimal|channel|theorem3a|theorem3b|dp-laplace|"
          "randomized-response")
      ->group(kGroup);
  command
      .add_option(
          "--loss", options.loss,
          "error that optimal and channel make small: squared (when not given), absolute, zero-one, or the "
          "CSV file of a table: outputs in its first line, then a line for each value")
      ->type_name("squared|absolute|zero-one|FILE")
      ->group(kGroup);
  command
      .add_flag("--asymmetric", options.asymmetric, "optimal noise of mean zero that need not be symmetric")
      ->disable_flag_override()
      ->group(kGroup);
  command
      .add_flag("--unbiased", options.unbiased,
                "a channel whose mean output is the value; it needs outputs beyond the values")
      ->disable_flag_override()
      ->group(kGroup);
  command
      .add_option(
          "--outputs", options.outputs,
          "what a channel may release; the values when not given, with --unbiased as far beyond as needed")
      ->type_name("A,B,...")
      ->group(kGroup);
  add_time_limit(command, options.time_limit);
}

}  // namespace fugu::cli
