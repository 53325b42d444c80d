// The flags of a plan.
#include "fugu/ask/flags.h"
#include "fugu/ask/plan_options.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kSearch = "How much";

constexpr FlagOf<PlanOptions> kPlanFlags[] = {
    {Flag{"method", kWord,
          "sensitivity|kantorovich|relaxed|harmonic|sharp|exact|optimal|channel|swap|theorem3a|theorem3b|dp-"
          "laplace|"
          "randomized-response",
          kSearch,
          "what is done to the values. When not given: swap for categories, for several columns and for "
          "numbers that are "
          "few enough, else exact; a note of the plan says which and why. exact is the least noise of its "
          "family (the "
          "least found, if not laplace), sharp the least laplace noise of which releases add up, optimal the "
          "symmetric additive noise of least error, channel the "
          "release of least error "
          "among those that look at the value alone and give out its outputs, swap the least change by which "
          "values, of "
          "several columns whole rows, trade places so that every frequency stays; theorem3a and theorem3b "
          "are for "
          "gaussian noise, harmonic for the others; dp-laplace and randomized-response hide the value itself"}
         .python("calibrate")
         .said_by("plan")
         .page({"", "method"})
         .of("calibrate release"),
     &PlanOptions::method},
    {Flag{
         "loss", kChoice, "squared|absolute|zero-one|FILE", kSearch,
         "error that optimal, channel and swap make small: squared (when not given, but zero-one where "
         "categories or whole rows trade places), absolute, zero-one, or the CSV file of a table: outputs in "
         "its first line, then a line for each value"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "Error that optimal and channel make small", "squared",
                "squared (when not given), absolute or zero-one"})
         .of("calibrate release"),
     &PlanOptions::loss},
    {Flag{"cost", kWord, "rows|columns[:W,W]", kSearch,
          "what swap makes small where whole rows trade places: rows, how many change (when not given), or "
          "columns, in how many columns they change, numbers by how far; columns:2,1 weighs them in their "
          "order"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "What swap makes small", "rows"})
         .of("calibrate compare release"),
     &PlanOptions::cost},
    {Flag{"least-kept", kNumber, "SHARE", kSearch,
          "the share of each kind of row that swap keeps as it is, at least; 0 when not given"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "Share of each kind of row that stays, at least", "0"})
         .of("calibrate release"),
     &PlanOptions::least_kept},
    {Flag{"asymmetric", kSwitch, "", kSearch, "optimal noise of mean zero that need not be symmetric"}
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
          "what a channel may release; the values when not given, with --unbiased as far beyond as needed"}
         .python("calibrate")
         .said_by("plan")
         .page({"method", "What a channel may release"})
         .of("calibrate release"),
     &PlanOptions::outputs},
    {Flag{"time-limit", kNumber, "SECONDS", kSearch,
          "after so many seconds of search the best that optimal and channel have found will do; its proof "
          "takes what it takes"}
         .python("calibrate compare")
         .said_by("plan")
         .page({"method", "Time limit of optimal and channel", "60"})
         .of("calibrate compare figure release"),
     &PlanOptions::time_limit}};

}  // namespace

template <>
std::span<const FlagOf<PlanOptions>> flags_of() {
  return kPlanFlags;
}

}  // namespace fugu::inline in_ask
