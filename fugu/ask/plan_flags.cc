// The flags of a plan.
#include "fugu/ask/flags.h"
#include "fugu/ask/plan_options.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kSearch = "How much";

constexpr FlagOf<PlanOptions> kPlanFlags[] = {
    {Flag{
         "method", kWord,
         "sensitivity|kantorovich|relaxed|harmonic|sharp|exact|optimal|channel|swap|theorem3a|theorem3b|dp-"
         "laplace|randomized-response",
         kSearch,
         "how to change the values; by default swap for categories, for several columns and for few enough "
         "numbers (never with --delta or --noise), else exact; a note in the plan says why. exact: the least "
         "noise of its family (the least found, if not laplace). sharp: the least laplace noise whose "
         "releases add up. optimal: the symmetric additive noise with the least error. channel: the least "
         "error among releases that look only at the value and give out its outputs. swap: the least change "
         "in which values, or whole rows of several columns, trade places so that every frequency stays. "
         "theorem3a and theorem3b: for gaussian noise; harmonic: for the others. dp-laplace and "
         "randomized-response hide the value itself"}
         .everyday("calibrate")
         .python("calibrate")
         .said_by("plan")
         .page({"", "method"})
         .of("calibrate release"),
     &PlanOptions::method},
    {Flag{"loss", kChoice, "squared|absolute|zero-one|FILE", kSearch,
          "error that optimal, channel and swap minimise: squared (default; zero-one where categories or "
          "whole rows trade places), absolute, zero-one, or a CSV file: outputs in its first line, then a "
          "line of costs for each value"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "Error that optimal, channel and swap make small", "squared",
                "squared (default), absolute or zero-one"})
         .of("calibrate release"),
     &PlanOptions::loss},
    {Flag{"cost", kWord, "rows|columns[:W,W]", kSearch,
          "what swap minimises where whole rows trade places: rows (default), how many change; columns, in "
          "how many columns they change, numbers by how far; columns:2,1 weighs the columns in order"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "What swap makes small", "rows"})
         .of("calibrate compare release"),
     &PlanOptions::cost},
    {Flag{"least-kept", kNumber, "SHARE", kSearch,
          "the least share of each kind of row that swap keeps unchanged; default 0"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "Share of each kind of row that stays, at least", "0"})
         .of("calibrate release"),
     &PlanOptions::least_kept},
    {Flag{"asymmetric", kSwitch, "", kSearch, "let the optimal noise be asymmetric, with mean zero"}
         .python("calibrate")
         .said_by("plan")
         .page({""})
         .of("calibrate release"),
     &PlanOptions::asymmetric},
    {Flag{"unbiased", kSwitch, "", kSearch,
          "a channel whose mean output is the value; it needs outputs beyond the values"}
         .python("calibrate")
         .said_by("plan")
         .page({""})
         .of("calibrate release"),
     &PlanOptions::unbiased},
    {Flag{"outputs", kValues, "A,B,...", kSearch,
          "what a channel may release; default: the values, and with --unbiased as far beyond them as needed"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "What a channel may release"})
         .of("calibrate release"),
     &PlanOptions::outputs},
    {Flag{"time-limit", kNumber, "SECONDS", kSearch,
          "stop searching for optimal, channel and swap after so many seconds and use the best found; the "
          "proof may take longer"}
         .python("calibrate compare")
         .said_by("plan")
         .page({"method", "Time limit of optimal, channel and swap", "60"})
         .of("calibrate compare figure release"),
     &PlanOptions::time_limit}};

}  // namespace

template <>
std::span<const FlagOf<PlanOptions>> flags_of() {
  return kPlanFlags;
}

}  // namespace fugu::inline in_ask
