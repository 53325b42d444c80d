// The flags of a plan.
#include "fugu/ask/flags.h"
#include "fugu/ask/plan_options.h"

namespace fugu {
namespace {

using enum FlagKind;

constexpr const char* kSearch = "How much";

constexpr FlagOf<PlanOptions> kPlanFlags[] = {
    {{.name = "method",
      .value = "sensitivity|kantorovich|relaxed|harmonic|exact|optimal|channel|theorem3a|theorem3b|dp-"
               "laplace|randomized-response",
      .group = kSearch,
      .help =
          "how the noise is found; exact, the least of its family (the least found, if not laplace), when "
          "not given; optimal is the symmetric additive noise of least error, channel the release of least "
          "error among those that look at the value alone and give out its outputs; theorem3a and theorem3b "
          "are for gaussian noise, harmonic for the others; dp-laplace and randomized-response hide the "
          "value itself",
      .commands = "calibrate release",
      .python = "calibrate",
      .said_by = "plan",
      .page = {"", "method"}},
     &PlanOptions::method},
    {{.name = "loss",
      .kind = kChoice,
      .value = "squared|absolute|zero-one|FILE",
      .group = kSearch,
      .help = "error that optimal and channel make small: squared (when not given), absolute, zero-one, or "
              "the CSV file of a table: outputs in its first line, then a line for each value",
      .commands = "calibrate release",
      .python = "calibrate",
      .said_by = "plan",
      .page = {"method", "Error that optimal and channel make small", "squared",
               "squared (when not given), absolute or zero-one"}},
     &PlanOptions::loss},
    {{.name = "asymmetric",
      .kind = kSwitch,
      .group = kSearch,
      .help = "optimal noise of mean zero that need not be symmetric",
      .commands = "calibrate release",
      .python = "calibrate",
      .said_by = "plan",
      .page = {""}},
     &PlanOptions::asymmetric},
    {{.name = "unbiased",
      .kind = kSwitch,
      .group = kSearch,
      .help = "a channel whose mean output is the value; it needs outputs beyond the values",
      .commands = "calibrate release",
      .python = "calibrate",
      .said_by = "plan",
      .page = {""}},
     &PlanOptions::unbiased},
    {{.name = "outputs",
      .kind = kValues,
      .value = "A,B,...",
      .group = kSearch,
      .help =
          "what a channel may release; the values when not given, with --unbiased as far beyond as needed",
      .commands = "calibrate release",
      .python = "calibrate",
      .said_by = "plan",
      .page = {"method", "What a channel may release"}},
     &PlanOptions::outputs},
    {{.name = "time-limit",
      .kind = kNumber,
      .value = "SECONDS",
      .group = kSearch,
      .help = "after so many seconds the best that optimal and channel have proved will do",
      .commands = "calibrate compare figure release",
      .python = "calibrate compare",
      .said_by = "plan",
      .page = {"method", "Time limit of optimal and channel", "60"}},
     &PlanOptions::time_limit}};

}  // namespace

template <>
std::span<const FlagOf<PlanOptions>> flags_of() {
  return kPlanFlags;
}

}  // namespace fugu
