#include "fugu/report/plan_text.h"

#include <fmt/format.h>

#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/wording.h"

namespace fugu {
namespace {

// "occupation 9 (Adm-clerical)" is the ninth category; numbers stand for themselves.
std::string output_words(const Scenario& scenario, int64_t output) {
  const std::string number = to_text(scenario.lattice.value(output));
  const std::string label = printable(scenario.value_text(output));
  return label == number ? number : fmt::format("{} ({})", number, label);
}

std::string noise_words(const Plan& plan) {
  if (plan.noise.is_none()) return "none: the column as it is already attains epsilon";
  return fmt::format("{}, scale {}, on steps of {}", plan.noise.family, rounded_up(plan.noise.scale.value, 6),
                     to_text(plan.scenario.lattice.step));
}

std::string error_words(const Plan& plan) {
  if (plan.mse == 0) return "0: values are released as they are";
  return fmt::format("{} (root mean square); mean square {}", compact(std::sqrt(plan.mse), 5),
                     compact(plan.mse, 5));
}

std::string loss_words(const Plan& plan, const Witness& witness) {
  return fmt::format(
      "at most {}; largest between {} and {} at output {}{}", rounded_up(witness.loss, 6),
      printable(witness.pair.first), printable(witness.pair.second),
      output_words(plan.scenario, witness.output),
      plan.scenario.priors.size() > 1 ? fmt::format(", prior {}", printable(witness.prior)) : "");
}

std::string epsilon_words(const Plan& plan) {
  return fmt::format("epsilon {}: {}", plan.scenario.epsilon.text(), in_words(plan.scenario.epsilon));
}

std::string field(const std::string& name, const std::string& text) {
  constexpr size_t kIndent = 13;
  return fmt::format("  {:<11}{}\n", name, wrapped(text, 100, kIndent));
}

}  // namespace

std::string plan_text(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  std::string out = fmt::format("Plan by the method {}\n", plan.method);
  if (const std::string columns = columns_words(scenario); !columns.empty()) out += field("hides", columns);
  out += field("guarantee", epsilon_words(plan));
  out += field("covers", fmt::format("{} of {}, {}", counted(scenario.pair_count(), "pair"),
                                     counted(scenario.secrets.size(), "secret"),
                                     counted(scenario.priors.size(), "prior")));
  out += field("noise", noise_words(plan));
  out += field("error", error_words(plan));
  out += field("loss", loss_words(plan, plan.witness));
  out +=
      field("distances", fmt::format("range {}, W_inf {}, W_1 {}", to_text(plan.sensitivity.range),
                                     to_text(plan.sensitivity.w_inf), for_people(plan.sensitivity.w_1, 5)));
  for (const std::string& assumption : plan.assumptions) out += field("assumes", printable(assumption));
  for (const std::string& note : plan.notes) out += field("note", printable(note));
  return out;
}

std::string plan_summary(const Plan& plan) {
  return field("guarantee", epsilon_words(plan)) + field("noise", noise_words(plan)) +
         field("error", error_words(plan)) + field("loss", loss_words(plan, plan.witness));
}

std::string verified_text(const Plan& plan, const Witness& witness) {
  return fmt::format(
             "The plan is proved: no released value tells two of these secrets apart by more than e^{}.\n",
             rounded_up(witness.loss, 6)) +
         field("guarantee", epsilon_words(plan)) + field("loss", loss_words(plan, witness));
}

Json verified_to_json(const Plan& plan, const Witness& witness) {
  Json json = Json::object();
  json.add("verified", Json::boolean(true));
  json.add("epsilon", number_to_json(plan.scenario.epsilon.value()));
  json.add("delta", number_to_json(plan.scenario.delta.value()));
  json.add("loss", Json::number(witness.loss));
  json.add("prior", Json::string(witness.prior));
  json.add("pair", Json::strings({witness.pair.first, witness.pair.second}));
  json.add("output", number_to_json(plan.scenario.lattice.value(witness.output)));
  return json;
}

}  // namespace fugu
