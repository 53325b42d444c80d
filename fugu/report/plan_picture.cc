// What a report holds: the pictures, and in words the question, the promise and its limits.
#include <fmt/format.h>

#include <cmath>

#include "fugu/core/interval.h"
#include "fugu/core/json_read.h"
#include "fugu/law/promise_words.h"
#include "fugu/plan/one_row.h"
#include "fugu/plan/statement.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/report/decision.h"
#include "fugu/report/leakage_text.h"
#include "fugu/report/limits_words.h"
#include "fugu/report/model_text.h"
#include "fugu/report/picture.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

constexpr const char* kLossIs =
    "the loss, by how much a released value can change the odds, as a power of e, is proved to be ";
// With a delta the number is no loss.
constexpr const char* kExcessIs =
    "the probabilities of released values under two secrets are proved to differ ";

// What was proved and where it is tightest, as a sentence without its end.
std::string proved_words(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const std::string words = loss_words(plan, plan.witness);
  if (!plan.witness.loss) return kExcessIs + words;
  // Noise on many combinations of values is held to the odds, whatever is promised.
  const bool bounded = std::holds_alternative<JointNoise>(plan.mechanism) && !grid_is_small(scenario);
  if (bounded || scenario.is_plain()) return kLossIs + words;
  if (!scenario.own_budgets.empty()) return "it is proved that " + words;
  return "the loss, as a power of e, is proved to be " + words;
}

std::string sentence(const std::string& words) {
  std::string text = words;
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text + ".";
}

std::string names(const std::vector<std::string>& columns) {
  return printable(fmt::format("{}", fmt::join(columns, ", ")));
}

// The source, where it names both columns.
const Source* named_source(const Scenario& scenario) {
  if (!scenario.source || columns_words(scenario).empty()) return nullptr;
  return &*scenario.source;
}

std::string title_of(const Scenario& scenario) {
  const Source* source = named_source(scenario);
  return source ? fmt::format("{}, hidden in {}", names(source->secret), names(source->published))
                : "A secret, hidden in a value";
}

std::string question_of(const Scenario& scenario) {
  const auto [epsilon, delta] = scenario.stated();
  const std::string budget =
      scenario.is_plain()
          ? fmt::format("epsilon {}{}", epsilon.text(), delta.is_zero() ? "" : " and delta " + delta.text())
          : budget_text(scenario);
  const Source* source = named_source(scenario);
  if (!source) {
    return fmt::format("How much noise does a value need to hide its secret, at {}?", budget);
  }
  return fmt::format("{0} will be released; {1} must stay secret. How much must change to hide {1}, at {2}?",
                     names(source->published), names(source->secret), budget);
}

// "whoever sees a released value": the promise in a sentence of its own.
std::string promise_of(const Claim& claim, bool several_rows = false) {
  const char* seen = several_rows ? "all released rows of a person" : "a released value";
  const auto [epsilon, delta] = claim.stated();
  if (!delta.is_zero()) return fmt::format("Whoever sees a released value: {}.", in_words(claim));
  if (claim.is_of_belief()) {
    return fmt::format(
        "Whoever believed the shares of the secrets that the plan is made for, and sees {}, becomes at most "
        "e^{} times as sure of a secret{}: {}.",
        seen, epsilon.text(), claim.promised == Promise::kBeliefBothWays ? ", and no less sure by more" : "",
        in_words(claim));
  }
  return fmt::format(
      "Whoever sees {} changes the odds between two of the secrets by a factor of at most e^{}: {}.", seen,
      epsilon.text(), in_words(claim));
}

// What the largest budget makes of some beliefs, rounded outward. With delta that does not say it.
Json beliefs_of(const Claim& claim) {
  constexpr Bits kBits = 128;
  Json list = Json::array();
  const Budget budget = claim.stated();
  // A promise in belief is for whoever believes certain shares, not for any belief.
  if (!budget.delta.is_zero() || claim.is_of_belief()) return list;
  const Interval growth = exp(Interval(budget.epsilon.value(), kBits));
  for (int tenths : {1, 5, 9}) {
    const Interval likely(Integer(tenths), kBits), other(Integer(10 - tenths), kBits);
    const double least = (likely / (likely + other * growth)).lower(),
                 most = (likely * growth / (likely * growth + other)).upper();
    Json belief = Json::object();
    belief.add("before", Json::number(tenths / 10.0));
    belief.add("at_least", Json::number(least));
    belief.add("at_most", Json::number(most));
    list.if_array()->push_back(std::move(belief));
  }
  return list;
}

// Members of every picture of a plan.
Json heading(const char* kind, bool for_public, const std::string& title, const std::string& question) {
  Json json = Json::object();
  json.add("fugu", Json::number(1LL));
  json.add("picture", Json::string("plan"));
  json.add("kind", Json::string(kind));
  json.add("public", Json::boolean(for_public));
  json.add("title", Json::string(title));
  json.add("question", Json::string(question));
  return json;
}

Json printables(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.if_array()->push_back(Json::string(printable(text)));
  return list;
}

Json fact(const std::string& name, const std::string& text) {
  return Json::array({Json::string(name), Json::string(printable(text))});
}

// What the statement says, without what only programs read.
void add_statement(Json& json, const Json& statement) {
  for (const char* key : {"statement", "guarantee", "estimate"}) json.add(key, *statement.find(key));
}

Json facts_of_plan(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  Json facts = Json::array();
  auto add = [&](const std::string& name, const std::string& text) {
    facts.if_array()->push_back(fact(name, text));
  };
  add("Method", plan.method);
  add("Noise", noise_words(plan));
  add("Error", error_words(plan));
  add(plan.witness.loss ? "Proved loss" : "Proved excess", loss_words(plan, plan.witness));
  add("Leakage", leakage_words(scenario, leakage_of(scenario, plan.mechanism)));
  add("Covers", covers_words(scenario));
  if (!scenario.is_joint()) {
    add("Distances", fmt::format("range {}, farthest that mass must move (W_inf) {}, on average (W_1) {}",
                                 to_text(plan.sensitivity.range), to_text(plan.sensitivity.w_inf),
                                 for_people(plan.sensitivity.w_1, 5)));
  }
  return facts;
}

}  // namespace

Json plan_picture(const Plan& plan, double seconds, const Progress& progress) {
  const Scenario& scenario = plan.scenario;
  Json json = heading("table", false, title_of(scenario), question_of(scenario));
  json.add("promise", Json::string(promise_of(scenario, scenario.rows_per_person() > 1)));
  json.add("beliefs", beliefs_of(scenario));
  json.add("promised", printables({sentence(guarantee_words(plan)), sentence(proved_words(plan))}));
  json.add("not_promised", printables(limits_of(plan)));
  json.add("assumptions", printables(Statement{plan}.assumptions()));
  json.add("notes", printables(plan.notes));
  add_statement(json, statement_to_json({.plan = plan, .publish_min = 1}));
  json.add("facts", facts_of_plan(plan));
  add_decision(json, plan, false);
  json.add("method", Json::string(plan.method));
  json.add("rms", Json::number(std::sqrt(plan.mse)));
  const Plan row = one_row(plan);
  json.add("noise", noise_picture(row.scenario, row.mechanism));
  json.add("laws", laws_picture(scenario));
  json.add("transport", transport_picture(scenario));
  json.add("loss", loss_picture(plan));
  Json error = error_picture(scenario, epsilons_around(scenario),
                             {.noises = noises_beside(plan), .seconds = seconds}, progress);
  // The plan's own error: it may have been made for another loss, or with more time, than its method's line.
  Json own = Json::object();
  own.add("epsilon", Json::number(static_cast<double>(scenario.stated().epsilon.value())));
  own.add("rms", Json::number(std::sqrt(plan.mse)));
  error.add("plan", std::move(own));
  json.add("error", std::move(error));
  return json;
}

Json public_picture(const Plan& plan, uint64_t publish_min) {
  const Scenario& scenario = plan.scenario;
  Json json = heading("table", true, title_of(scenario), question_of(scenario));
  json.add("promise", Json::string(promise_of(scenario, scenario.rows_per_person() > 1)));
  json.add("beliefs", beliefs_of(scenario));
  json.add("promised", printables({sentence(guarantee_words(plan))}));
  json.add("not_promised", printables(limits_of(plan)));
  json.add("assumptions", printables(Statement{plan}.assumptions()));
  add_statement(json, statement_to_json({.plan = plan, .publish_min = publish_min}));
  Json facts = Json::array({fact("Method", plan.method), fact("Noise", public_noise_words(plan))});
  // That of a channel also depends on how often each value occurs.
  if (adds_noise(plan.mechanism)) facts.if_array()->push_back(fact("Error", error_words(plan)));
  // That of the plan itself is made of the owner's counts.
  if (const std::string leakage = public_leakage_words(scenario); !leakage.empty())
    facts.if_array()->push_back(fact("Leakage", leakage));
  json.add("facts", std::move(facts));
  add_decision(json, plan, true);
  const Plan row = one_row(plan);
  json.add("noise", noise_picture(row.scenario, row.mechanism, true));
  return json;
}

namespace {

struct ModelWords {
  const char *kind, *title, *hidden;
};
ModelWords words_of(const Model& model) {
  if (std::holds_alternative<ChainModel>(model))
    return {"chain", "A state, hidden in a sequence", "the state at any one time"};
  if (std::holds_alternative<RateModel>(model))
    return {"rate", "A rate, hidden in a table", "how many rows have which secret value"};
  return {"users", "A user, hidden in a sum", "what any one user said"};
}

Json model_picture(const ModelPlan& plan, bool for_public) {
  const auto& [epsilon, delta] = plan.budget;
  const ModelWords words = words_of(plan.model);
  Json json =
      heading(words.kind, for_public, words.title,
              fmt::format("How much noise does a released number need to hide {}, at epsilon {}{}?",
                          words.hidden, epsilon.text(), delta.is_zero() ? "" : " and delta " + delta.text()));
  json.add("promise", Json::string(promise_of(Claim{plan.budget.epsilon, plan.budget.delta})));
  json.add("beliefs", beliefs_of(Claim{plan.budget.epsilon, plan.budget.delta}));
  std::vector<std::string> promised{sentence(guarantee_words(plan))};
  if (!for_public) {
    promised.push_back(sentence("it hides " + hides_words(plan)));
    promised.push_back(
        sentence(std::string(plan.witness.loss ? kLossIs : kExcessIs) + loss_words(plan.witness)));
  }
  json.add("promised", printables(promised));
  json.add("not_promised", printables(limits_of(plan)));
  json.add("assumptions", printables(plan.assumptions));
  if (!for_public) json.add("notes", printables(plan.notes));
  add_statement(json, model_statement_to_json(plan));
  json.add("facts", Json::array({fact("Method", plan.method), fact("Noise", noise_words(plan)),
                                 fact("Error", error_words(plan))}));
  add_decision(json, plan);
  json.add("noise", noise_picture(plan));
  return json;
}

}  // namespace

Json plan_picture(const ModelPlan& plan) { return model_picture(plan, false); }

Json public_picture(const ModelPlan& plan) { return model_picture(plan, true); }

}  // namespace fugu::inline in_report
