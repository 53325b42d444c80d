#include "fugu/plan/model_plan.h"

#include <fmt/format.h>

#include "fugu/core/json_read.h"
#include "fugu/plan/plan_file.h"

namespace fugu::inline in_plan {
namespace {

Json model_to_json(const Model& model) {
  if (const Crowd* crowd = std::get_if<Crowd>(&model)) return crowd_to_json(*crowd);
  if (const RateModel* rate = std::get_if<RateModel>(&model)) return rate_to_json(*rate);
  return chain_to_json(std::get<ChainModel>(model));
}

Model model_from_json(const Json& json, const std::string& place) {
  const std::string kind = need_string(need(json, "kind", place), place + ".kind");
  if (kind == "users") return crowd_from_json(json, place);
  if (kind == "chain") return chain_from_json(json, place);
  if (kind == "rate") return rate_from_json(json, place);
  throw data_error(place + ".kind", "the kind of model is unknown",
                   "use the version of fugu that made the plan");
}

Lattice lattice_of(const Model& model) {
  if (const Crowd* crowd = std::get_if<Crowd>(&model)) return crowd->lattice;
  if (const RateModel* rate = std::get_if<RateModel>(&model)) return rate->released_lattice();
  return std::get<ChainModel>(model).lattice();
}

size_t priors_of(const Model& model) {
  const ChainModel* chain = std::get_if<ChainModel>(&model);
  return chain ? chain->chains.size() : 1;
}

Json optional_number(const std::optional<double>& value) {
  return value ? Json::number(*value) : Json::null();
}

Json guarantee_to_json(const ModelPlan& plan) {
  Json json = Json::object();
  json.add("epsilon", number_to_json(plan.budget.epsilon.value()));
  json.add("delta", number_to_json(plan.budget.delta.value()));
  json.add("method", Json::string(plan.method));
  json.add("pairs", Json::null());  // those of every user, or of every time
  json.add("priors", Json::number(static_cast<long long>(priors_of(plan.model))));
  json.add("confidence", Json::null());
  return json;
}

Json mechanism_to_json(const ModelPlan& plan) {
  Json json = noise_to_json(plan.noise);
  json.add("mse", Json::number(plan.mse));
  json.add("lattice", lattice_to_json(plan.lattice()));
  return json;
}

Json witness_to_json(const ModelWitness& witness) {
  Json json = Json::object();
  json.add("prior", Json::string(witness.place));
  json.add("pair", Json::strings({witness.pair.first, witness.pair.second}));
  json.add("output", Json::null());
  json.add("loss", optional_number(witness.loss));
  json.add("delta", optional_number(witness.delta));
  return json;
}

// A member that does not apply to models.
void need_null(const Json& object, std::string_view key, const std::string& place) {
  if (need(object, key, place).is_null()) return;
  throw Error(ErrorKind::kGuarantee,
              fmt::format("{}.{} says something, and of a model it says nothing", place, key),
              "the plan was changed; calibrate again");
}

ModelWitness witness_from_json(const Json& json, const std::string& place) {
  check_keys(json, place, {"prior", "pair", "output", "loss", "delta"});
  ModelWitness witness;
  witness.place = need_string(need(json, "prior", place), place + ".prior");
  const auto pair = need_strings(need(json, "pair", place), place + ".pair");
  if (pair.size() != 2) throw data_error(place + ".pair", "a pair must have two secrets", "calibrate again");
  witness.pair = {pair[0], pair[1]};
  need_null(json, "output", place);
  if (!need(json, "loss", place).is_null()) witness.loss = need_double(json, "loss", place);
  if (!need(json, "delta", place).is_null()) witness.delta = need_double(json, "delta", place);
  return witness;
}

std::string what_is_released(const RateModel& rate) {
  const std::string of = rate.column.empty() ? "" : " of " + rate.column;
  if (rate.query != RateQuery::kCount)
    return fmt::format("The released {}{}", rate_query_name(rate.query), of);
  std::string counted;
  for (const std::string& label : rate.labels) counted += (counted.empty() ? "" : ", ") + label;
  return fmt::format("The released number of rows{}{}", of, counted.empty() ? "" : " (" + counted + ")");
}

std::string what_is_released(const Model& model) {
  if (std::holds_alternative<Crowd>(model)) return "The released number";
  if (const RateModel* rate = std::get_if<RateModel>(&model)) return what_is_released(*rate);
  const ChainModel& chain = std::get<ChainModel>(model);
  const char* what = chain.frequency ? "share" : "count";
  return chain.counted ? fmt::format("The released {} of the state {}", what, chain.states[*chain.counted])
                       : fmt::format("The released {}s of the states", what);
}

std::string what_is_hidden(const Model& model) {
  if (const RateModel* rate = std::get_if<RateModel>(&model))
    return fmt::format("how many rows have which secret value, within {} row{},", rate->within,
                       rate->within == 1 ? "" : "s");
  return std::holds_alternative<Crowd>(model) ? "what any one user said" : "the state at any one time";
}

}  // namespace

Lattice ModelPlan::lattice() const { return lattice_of(model); }

bool ModelPlan::releases_several() const {
  if (const RateModel* rate = std::get_if<RateModel>(&model)) return rate->is_histogram();
  const ChainModel* chain = std::get_if<ChainModel>(&model);
  return chain && !chain->counted;
}

bool is_model_plan(const Json& json) { return json.find("model") != nullptr; }

std::vector<std::string> assumptions_of(const Model& model) {
  auto result = std::visit([](const auto& kind) { return assumptions_of(kind); }, model);
  result.emplace_back(std::holds_alternative<RateModel>(model)
                          ? "It is released once; further releases of the same table add to the loss."
                          : "It is released once; further releases about the same people add to the loss.");
  return result;
}

double mean_square_error(const Model& model, const Noise& noise) {
  const Rational step = lattice_of(model).step;
  return static_cast<double>(Rational(mean_square(noise) * step * step));
}

Json model_plan_to_json(const ModelPlan& plan) {
  Json body = Json::object();
  body.add("guarantee", guarantee_to_json(plan));
  body.add("mechanism", mechanism_to_json(plan));
  body.add("sensitivity", Json::null());
  body.add("witness", witness_to_json(plan.witness));
  body.add("assumptions", Json::strings(plan.assumptions));
  body.add("notes", Json::strings(plan.notes));
  body.add("model", model_to_json(plan.model));
  return sealed(std::move(body));
}

ModelPlan model_plan_from_json(const Json& json, const std::string& place) {
  check_keys(json, place,
             {"fugu", "digest", "guarantee", "mechanism", "sensitivity", "witness", "assumptions", "notes",
              "model"});
  check_seal(json, place);
  Model model = model_from_json(need(json, "model", place), place + ".model");

  const Json& guarantee = need(json, "guarantee", place);
  std::string where = place + ".guarantee";
  check_keys(guarantee, where, {"epsilon", "delta", "method", "pairs", "priors", "confidence"});
  need_null(guarantee, "pairs", where);
  need_null(guarantee, "confidence", where);
  need_null(json, "sensitivity", place);
  auto number = [&](const char* key) {
    return to_text(need_number(need(guarantee, key, where), where + "." + key));
  };
  const Budget budget{Epsilon::parse(number("epsilon"), where + ".epsilon", ErrorKind::kData),
                      Delta::parse(number("delta"), where + ".delta", ErrorKind::kData)};
  if (need_number(need(guarantee, "priors", where), where + ".priors") != priors_of(model)) {
    throw Error(ErrorKind::kGuarantee, where + ".priors is not what the plan's model says",
                "the plan contradicts itself; calibrate again");
  }
  ModelPlan plan{std::move(model),
                 budget,
                 need_string(need(guarantee, "method", where), where + ".method"),
                 {},
                 0,
                 {},
                 {},
                 {}};

  const Json& mechanism = need(json, "mechanism", place);
  where = place + ".mechanism";
  check_keys(mechanism, where, {"noise", "scale", "reach", "symmetric", "weights", "tail", "mse", "lattice"});
  plan.noise = noise_from_json(mechanism, where);
  plan.mse = need_double(mechanism, "mse", where);
  if (lattice_from_json(need(mechanism, "lattice", where), where + ".lattice") != plan.lattice()) {
    throw Error(ErrorKind::kGuarantee, where + ".lattice is not the model's lattice",
                "the plan contradicts itself; calibrate again");
  }
  plan.witness = witness_from_json(need(json, "witness", place), place + ".witness");
  plan.assumptions = need_strings(need(json, "assumptions", place), place + ".assumptions");
  plan.notes = need_strings(need(json, "notes", place), place + ".notes");
  return plan;
}

std::string model_statement_text(const ModelPlan& plan) {
  const auto& [epsilon, delta] = plan.budget;
  const ChainModel* chain = std::get_if<ChainModel>(&plan.model);
  const bool several = plan.releases_several(), plural = several && chain;
  std::string text =
      delta.is_zero()
          ? fmt::format("{} {} the odds between two possibilities for {} by a factor of at most e^{}: {}.",
                        what_is_released(plan.model), plural ? "change" : "changes",
                        what_is_hidden(plan.model), epsilon.text(), in_words(epsilon))
          : fmt::format("{} {} private about {} with epsilon {} and delta {}: {}.",
                        what_is_released(plan.model), plural ? "are" : "is", what_is_hidden(plan.model),
                        epsilon.text(), delta.text(), in_words(epsilon, delta));
  text += plan.noise.is_none()
              ? " No noise was added: the number as it is keeps this promise."
              : fmt::format(
                    " Independent {} noise of scale {} was added{}, in steps of {}; its mean square is {}.",
                    plan.noise.family, for_people(plan.noise.scale ? plan.noise.scale->value : 0),
                    several ? " to each" : "", to_text(plan.lattice().step), for_people(plan.mse));
  for (const std::string& assumption : plan.assumptions) text += " " + assumption;
  // Under a mixture every state also tells which of the chains it is (docs/math.md, section 12).
  if (chain && chain->chains.size() > 1)
    text += " Each chain is covered by itself; a mixture of these chains is not covered.";
  return text;
}

Json model_statement_to_json(const ModelPlan& plan) {
  Json json = Json::object();
  json.add("fugu", Json::number(1LL));
  json.add("statement", Json::string(model_statement_text(plan)));
  json.add("guarantee", guarantee_to_json(plan));
  json.add("mechanism", mechanism_to_json(plan));
  json.add("assumptions", Json::strings(plan.assumptions));
  json.add("estimate",
           Json::strings(
               {plan.noise.is_none()
                    ? std::string("The released number is the true one.")
                    : fmt::format("The noise has mean 0: the released number estimates the true one with "
                                  "variance {}.",
                                  for_people(plan.mse))}));
  return json;
}

}  // namespace fugu::inline in_plan
