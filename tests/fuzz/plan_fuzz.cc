// Plans of tables and of models, statements and receipts: sealed anew, so that what stands behind the digest
// is read as well. What is read as a plan is verified.
#include "fugu/mechanism/family.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/plan_file.h"
#include "fugu/plan/published.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/verify/stated.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/json_mutator.h"
#include "tests/fuzz/verified_plans.h"

using namespace fugu;

namespace {

// The same with the digest of its contents.
Json sealed_anew(const Json& json) {
  Json result = Json::object();
  for (const auto& [name, value] : *json.if_object())
    result.add(name, name == "digest" ? Json::string(plan_digest(json)) : value);
  return result;
}

template <class AnyPlan, class Write, class Read>
void check_round_trip(const AnyPlan& plan, Write write, Read read) {
  const std::string text = write(plan).pretty();
  const AnyPlan again = read(parse_json(text, "written"), "written");
  fuzz::insist(again == plan, "a plan reads back as itself");
  fuzz::insist(write(again).pretty() == text, "a plan is written in one way");
}

void read_plan(const Json& json) {
  if (is_model_plan(json)) {
    const auto plan = fuzz::read_or_refuse([&] { return model_plan_from_json(json, "plan"); });
    if (!plan) return;
    check_round_trip(*plan, model_plan_to_json, model_plan_from_json);
    fuzz::check_verified(*plan);
    return;
  }
  const auto plan = fuzz::read_or_refuse([&] { return plan_from_json(json, "plan"); });
  if (!plan) return;
  check_round_trip(*plan, plan_to_json, plan_from_json);
  fuzz::check_verified(*plan);
}

template <class Column>
void check_texts(const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    for (int64_t at : {int64_t{1}, int64_t{2}, static_cast<int64_t>(column.labels.size())}) {
      if (column.is_categorical() && (at < 1 || at > static_cast<int64_t>(column.labels.size()))) continue;
      const auto index = column.index(column.text(at));
      const bool outside = column.bounds && (at < column.bounds->first || at > column.bounds->second);
      fuzz::insist(outside ? !index || *index == at : index == at, "a released text is that of its value");
    }
  }
}

void read_statement(const Json& json) {
  const auto swap = fuzz::read_or_refuse([&] { return published_swap_from_json(json, "statement"); });
  if (swap && *swap) check_texts((*swap)->columns);
  const auto columns = fuzz::read_or_refuse([&] { return published_from_json(json, "statement"); });
  if (columns) check_texts(*columns);
}

void set(Json& json, std::string_view key, Json value) {
  for (auto& [name, member] : *json.if_object()) {
    if (name == key) member = std::move(value);
  }
}

// Noise of a family that is stated at a scale becomes the noise of that scale.
void remake_noise(Json& mechanism, const Lattice& lattice) {
  const Mechanism read = mechanism_from_json(mechanism, lattice, "mechanism");
  const Noise* noise = std::get_if<Noise>(&read);
  if (!noise || !noise->scale || noise->family == "optimal" || noise->reach() > 300) return;
  if (!is_possible(*noise->scale, lattice)) return;
  const Noise made = family_named(noise->family)->at(*noise->scale, lattice, noise->reach());
  const Json parts = noise_to_json(made);
  for (const auto& [key, value] : *parts.if_object()) set(mechanism, key, value);
}

// The same plan, where what it says twice agrees: its promise and its lattice are those of its scenario.
Json agreeing(Json json) {
  const Json *question = json.find("scenario"), *guarantee = json.find("guarantee"),
             *mechanism = json.find("mechanism");
  if (question && guarantee && mechanism && mechanism->if_object()) {
    const Json *method = guarantee->find("method"), *domain = guarantee->find("domain");
    Plan plan{scenario_from_json(*question, "scenario"), {}, {}, 0, {}, {}, {}, {}, {}};
    if (method && method->if_string()) plan.method = *method->if_string();
    Json stated = guarantee_to_json(plan), noise = *mechanism;
    if (domain) stated.add("domain", *domain);
    set(noise, "lattice", lattices_to_json(plan.scenario));
    if (!plan.scenario.is_joint()) remake_noise(noise, plan.scenario.lattice);
    set(json, "guarantee", std::move(stated));
    set(json, "mechanism", std::move(noise));
  }
  return json.find("digest") ? sealed_anew(json) : json;
}

const fuzz::JsonWords& words() {
  static const fuzz::JsonWords known = fuzz::words_of_schemas({"plan", "scenario", "statement", "receipt"});
  return known;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutate_json(data, size, most, seed, words(), agreeing);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t most, unsigned seed) {
  return fuzz::cross_json(data, size, other, other_size, out, most, seed, agreeing);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto json = fuzz::read_or_refuse([&] { return parse_json(text, "input"); });
  if (!json) return 0;
  read_plan(*json);
  if (json->if_object()) {
    const Json sealed = sealed_anew(*json);
    if (sealed.canonical() != json->canonical()) read_plan(sealed);
  }
  read_statement(*json);
  return 0;
}
