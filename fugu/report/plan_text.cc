#include "fugu/report/plan_text.h"

#include <fmt/format.h>

#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/law/promise_words.h"
#include "fugu/plan/one_row.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/report/leakage_text.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/shown_values.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/limits_json.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/scenario/shape.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

// "occupation 9 (Adm-clerical)" is the ninth category; numbers stand for themselves.
std::string output_words(const Scenario& scenario, const Witness& witness) {
  if (scenario.is_joint()) return fmt::format("({})", printable(point_text(scenario, witness.point)));
  const int64_t output = witness.output;
  const std::string number = to_text(scenario.lattice.value(output));
  const std::string label = printable(scenario.value_text(output));
  if (!scenario.shape(0).reads.is_plain() && !scenario.shape(0).is_categorical()) return label;
  return label == number ? number : fmt::format("{} ({})", number, label);
}

// What the axis-th column is called.
std::string column_words(const Scenario& scenario, size_t axis) {
  if (!scenario.source || axis >= scenario.source->published.size())
    return fmt::format("column {}", axis + 1);
  const std::string& name = scenario.source->published[axis];
  return scenario.source->header ? printable(name) : "column " + name;
}

std::string joint_noise_words(const Plan& plan, const JointNoise& noise) {
  std::string words = fmt::format("{}, scale {} times the weight of each column",
                                  noise.columns.front().family, rounded_up(noise.scale.value, 6));
  for (size_t c = 0; c < noise.columns.size(); ++c) {
    const Axis& axis = plan.scenario.axes[c];
    words += fmt::format("; {}: weight {}, scale {}, on steps of {}", column_words(plan.scenario, c),
                         short_text(axis.weight), rounded_up(noise.columns[c].scale->value, 6),
                         to_text(axis.lattice.step));
  }
  return words;
}

// In percent, to two digits, rounded down.
std::string share_words(const Rational& share) {
  const double percent = std::floor(static_cast<double>(share) * 1e4) / 100;
  return fmt::format("{:.2f} %", percent);
}

// Of which frequencies stay what they are.
const char* frequencies_of(const Scenario& scenario) {
  const bool all =
      scenario.source && scenario.source->left_out.empty() && scenario.source->missing != Missing::kDrop;
  return all ? "this table" : "the rows that are released";
}

std::string swap_words(const Plan& plan, const Swap& swap) {
  size_t points = 0, flows = 0;
  for (const SwapStratum& stratum : swap.strata) {
    points += stratum.points.size();
    flows += stratum.flows.size();
  }
  const bool strata = !swap.strata.front().known.empty();
  return fmt::format("{} {} trade places{}, by {}; every frequency of {} stays what it is, on average",
                     grouped(points), plan.scenario.is_joint() ? "distinct rows" : "values",
                     strata ? fmt::format(" within {}", counted(swap.strata.size(), "group")) : "",
                     counted(flows, "flow"), frequencies_of(plan.scenario));
}

std::string swap_error_words(const Plan& plan, const Swap& swap) {
  const SwapFacts facts = swap_facts(plan.scenario, swap);
  std::string words = fmt::format("{} of the {} stay unchanged", share_words(facts.unchanged),
                                  plan.scenario.is_joint() ? "rows" : "values");
  if (!plan.scenario.is_joint()) {
    if (!is_categorical(plan.scenario))
      words += fmt::format("; root mean square {}", compact(std::sqrt(plan.mse), 5));
    return words;
  }
  words += fmt::format("; a changed row differs in {} columns on average; unchanged by column:",
                       compact(static_cast<double>(facts.changed_columns), 3));
  for (size_t c = 0; c < facts.changed.size(); ++c)
    words += fmt::format("{} {} {}", c > 0 ? "," : "", column_words(plan.scenario, c),
                         share_words(1 - facts.changed[c]));
  return words;
}

}  // namespace

std::string noise_words(const Plan& plan) {
  if (plan.scenario.rows_per_person() > 1 && !changes_nothing(plan.mechanism))
    return noise_words(one_row(plan)) + ", drawn for each row";
  const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism);
  if (changes_nothing(plan.mechanism))
    return plan.scenario.released_columns() > 1 ? "none: the unchanged columns already keep the promise"
           : is_shaped(plan.scenario)           ? "none: the shaped column already keeps the promise"
                                                : "none: the unchanged column already keeps the promise";
  if (joint) return joint_noise_words(plan, *joint);
  if (const Swap* swap = std::get_if<Swap>(&plan.mechanism)) return swap_words(plan, *swap);
  const std::string step = to_text(plan.scenario.lattice.step);
  if (const Channel* channel = std::get_if<Channel>(&plan.mechanism)) {
    return fmt::format("a channel: a row of probabilities for each of {}, {} possible on steps of {}{}",
                       counted(channel->inputs.size(), "value"), counted(channel->outputs.size(), "output"),
                       step, channel->is_unbiased() ? ", unbiased" : "");
  }
  const Noise& noise = plan.noise();
  if (!noise.scale) {
    return fmt::format("optimal, {} weights up to {} steps, then geometric tails, on steps of {}",
                       noise.is_symmetric() ? "symmetric" : "asymmetric", noise.reach(), step);
  }
  return fmt::format(
      "{}, scale {}, on steps of {}{}", noise.family, rounded_up(noise.scale->value, 6), step,
      plan.influence ? fmt::format("; composes: influence {} by step", rounded_up(*plan.influence, 6)) : "");
}

std::string public_noise_words(const Plan& plan) {
  // How many distinct rows there are, and how many flows, is the table's own affair.
  if (!std::holds_alternative<Swap>(plan.mechanism) || changes_nothing(plan.mechanism))
    return noise_words(plan);
  return fmt::format("{} trade places; every frequency of {} stays what it is, on average",
                     plan.scenario.is_joint() ? "rows" : "values", frequencies_of(plan.scenario));
}

const char* before_clamping(const Scenario& scenario) {
  return clamps_some(scenario) ? ", before results are clamped to the range" : "";
}

std::string error_words(const Plan& plan) {
  if (plan.scenario.rows_per_person() > 1) return error_words(one_row(plan));
  if (changes_nothing(plan.mechanism))
    return is_shaped(plan.scenario) ? "0: the shaped values are released without further change"
                                    : "0: the values are released unchanged";
  if (const Swap* swap = std::get_if<Swap>(&plan.mechanism)) return swap_error_words(plan, *swap);
  if (const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism)) {
    std::string words;
    const auto errors = column_errors(plan.scenario, *joint);
    for (size_t c = 0; c < errors.size(); ++c)
      words += fmt::format("{}{} {}", c > 0 ? ", " : "", column_words(plan.scenario, c),
                           compact(std::sqrt(errors[c]), 5));
    return words + fmt::format(" (root mean square); mean squares add up to {}", compact(plan.mse, 5)) +
           before_clamping(plan.scenario);
  }
  std::string words = fmt::format("{} (root mean square); mean square {}", compact(std::sqrt(plan.mse), 5),
                                  compact(plan.mse, 5));
  if (plan.objective && plan.objective->measure.kind != ErrorMeasure::kSquared)
    words += fmt::format("; {} error {}", plan.objective->measure.name(), compact(plan.objective->error, 5));
  return adds_noise(plan.mechanism) ? words + before_clamping(plan.scenario) : words;
}

namespace {

// "between a and b"; of a promise in belief "for a".
std::string witness_words(const Scenario& scenario, const Witness& witness) {
  const auto& [first, second] = witness.pair;
  if (!scenario.is_of_belief()) return fmt::format("between {} and {}", printable(first), printable(second));
  return first == kMixture ? fmt::format("for {}, which becomes less likely", printable(second))
                           : fmt::format("for {}", printable(first));
}

}  // namespace

std::string loss_words(const Plan& plan, const Witness& witness) {
  if (std::holds_alternative<JointNoise>(plan.mechanism) && !grid_is_small(plan.scenario)) {
    return fmt::format(
        "at most {}; bounded by how far apart values lie{}", rounded_up(*witness.loss, 6),
        plan.scenario.priors.size() > 1 ? fmt::format(", prior {}", printable(witness.prior)) : "");
  }
  const std::string at =
      fmt::format("at output {}{}", output_words(plan.scenario, witness),
                  plan.scenario.priors.size() > 1 ? fmt::format(", prior {}", printable(witness.prior)) : "");
  // Where budgets differ, the one that is tightest need not be that of the largest loss.
  if (!plan.scenario.own_budgets.empty())
    return fmt::format("every budget is kept; tightest {} {}: at most {}",
                       witness_words(plan.scenario, witness), at, rounded_up(*witness.loss, 6));
  if (plan.scenario.is_of_belief())
    return fmt::format("at most {}, in how sure somebody is; largest {} {}", rounded_up(*witness.loss, 6),
                       witness_words(plan.scenario, witness), at);
  const std::string where = fmt::format("largest {} {}", witness_words(plan.scenario, witness), at);
  if (witness.loss) return fmt::format("at most {}; {}", rounded_up(*witness.loss, 6), where);
  return fmt::format("beyond e^epsilon by at most {} in all; {}", rounded_up(*witness.delta, 6), where);
}

namespace {

std::string confidence_words(const Scenario& scenario) {
  if (!scenario.confidence) return "";
  return fmt::format("; with confidence {} for every distribution that the counts allow",
                     to_text(*scenario.confidence));
}

}  // namespace

std::string guarantee_words(const Plan& plan) {
  std::string words = fmt::format("{}: {}", budget_text(plan.scenario), in_words(plan.scenario));
  if (plan.scenario.closeness) {
    words +=
        fmt::format("; also for beliefs within a factor e^{} of a prior", short_text(plan.scenario.lambda()));
  }
  return words + confidence_words(plan.scenario);
}

std::string covers_words(const Scenario& scenario) {
  const std::string secrets = counted(scenario.secrets.size(), "secret");
  return fmt::format("{}, {}",
                     scenario.is_of_belief()
                         ? secrets
                         : fmt::format("{} of {}", counted(scenario.pair_count(), "pair"), secrets),
                     counted(scenario.priors.size(), "prior"));
}

namespace {

// For the owner, of a promise in belief: what becomes of the shares of the first prior.
std::vector<std::string> belief_lines(const Scenario& scenario) {
  constexpr size_t kMostLines = 8;
  std::vector<std::string> lines;
  if (!scenario.is_of_belief()) return lines;
  const Prior& prior = scenario.priors.front();
  const std::vector<Rational> shares = scenario.shares_in(prior);
  const std::vector<uint32_t> nothing = scenario.void_in(prior);
  for (const Limit& limit : scenario.limits()) {
    if (limit.first >= shares.size() || lines.size() == kMostLines) continue;
    const Rational percent(100 * shares[limit.first]);
    const bool is_void = std::find(nothing.begin(), nothing.end(), limit.first) != nothing.end();
    const bool both = scenario.promised == Promise::kBeliefBothWays;
    const std::string after = !is_void
                                  ? fmt::format("becomes at most {} %", surer_percent(percent, limit.epsilon))
                              : both ? "is not held below 100 % by itself"
                                     : "may become certain";
    const std::string below =
        both ? fmt::format(", and at least {} %", less_sure_percent(percent, limit.epsilon)) : "";
    lines.push_back(fmt::format("{}, {} % beforehand, {}{}", scenario.secrets[limit.first],
                                for_people(static_cast<double>(percent), 3), after, below));
  }
  if (shares.size() > lines.size())
    lines.push_back(fmt::format("{} more secrets likewise", shares.size() - lines.size()));
  return lines;
}

std::string leakage_field(const Plan& plan) {
  return field("leakage", leakage_words(plan.scenario, leakage_of(plan.scenario, plan.mechanism)));
}

}  // namespace

std::string plan_text(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  std::string out = fmt::format("Plan by the method {}\n", plan.method);
  if (const std::string columns = columns_words(scenario); !columns.empty()) out += field("hides", columns);
  out += field("guarantee", guarantee_words(plan));
  for (const std::string& line : belief_lines(scenario)) out += field("belief", printable(line));
  out += field("covers", covers_words(scenario));
  out += field("noise", noise_words(plan));
  out += field("error", error_words(plan));
  out += field("loss", loss_words(plan, plan.witness));
  out += leakage_field(plan);
  if (!std::holds_alternative<Swap>(plan.mechanism) || !scenario.is_joint())
    out += field("distances",
                 scenario.released_columns() == 1 && scenario.is_joint()
                     ? fmt::format("range {} over all rows of a person", short_text(plan.sensitivity.range))
                 : scenario.is_joint()
                     ? fmt::format("range {} of the columns' weights", short_text(plan.sensitivity.range))
                     : fmt::format("range {}, W_inf {}, W_1 {}", to_text(plan.sensitivity.range),
                                   to_text(plan.sensitivity.w_inf), for_people(plan.sensitivity.w_1, 5)));
  for (const std::string& assumption : plan.assumptions) out += field("assumes", printable(assumption));
  for (const std::string& note : plan.notes) out += field("note", printable(note));
  return out;
}

std::string plan_summary(const Plan& plan) {
  std::string out = field("guarantee", guarantee_words(plan)) + field("noise", noise_words(plan)) +
                    field("error", error_words(plan)) + field("loss", loss_words(plan, plan.witness)) +
                    leakage_field(plan);
  for (const std::string& note : plan.notes) out += field("note", printable(note));
  return out;
}

std::string verified_text(const Plan& plan, const Witness& witness) {
  const Scenario& scenario = plan.scenario;
  const std::string claim =
      !scenario.own_budgets.empty() ? "every budget is kept"
      : scenario.is_of_belief()
          ? fmt::format(
                "no released {} anybody who believes the stated shares more than e^{} times as sure of "
                "a secret{}",
                scenario.rows_per_person() > 1 ? "rows of a person make" : "value makes",
                rounded_up(*witness.loss, 6),
                scenario.promised == Promise::kBeliefBothWays ? ", or less sure by as much" : "")
      : witness.loss
          ? fmt::format("no released {} of these secrets apart by more than e^{}",
                        plan.scenario.rows_per_person() > 1 ? "rows of a person tell two" : "value tells two",
                        rounded_up(*witness.loss, 6))
          : fmt::format(
                "whatever is concluded from a released value is at most e^{} times as likely under one "
                "secret as under the other, plus {}",
                plan.scenario.epsilon.text(), rounded_up(*witness.delta, 6));
  const auto& closeness = plan.scenario.closeness;
  const char* whose = closeness && closeness->by == Closeness::By::kBudget ? "under the priors themselves, "
                      : closeness ? "under the priors and every belief as close as stated, "
                                  : "";
  const char* sure = plan.scenario.confidence ? "unless the counts mislead (see the promise), " : "";
  return wrapped(fmt::format("The plan is proved: {}{}{}.", sure, whose, claim), kTextWidth, 0) + "\n" +
         field("guarantee", guarantee_words(plan)) + field("loss", loss_words(plan, witness)) +
         leakage_field(plan);
}

Json verified_to_json(const Plan& plan, const Witness& witness) {
  Json json = Json::object();
  json.add("verified", Json::boolean(true));
  const Budget stated = plan.scenario.stated();
  json.add("epsilon", number_to_json(stated.epsilon.value()));
  json.add("delta", number_to_json(stated.delta.value()));
  add_limits(json, plan.scenario);
  if (plan.scenario.closeness) json.add("closeness", number_to_json(plan.scenario.lambda()));
  json.add("loss", witness.loss ? Json::number(*witness.loss) : Json::null());
  if (witness.delta) json.add("proved_delta", Json::number(*witness.delta));
  json.add("prior", Json::string(witness.prior));
  json.add("pair", Json::strings({witness.pair.first, witness.pair.second}));
  json.add("output", plan.scenario.is_joint() ? point_to_json(plan.scenario, witness.point)
                                              : number_to_json(plan.scenario.lattice.value(witness.output)));
  json.add("leakage", leakage_to_json(leakage_of(plan.scenario, plan.mechanism)));
  return json;
}

}  // namespace fugu::inline in_report
