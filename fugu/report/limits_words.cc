#include "fugu/report/limits_words.h"

namespace fugu::inline in_report {
namespace {

constexpr const char* kOnlySecret =
    "Only the secret is hidden: not that a person is in the table, not which row is whose, and nothing else "
    "that "
    "the released values say.";
constexpr const char* kOnce =
    "Each value is released once. A second draw adds to the first, and not always as the sum of the "
    "epsilons.";

}  // namespace

std::vector<std::string> limits_of(const Scenario& scenario) {
  std::vector<std::string> limits{kOnlySecret};
  const bool one_belief = scenario.priors.size() == 1;
  if (one_belief && scenario.sampling.kind == Sampling::Kind::kCensus) {
    limits.emplace_back(
        "The table is the whole population that the promise is about. Of people who are not in it the odds "
        "may "
        "change by more.");
  } else if (!scenario.confidence && !scenario.has_laws()) {
    limits.emplace_back(
        one_belief
            ? "The frequencies behind the plan are taken as the truth. If people are in truth otherwise, the "
              "odds may change by more; --confidence covers every law that the counts allow."
            : "One of the priors is taken as the truth. If people are in truth otherwise, the odds may "
              "change "
              "by more.");
  }
  if (scenario.source && scenario.source->has_strata()) {
    limits.emplace_back(
        "Somebody who knows a person's true value in a released column is not covered; --known covers "
        "columns that are named, and writes them as they are.");
  } else if (!scenario.source || scenario.source->given.empty()) {
    limits.emplace_back(
        "Somebody who knows other things about a person that bear on the value, such as other columns, is "
        "not "
        "covered; --given covers columns that are named.");
  }
  if (scenario.is_of_belief()) {
    limits.emplace_back(
        "Somebody who believes of the secrets beforehand other than is stated is not covered; --promise odds "
        "covers whatever is believed of them.");
  }
  if (!scenario.pairs.is_all())
    limits.emplace_back("Only the listed pairs of secrets are protected, and no others.");
  limits.emplace_back(
      scenario.rows_per_person() > 1
          ? "People who depend on each other say more together than each does. How many rows of a person are "
            "released is not hidden, and of rows that were not drawn nothing is promised."
          : "Rows of one person, or of people who depend on each other, say more together than one row "
            "does.");
  limits.emplace_back(kOnce);
  limits.emplace_back(
      "Releasing a further column of the same people is not covered: columns can say together what none says "
      "alone.");
  return limits;
}

std::vector<std::string> limits_of(const ModelPlan& plan) {
  std::vector<std::string> limits{
      "The model is taken as the truth. If the world is otherwise, the odds may change by more."};
  if (std::holds_alternative<Crowd>(plan.model) && !plan.budget.delta.is_zero()) {
    limits.emplace_back(
        "Somebody who knows what most of the others said, or users who always agree, are not covered.");
  }
  if (std::holds_alternative<RateModel>(plan.model)) {
    limits.emplace_back("Rates that lie further apart than the plan says may be told apart.");
    limits.emplace_back("Rows that depend on each other say more of the rate than independent ones.");
  }
  limits.emplace_back("The number is released once. A second draw adds to the first.");
  return limits;
}

}  // namespace fugu::inline in_report
