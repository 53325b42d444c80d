#include "fugu/report/leakage_text.h"

#include <fmt/format.h>

#include "fugu/core/interval.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

// "the released row", and of several rows of a person all of them.
const char* seen(const Scenario& scenario) {
  if (scenario.rows_per_person() > 1) return "all released rows";
  return scenario.released_columns() > 1 ? "the released row" : "the released value";
}

// Whose prior it is, where there are several.
std::string under(const Scenario& scenario, const std::string& prior) {
  return scenario.priors.size() > 1 ? fmt::format(" (prior {})", printable(prior)) : "";
}

}  // namespace

std::string leakage_words(const Scenario& scenario, const Leakage& leakage) {
  std::string words = fmt::format(
      "the best guess of a secret is right for {} of the people, with {} for at most {} (with the true one "
      "{}); at most {} bits of it are revealed",
      percent_up(leakage.guessed_before.high), seen(scenario), percent_up(leakage.guessed_after.high),
      percent_up(leakage.guessed_true.high), rounded_up(leakage.told.high, 3));
  if (leakage.most_told.high > leakage.told.high)
    words += fmt::format(", {}{}", rounded_up(leakage.most_told.high, 3),
                         under(scenario, leakage.most_told_prior));
  words += fmt::format("; maximal leakage at most {}{}; for somebody who knows {}",
                       rounded_up(leakage.maximal.high, 3), under(scenario, leakage.maximal_prior),
                       guesser_words(scenario, leakage));
  if (leakage.estimate)
    words +=
        "; an estimate from the table's own frequencies, not for every distribution that its counts allow";
  return words;
}

std::string guesser_words(const Scenario& scenario, const Leakage& leakage) {
  const char* known =
      scenario.source && scenario.source->has_strata() ? " and the person's known columns" : "";
  // A table's secrets may happen to be equally frequent; those of a law are only taken so.
  const bool is_counted = scenario.source && !scenario.has_laws();
  return leakage.equal_shares && !is_counted
             ? fmt::format("the prior{} and takes every secret as equally likely", known)
             : fmt::format("how often everything occurs{}", known);
}

std::string public_leakage_words(const Scenario& scenario) {
  const auto [epsilon, delta] = scenario.stated();
  if (!delta.is_zero() || !scenario.pairs.is_all()) return "";
  constexpr Bits kBits = 128;
  const Interval value(epsilon.value(), kBits), growth = exp(value), one(Integer(1), kBits),
                                                two(Integer(2), kBits);
  // A promise in belief bounds each secret against the mixture alone.
  const Interval bits =
      (scenario.is_of_belief() ? value : value * (growth - one) / (growth + one)) / log(two);
  return fmt::format(
      "any guess about the secret becomes right at most {} times as often through {}, and at most {} bits of "
      "it are revealed, under each of the beliefs that the promise is about",
      rounded_up(growth.upper(), 4), seen(scenario), rounded_up(bits.upper(), 3));
}

}  // namespace fugu::inline in_report
