#include "fugu/report/decision.h"

#include <fmt/format.h>

#include <cmath>

#include "fugu/calibrate/optimum.h"
#include "fugu/core/interval.h"
#include "fugu/estimate/typical_share.h"
#include "fugu/law/promise_words.h"
#include "fugu/plan/row_facts.h"
#include "fugu/preview/plan_rows.h"
#include "fugu/preview/preview.h"
#include "fugu/report/kept_words.h"
#include "fugu/report/leakage_text.h"
#include "fugu/report/picture.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/terms.h"
#include "fugu/report/verdict.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

std::string with_capital(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words;
}

std::string as_sentence(const std::string& words) { return with_capital(words) + "."; }

// The promise in everyday words, where one epsilon bounds the odds between any two secrets; else empty.
std::string plainly(const Scenario& scenario) {
  const Budget budget = scenario.stated();
  if (!scenario.is_plain() || scenario.is_of_belief() || !budget.delta.is_zero()) return "";
  constexpr Bits kBits = 128;
  const Interval growth = exp(Interval(budget.epsilon.value(), kBits));
  auto after = [&](int before) {
    const Interval likely(Integer(before), kBits), other(Integer(100 - before), kBits);
    const double most = (likely * growth / (likely * growth + other)).upper();
    return fmt::format("{:.1f} %", std::ceil(1000 * most) / 10);
  };
  const Source* source = scenario.source ? &*scenario.source : nullptr;
  const std::string secret =
      source && !source->secret.empty() ? printable(listed(*source, source->secret)) : "secret";
  return fmt::format(
      "Somebody who is 50 % sure of a person's {}, between {} of its values, is at most {} sure after seeing "
      "{}; 10 % becomes at most {}.",
      secret, scenario.pairs.is_all() ? "any two" : "two listed", after(50),
      scenario.rows_per_person() > 1 ? "all released rows of that person" : "what is released of that person",
      after(10));
}

Json as_texts(const std::vector<std::string>& list) {
  Json json = Json::array();
  for (const std::string& text : list) json.if_array()->push_back(Json::string(printable(text)));
  return json;
}

// How many rows the plan counts; 0 where its masses are no counts of a table's rows.
uint64_t counted_rows(const Scenario& scenario) { return plan_rows(scenario).rows.value_or(0); }

std::string secrets_of(const Scenario& scenario) {
  return scenario.source && !scenario.source->secret.empty()
             ? printable(listed(*scenario.source, scenario.source->secret))
             : "";
}
std::string released_of(const Scenario& scenario) {
  return scenario.source && !scenario.source->published.empty()
             ? printable(listed(*scenario.source, scenario.source->published))
             : "";
}

// Where the frequencies stand that somebody is assumed to believe in.
std::string believed_words(const Scenario& scenario) {
  if (scenario.confidence)
    return fmt::format("one of the distributions that the counts allow (confidence {}) says",
                       to_text(*scenario.confidence));
  if (scenario.rows_per_person() > 1) return "this table says of people with as many rows";
  if (scenario.source && scenario.source->has_strata())
    return scenario.source->also.empty()
               ? "this table says of that person's group"
               : "this table, or another of the plan's beliefs, says of that person's group";
  if (scenario.priors.size() > 1) return "one of the plan's priors says";
  return scenario.source ? "this table says" : "the plan's prior says";
}

// Who is protected: nobody whose row is left out, and not more than the promise says of each secret.
std::string protected_words(const Scenario& scenario) {
  const bool several = scenario.rows_per_person() > 1;
  const std::string whose = scenario.pairs.is_all() ? "" : " and whose secret is in a listed pair";
  const std::string nothing = scenario.is_of_belief() ? void_words(scenario) : "";
  return fmt::format("Every person {}{} is protected, over {}{}.",
                     several ? "of whom rows are released" : "whose row is released", whose,
                     several ? "all of these together" : "that one row",
                     nothing.empty() ? ""
                                     : fmt::format("; but of {} the promise does not say how sure anybody "
                                                   "may become",
                                                   nothing));
}

// Against whom the promise holds.
std::vector<std::string> covered_by(const Scenario& scenario) {
  std::vector<std::string> covered;
  const Source* source = scenario.source ? &*scenario.source : nullptr;
  covered.push_back(protected_words(scenario));
  covered.push_back(
      fmt::format("Against anybody who sees the release and believes that values occur as often, given each "
                  "secret, as {}, but knows nothing else that bears on a person's values, however much they "
                  "compute.",
                  believed_words(scenario)));
  if (source && source->has_strata()) {
    covered.push_back(fmt::format(
        "Also against anybody who knows a person's {}, {}.", printable(listed(*source, source->known)),
        source->merged.empty() && source->left_out.empty()
            ? "which the release shows unchanged"
            : "in the groups that were large enough: there the release shows it unchanged"));
  } else if (source && !source->given.empty()) {
    covered.push_back(
        fmt::format("Also against anybody who knows a person's {}, in the groups that were large enough.",
                    printable(listed(*source, source->given))));
  }
  if (scenario.closeness)
    covered.push_back(
        fmt::format("Also against anybody whose belief differs a little: within a factor e^{} of that.",
                    to_text(scenario.lambda())));
  covered.emplace_back(scenario.is_of_belief()
                           ? "They believe beforehand that the secrets are as likely as the plan states."
                           : "Whatever they believe about the secret beforehand.");
  return covered;
}

// What is lost before any noise, and is in none of the figures.
std::vector<std::string> coarser_costs(const std::string& columns) {
  if (columns.empty()) return {};
  return {
      fmt::format("First, {} was made coarser for everybody: in bins or steps, within a range, or with rare "
                  "categories merged. All figures here are about the coarser values.",
                  columns)};
}

std::vector<std::string> costs_of(const Plan& plan, const RowFacts& rows,
                                  const std::optional<TypicalShare>& share, const std::string& coarser) {
  const Scenario& scenario = plan.scenario;
  std::vector<std::string> costs = coarser_costs(coarser);
  if (changes_nothing(plan.mechanism)) {
    costs.emplace_back(coarser.empty() ? "Nothing: the values are released unchanged."
                                       : "Nothing more: the values are then released unchanged.");
  } else {
    for (const std::string& words : kept_words(scenario, rows)) costs.push_back(as_sentence(words));
    costs.push_back(as_sentence(frequencies_words(rows, share)) +
                    (share ? " That is an estimate, at 95 %." : ""));
  }
  const Leakage& leakage = rows.leakage;
  costs.push_back(
      fmt::format("Somebody who always guesses the likeliest secret is right for {} of the people without "
                  "the release, for at most {} with it, and for {} with the true values.{}",
                  percent_up(leakage.guessed_before.high), percent_up(leakage.guessed_after.high),
                  percent_up(leakage.guessed_true.high),
                  leakage.estimate ? " These are estimates, from the table's own frequencies." : ""));
  return costs;
}

std::vector<std::string> public_costs_of(const Plan& plan, const UseFacts& facts) {
  std::vector<std::string> costs = coarser_costs(facts.coarser);
  if (facts.as_they_are) {
    costs.emplace_back(facts.coarser.empty() ? "Nothing: the values are released unchanged."
                                             : "Nothing more: the values are then released unchanged.");
    return costs;
  }
  const char* things = facts.several_columns ? "rows" : "values";
  costs.push_back(fmt::format("At least {} % of the {} stay unchanged, on average.",
                              static_cast<int>(std::floor(100 * facts.kept + 1e-9)), things));
  if (adds_noise(plan.mechanism) && facts.has_numbers)
    costs.push_back(as_sentence("values change by " + error_words(plan)));
  costs.emplace_back(facts.frequencies_hold ? "Frequencies hold as they stand, on average."
                                            : "Frequencies must be estimated: fugu estimate does that.");
  return costs;
}

// Whether the plan is the best of its kind, or only the best that was found.
Json search_of(const Plan& plan) {
  const bool optimum = plan.method == "optimal" || plan.method == "channel" || plan.method == "swap";
  std::string said;
  bool unfinished = false;
  for (const std::string& note : plan.notes) {
    const bool about = says_unfinished(note) || note.find("no way to trade places") != std::string::npos;
    if (about) said += (said.empty() ? "" : "; ") + note;
    unfinished = unfinished || says_unfinished(note);
  }
  Json json = Json::object();
  std::string state, text;
  if (changes_nothing(plan.mechanism)) {
    state = "least";
    text = "Nothing had to change: no release can cost less.";
  } else if (optimum && unfinished) {
    state = "unfinished";
    text = fmt::format("Not finished: a better release of this kind may exist ({}).", said);
  } else if (optimum && plan.scenario.is_joint() && said.empty()) {
    state = "found";
    text = "Found by a finished search; it does not say how much less would be enough.";
  } else if (optimum) {
    state = "least";
    text = said.empty() ? "The search was finished: no release of this kind has less error, to a millionth."
                        : fmt::format("The search was finished: {}.", said);
  } else {
    state = "found";
    text = plan.method == "exact" || plan.method == "sharp"
               ? "The least noise of its family that is proved. A release of another kind may change less."
               : "From a formula: other methods may change less.";
  }
  json.add("state", Json::string(state));
  json.add("text", Json::string(printable(text)));
  return json;
}

Json pair_of(const std::string& name, const std::string& text) {
  return Json::array({Json::string(name), Json::string(printable(text))});
}

bool is_public(const Json& picture) {
  const Json* member = picture.find("public");
  return member && member->if_boolean() && *member->if_boolean();
}

void add_heads(Json& picture, const ReportHead& head, uint64_t rows) {
  Json list = Json::array();
  auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) list.if_array()->push_back(pair_of(name, text));
  };
  add("Table", head.table);
  const bool hidden = is_public(picture);
  if (!hidden && rows > 0) add("Rows counted", grouped(rows));
  add("Date", head.date);
  add("Made by", head.version);
  if (!hidden) add("Plan", head.digest);
  picture.add("head", std::move(list));
  if (!head.title.empty()) picture.add("heading", Json::string(printable(head.title)));
}

}  // namespace

void add_decision(Json& picture, const Plan& plan, bool for_public) {
  const Scenario& scenario = plan.scenario;
  UseFacts facts;
  std::vector<std::string> costs;
  if (for_public) {
    facts = public_use_facts(plan);
    costs = public_costs_of(plan, facts);
  } else {
    const RowFacts rows = row_facts(scenario, plan.mechanism);
    const uint64_t released = counted_rows(scenario);
    const auto share = typical_share(scenario, plan.mechanism, released);
    facts = use_facts(scenario, plan.mechanism, rows, share, released);
    costs = costs_of(plan, rows, share, facts.coarser);
  }
  if (const std::string plain = plainly(scenario); !plain.empty())
    picture.add("plainly", Json::string(plain));
  picture.add("verdict", Json::string(verdict_on(facts).sentence(facts)));
  picture.add("good_for", as_texts(good_uses(facts)));
  picture.add("bad_for", as_texts(bad_uses(facts, secrets_of(scenario), released_of(scenario))));
  picture.add("covered", as_texts(covered_by(scenario)));
  picture.add("costs", as_texts(costs));
  if (!for_public) picture.add("search", search_of(plan));
  picture.add("terms", terms_of(plan));
}

void add_decision(Json& picture, const ModelPlan& plan) {
  picture.add("verdict", Json::string("Good for the released number itself, within its noise; not for "
                                      "anything about a single person, time or row behind it."));
  picture.add("good_for", as_texts({"The released number, give or take its noise."}));
  picture.add("bad_for",
              as_texts({"Conclusions about what is hidden: the noise is there to prevent them.",
                        "A second release of the same number, unless fugu compose or a ledger allows it."}));
  picture.add("covered",
              as_texts({"Everybody who sees the number and believes the model, however much they compute."}));
  picture.add("costs", as_texts({fmt::format("The number is off by {} (root mean square).",
                                             compact(std::sqrt(plan.mse), 4))}));
  picture.add("terms", terms_of(plan));
}

void add_head(Json& picture, const ReportHead& head) { add_heads(picture, head, 0); }

void add_head(Json& picture, const ReportHead& head, const Scenario& scenario) {
  add_heads(picture, head, counted_rows(scenario));
}

Json report_picture(const Plan& plan, const ReportHead& head, double seconds, const Progress& progress) {
  Json picture = plan_picture(plan, seconds, progress);
  add_head(picture, head, plan.scenario);
  add_before_after(picture, preview_to_json(preview_of(plan, {})));
  return picture;
}

}  // namespace fugu::inline in_report
