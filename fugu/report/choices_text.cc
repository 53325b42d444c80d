#include "fugu/report/choices_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/law/promise_words.h"
#include "fugu/report/kept_words.h"
#include "fugu/report/leakage_text.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/shaping.h"
#include "fugu/report/verdict.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

std::string line(const std::string& text) { return "  " + wrapped(text, kTextWidth, 4) + "\n"; }

std::string choice_text(const Choices& choices, const Choice& choice, bool taken) {
  const Candidate& candidate = choice.candidate;
  std::string out = candidate.method;
  if (candidate.scale && candidate.noise != "laplace") out += fmt::format(" ({})", candidate.noise);
  out += ": " + candidate.title;
  if (taken) out += "; the default";
  out += "\n";
  const RowFacts& rows = *candidate.rows;
  const UseFacts facts = use_facts(choices.scenario, *candidate.mechanism, rows, choice.share, choices.rows);
  out += line(verdict_on(facts).sentence(facts));
  for (const std::string& words : kept_words(choices.scenario, rows)) out += line(words);
  out += line(frequencies_words(rows, choice.share));
  out += line(composes_words(candidate.repeated));
  out += line(fmt::format("a guess at the secret is right for at most {} of the people",
                          percent_up(rows.leakage.guessed_after.high)));
  if (candidate.baseline)
    out += line("hides the value itself, not only the secret, whatever anybody believes");
  if (candidate.unfinished) out += line("not finished in time: " + candidate.note);
  // What holds of the one to take is said there.
  if (!choice.refused.empty() && choice.refused != choices.recommended().refused)
    out += line(fmt::format("a release would be refused: {}", choice.refused));
  return out;
}

std::string budget_of(const Scenario& scenario) {
  return fmt::format("{}: {}", budget_text(scenario), in_words(scenario));
}

bool shows_noise(const std::vector<Choices>& budgets) {
  for (const Choices& choices : budgets) {
    for (const Choice& choice : choices.methods) {
      const Candidate& candidate = choice.candidate;
      if (candidate.mechanism && adds_noise(*candidate.mechanism) && !candidate.changes_nothing) return true;
    }
  }
  return false;
}

// The methods that give nothing here, each reason once.
std::string impossible_text(const Choices& choices) {
  std::vector<std::pair<std::string, std::string>> reasons;  // why, and which methods
  for (const Choice& choice : choices.methods) {
    const Candidate& candidate = choice.candidate;
    if (candidate.rows) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const auto& reason) { return reason.first == candidate.note; });
    const std::string name =
        candidate.noise == "gaussian" ? candidate.method + " (gaussian)" : candidate.method;
    if (known == reasons.end()) {
      reasons.emplace_back(candidate.note, name);
    } else {
      known->second += ", " + name;
    }
  }
  std::string out;
  for (const auto& [why, names] : reasons)
    out += "\n" + wrapped(fmt::format("Not here: {}: {}.", names, printable(why)), kTextWidth, 2) + "\n";
  return out;
}

// What exact Laplace noise costs with and without the shaping of the column, where it is shaped.
std::string shaped_text(const Question& question, const std::vector<Choices>& budgets) {
  if (question.before.effect.steps.empty()) return "";
  std::vector<Epsilon> epsilons;
  for (const Choices& choices : budgets) epsilons.push_back(choices.scenario.stated().epsilon);
  const std::vector<ShapedError> errors = shaped_errors(question.scenario, question.before, epsilons);
  return errors.empty() ? "" : shaping_text(question.before, errors);
}

// How to shape the column, for the first budget at which the method to take needs so much noise.
std::string hint_of(const Question& question, const std::vector<Choices>& budgets) {
  if (!question.rows) return "";
  for (const Choices& choices : budgets) {
    const Candidate& best = choices.recommended().candidate;
    if (!adds_noise(*best.mechanism)) continue;
    const ShapingHint hint = shaping_hint(choices.scenario, best.column_mse);
    if (!hint.what.empty()) return hint.text();
  }
  return "";
}

std::string truth_of(const Question& question) {
  if (question.scenario.confidence)
    return fmt::format("At {} % all of this holds for every distribution that the counts allow.",
                       to_text(100 * *question.scenario.confidence));
  return truth_sentence(question.scenario, question.rows.has_value());
}

std::string guess_text(const Choices& choices) {
  for (const Choice& choice : choices.methods) {
    if (!choice.candidate.rows) continue;
    const Leakage& leakage = choice.candidate.rows->leakage;
    return fmt::format(
        "Without any release, the best guess of somebody who knows {2} is right for {0} of the people; with "
        "the true values, for at most {1}.{3}{4}",
        percent_up(leakage.guessed_before.high), percent_up(leakage.guessed_true.high),
        guesser_words(choices.scenario, leakage), leakage.estimate ? " These shares are estimates." : "",
        choice.share ? " What a recipient will know about a share is an estimate too, at 95 %." : "");
  }
  return "";
}

}  // namespace

std::string choices_text(const Question& question, const std::vector<Choices>& budgets) {
  std::string out = asked_text(question.scenario, question.rows);
  out += shaped_text(question, budgets);
  for (const Choices& choices : budgets) {
    out += "\n" + wrapped(budget_of(choices.scenario), kTextWidth, 0) + "\n";
    for (size_t k = 0; k < choices.methods.size(); ++k) {
      const Candidate& candidate = choices.methods[k].candidate;
      if (candidate.rows)
        out += "\n" +
               choice_text(choices, choices.methods[k], k == 0 && candidate.method == choices.taken.method);
    }
    out += impossible_text(choices);
    const std::string guesses = guess_text(choices);
    if (!guesses.empty()) out += "\n" + wrapped(guesses, kTextWidth, 0) + "\n";
  }
  if (has_numbers(question.scenario) && shows_noise(budgets)) {
    const std::string clamped = clamped_sentence(question.scenario);
    if (!clamped.empty()) out += "\n" + clamped + "\n";
  }
  return out + "\n" + truth_of(question) + "\n" + hint_of(question, budgets);
}

std::string recommendation_text(const Choices& choices) {
  const Choice& best = choices.recommended();
  const Candidate& candidate = best.candidate;
  std::string why;
  if (candidate.changes_nothing) {
    why = candidate.loss ? fmt::format(
                               "no noise is needed: the unchanged values tell any two of these secrets apart "
                               "by at most e^{}",
                               rounded_up(*candidate.loss, 4))
                         : "no noise is needed: the unchanged values keep the promise";
  } else if (candidate.rows) {
    const UseFacts facts =
        use_facts(choices.scenario, *candidate.mechanism, *candidate.rows, best.share, choices.rows);
    const Verdict verdict = verdict_on(facts);
    const char* things = choices.scenario.released_columns() > 1 ? "rows" : "values";
    const double stays = candidate.rows->unchanged;
    why = !candidate.rows->keeps_frequencies ? fmt::format("it is the {}", candidate.title)
          : stays >= 0.5 ? fmt::format("{} of the {} stay and every frequency holds as it stands",
                                       percent(stays), things)
                         : fmt::format("every frequency holds as it stands, though only {} of the {} stay",
                                       percent(stays), things);
    const bool far = facts.error && *facts.error > 1 && !facts.frequencies_hold;
    const bool vague = verdict.shares == Use::kNot;
    if (far || vague)
      why += fmt::format("; but {}{}{}", far ? "values change by more than their own spread" : "",
                         far && vague ? ", and " : "", vague ? "shares stay vague" : "");
  }
  const bool taken = candidate.method == choices.taken.method;
  return wrapped(fmt::format("Recommended at {}: {}, because {}{}.", budget_text(choices.scenario),
                             candidate.method, why, taken ? fmt::format(" ({})", choices.taken.why) : ""),
                 kTextWidth, 0) +
         "\n";
}

}  // namespace fugu::inline in_report
