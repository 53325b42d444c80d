#include "fugu/report/model_text.h"

#include <fmt/format.h>

#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

std::string hides_words(const Crowd& crowd) {
  return fmt::format("each of {} behind a sum over all, {} of {}", counted(crowd.size(), "user"),
                     counted(crowd.users.size(), "kind"), counted(crowd.letters.size(), "letter"));
}

std::string hides_words(const ChainModel& chain) {
  const std::string what = chain.counted ? "how often " + printable(chain.states[*chain.counted]) + " occurs"
                                         : "how often each state occurs";
  return fmt::format("the state at each of {} behind {}; {}, {}", counted(chain.length, "time"), what,
                     counted(chain.states.size(), "state"), counted(chain.chains.size(), "chain"));
}

std::string hides_words(const RateModel& rate) {
  const std::string what =
      rate.query == RateQuery::kCount ? "number of rows" : std::string(rate_query_name(rate.query));
  return fmt::format("how many of {} have which of {}, within {}, behind a {}{}", counted(rate.rows, "row"),
                     counted(rate.secrets.size(), "secret value"), counted(rate.within, "row"), what,
                     rate.column.empty() ? "" : " of " + printable(rate.column));
}

}  // namespace

std::string hides_words(const ModelPlan& plan) {
  return std::visit([](const auto& model) { return hides_words(model); }, plan.model);
}

std::string guarantee_words(const ModelPlan& plan) {
  const auto& [epsilon, delta] = plan.budget;
  return fmt::format("epsilon {}{}: {}", epsilon.text(), delta.is_zero() ? "" : ", delta " + delta.text(),
                     in_words(epsilon, delta));
}

std::string noise_words(const ModelPlan& plan) {
  if (plan.noise.is_none()) return "none: the unchanged number already keeps the promise";
  return fmt::format("{}, scale {}, on steps of {}", plan.noise.family,
                     rounded_up(plan.noise.scale ? plan.noise.scale->value : 0, 6),
                     to_text(plan.lattice().step));
}

std::string error_words(const ModelPlan& plan) {
  if (plan.noise.is_none()) return "0: the number is released unchanged";
  return fmt::format("{} (root mean square); mean square {}", compact(std::sqrt(plan.mse), 5),
                     compact(plan.mse, 5));
}

std::string loss_words(const ModelWitness& witness) {
  const std::string where = fmt::format("largest between {} and {}, {}", printable(witness.pair.first),
                                        printable(witness.pair.second), printable(witness.place));
  if (witness.loss) return fmt::format("at most {}; {}", rounded_up(*witness.loss, 6), where);
  return fmt::format("beyond e^epsilon by at most {} in all; {}", rounded_up(*witness.delta, 6), where);
}

std::string model_plan_text(const ModelPlan& plan) {
  std::string out = fmt::format("Plan by the method {}\n", plan.method);
  out += field("hides", hides_words(plan));
  out += field("guarantee", guarantee_words(plan));
  out += field("noise", noise_words(plan));
  out += field("error", error_words(plan));
  out += field("loss", loss_words(plan.witness));
  for (const std::string& assumption : plan.assumptions) out += field("assumes", printable(assumption));
  for (const std::string& note : plan.notes) out += field("note", printable(note));
  return out;
}

std::string verified_text(const ModelPlan& plan, const ModelWitness& witness) {
  const bool rate = std::holds_alternative<RateModel>(plan.model);
  const std::string claim =
      witness.loss
          ? fmt::format("no released number tells two {} apart by more than e^{}",
                        rate ? "such rates" : "possibilities for one of them", rounded_up(*witness.loss, 6))
          : fmt::format(
                "whatever is concluded from a released number is at most e^{} times as likely under one "
                "possibility as under the other, plus {}",
                plan.budget.epsilon.text(), rounded_up(*witness.delta, 6));
  return wrapped(fmt::format("The plan is proved: {}.", claim), kTextWidth, 0) + "\n" +
         field("guarantee", guarantee_words(plan)) + field("loss", loss_words(witness));
}

Json verified_to_json(const ModelPlan& plan, const ModelWitness& witness) {
  Json json = Json::object();
  json.add("verified", Json::boolean(true));
  json.add("epsilon", number_to_json(plan.budget.epsilon.value()));
  json.add("delta", number_to_json(plan.budget.delta.value()));
  json.add("loss", witness.loss ? Json::number(*witness.loss) : Json::null());
  if (witness.delta) json.add("proved_delta", Json::number(*witness.delta));
  json.add("prior", Json::string(witness.place));
  json.add("pair", Json::strings({witness.pair.first, witness.pair.second}));
  json.add("output", Json::null());
  return json;
}

}  // namespace fugu::inline in_report
