#include "fugu/report/limits_words.h"

namespace fugu::inline in_report {
namespace {

constexpr const char* kOnlySecret =
    "Only the secret is hidden: not that a person is in the table, not which row is whose, and nothing else "
    "that the released values say.";
constexpr const char* kOnce =
    "Each value is released once. A second draw adds to the first, and not always as the sum of the "
    "epsilons.";

}  // namespace

std::vector<std::string> limits_of(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  std::vector<std::string> limits{kOnlySecret};
  const bool one_belief = scenario.priors.size() == 1;
  if (one_belief && scenario.sampling.kind == Sampling::Kind::kCensus) {
    limits.emplace_back(
        "The table is the whole population that the promise is about. For people who are not in it, the odds "
        "may change by more.");
  } else if (!scenario.confidence && !scenario.has_laws()) {
    limits.emplace_back(
        one_belief
            ? "The frequencies behind the plan are taken as the truth. If the truth is different, the odds "
              "may change by more. A confidence would cover every distribution that the counts allow."
            : "One of the priors is taken as the truth. If the truth is different, the odds may change by "
              "more.");
  }
  if (scenario.source && scenario.source->has_strata()) {
    limits.emplace_back(
        "Somebody who knows a person's true value in a released column is not covered, unless that column is "
        "named as known, and so written unchanged.");
  } else {
    if (scenario.released_columns() > 1) {
      limits.emplace_back(
          "Somebody who knows a person's true value in a released column is not covered, unless that column "
          "is named as known or given.");
    }
    if (!scenario.source || scenario.source->given.empty()) {
      limits.emplace_back(
          "Somebody who knows other things about a person that bear on the value, such as other columns, is "
          "not covered. Columns named as given would be covered.");
    }
  }
  // Whoever knows the counts learns from other rows what is left for this one.
  const bool is_of_people = scenario.source && !scenario.source->secret.empty();
  if (std::holds_alternative<Swap>(plan.mechanism) || (is_of_people && !changes_nothing(plan.mechanism))) {
    limits.emplace_back(
        "Somebody who knows this table's exact counts is not covered. The plan holds them, and is as private "
        "as the table.");
  }
  if (scenario.is_of_belief()) {
    limits.emplace_back(
        "Somebody who believes other shares of the secrets beforehand than stated is not covered. A promise "
        "in odds would cover any such belief.");
  }
  if (!scenario.pairs.is_all())
    limits.emplace_back("Only the listed pairs of secrets are protected, and no others.");
  limits.emplace_back(
      scenario.rows_per_person() > 1
          ? "People who depend on each other reveal more together than each alone. How many rows of a person "
            "are released is not hidden, and nothing is promised about rows that were not drawn."
          : "Rows of one person, or of people who depend on each other, reveal more together than one row "
            "does.");
  limits.emplace_back(kOnce);
  limits.emplace_back(
      "Releasing another column about the same people is not covered: columns can reveal together what none "
      "reveals alone.");
  return limits;
}

std::vector<std::string> limits_of(const ModelPlan& plan) {
  std::vector<std::string> limits{
      "The model is taken as the truth. If the world is different, the odds may change by more."};
  if (std::holds_alternative<Crowd>(plan.model) && !plan.budget.delta.is_zero()) {
    limits.emplace_back(
        "Somebody who knows what most of the others said, or users who always agree, are not covered.");
  }
  if (std::holds_alternative<RateModel>(plan.model)) {
    limits.emplace_back("Rates that lie further apart than the plan says may be told apart.");
    limits.emplace_back("Rows that depend on each other reveal more about the rate than independent ones.");
  }
  limits.emplace_back("The number is released once. A second draw adds to the first.");
  return limits;
}

}  // namespace fugu::inline in_report
