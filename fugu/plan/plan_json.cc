// The plan's file format; docs/formats.md describes it.
#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json_read.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/plan_file.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/domain.h"
#include "fugu/scenario/limits_json.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_plan {
namespace {

// Whether rows of several columns trade places: distances say nothing of them.
bool whole_rows_of(const Plan& plan) {
  return plan.scenario.is_joint() && std::holds_alternative<Swap>(plan.mechanism);
}

Json witness_to_json(const Plan& plan) {
  Json json = Json::object();
  json.add("prior", Json::string(plan.witness.prior));
  json.add("pair", Json::strings({plan.witness.pair.first, plan.witness.pair.second}));
  json.add("output", plan.scenario.is_joint()
                         ? point_to_json(plan.scenario, plan.witness.point)
                         : number_to_json(plan.scenario.lattice.value(plan.witness.output)));
  json.add("loss", plan.witness.loss ? Json::number(*plan.witness.loss) : Json::null());
  json.add("delta", plan.witness.delta ? Json::number(*plan.witness.delta) : Json::null());
  return json;
}

Error self_contradiction(const std::string& what) {
  return Error(ErrorKind::kGuarantee, what, "the plan contradicts itself; calibrate again");
}

int64_t need_output(const Json& json, const Lattice& lattice, const std::string& place) {
  const auto output = lattice.index(need_number(json, place));
  if (!output) throw data_error(place, "the output is not on the lattice", "calibrate again");
  return *output;
}

std::vector<int64_t> need_point(const Json& json, const Scenario& scenario, const std::string& place) {
  const Json::Array& items = need_array(json, place);
  std::vector<int64_t> point;
  if (items.size() != scenario.axes.size())
    throw data_error(place, "the output does not have every column", "calibrate again");
  for (size_t c = 0; c < items.size(); ++c)
    point.push_back(need_output(items[c], scenario.axes[c].lattice, place));
  return point;
}

int64_t need_atom(const Scenario& scenario, const Point& point, const std::string& place) {
  const int64_t atom = index_of(scenario.points, point);
  if (static_cast<size_t>(atom) == scenario.points.size() ||
      scenario.points[static_cast<size_t>(atom)] != point)
    throw data_error(place, "the scenario does not have this row", "calibrate again");
  return atom;
}

// What stands beside the noise of each of several columns.
Json column_facts(const Scenario& scenario, const JointNoise& noise, size_t c) {
  Json json = Json::object();
  json.add("weight", number_to_json(scenario.axes[c].weight));
  json.add("mse", Json::number(column_errors(scenario, noise)[c % scenario.released_columns()]));
  json.add("lattice", lattice_to_json(scenario.axes[c].lattice));
  return json;
}

// The same as in the file. Error (data, guarantee).
void check_columns_of(const Scenario& scenario, const Mechanism& mechanism, const Json& json,
                      const std::string& place) {
  if (std::holds_alternative<Swap>(mechanism)) return;
  const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
  if ((joint ? joint->columns.size() : 0) != scenario.axes.size())
    throw self_contradiction(place + ".columns are not the scenario's columns");
  for (size_t c = 0; c < scenario.axes.size(); ++c) {
    const std::string where = fmt::format("{}.columns[{}]", place, c);
    const Json& column = (*json.find("columns")->if_array())[c];
    check_keys(column, where,
               {"noise", "scale", "reach", "symmetric", "weights", "tail", "weight", "mse", "lattice"});
    const Json facts = column_facts(scenario, *joint, c);
    for (const auto& [key, value] : *facts.if_object()) {
      if (need(column, key, where).canonical() != value.canonical())
        throw self_contradiction(fmt::format("{}.{} is not that of the noise and the scenario", where, key));
    }
  }
}

Witness witness_from_json(const Json& json, const Scenario& scenario, const std::string& place) {
  check_keys(json, place, {"prior", "pair", "output", "loss", "delta"});
  Witness witness;
  witness.prior = need_string(need(json, "prior", place), place + ".prior");
  auto pair = need_strings(need(json, "pair", place), place + ".pair");
  if (pair.size() != 2) throw data_error(place + ".pair", "a pair must have two secrets", "calibrate again");
  witness.pair = {pair[0], pair[1]};
  const Json& output = need(json, "output", place);
  if (scenario.is_joint()) {
    witness.point = need_point(output, scenario, place + ".output");
  } else {
    witness.output = need_output(output, scenario.lattice, place + ".output");
  }
  if (!need(json, "loss", place).is_null()) witness.loss = need_double(json, "loss", place);
  if (!need(json, "delta", place).is_null()) witness.delta = need_double(json, "delta", place);
  return witness;
}

// In a plan everything must stand in the file: what a flag could add elsewhere is missing here.
Scenario read_scenario(const Json& json, const std::string& place) {
  try {
    const Json& question = need(json, "scenario", place);
    Scenario scenario = scenario_from_json(question, place + ".scenario");
    // A plan without is of a version that knew one way.
    if (scenario.closeness && !question.find("closeness_by"))
      scenario.promise(scenario.stated(), scenario.lambda(), Closeness::By::kBudget);
    return scenario;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUsage) throw;
    throw Error(ErrorKind::kData, error.message(), "the plan was changed or cut off; calibrate again");
  }
}

}  // namespace

Json guarantee_to_json(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  Json guarantee = Json::object();
  const Budget stated = scenario.stated();
  guarantee.add("epsilon", number_to_json(stated.epsilon.value()));
  guarantee.add("delta", number_to_json(stated.delta.value()));
  add_limits(guarantee, scenario);
  if (scenario.closeness) guarantee.add("closeness", number_to_json(scenario.lambda()));
  guarantee.add("method", Json::string(plan.method));
  guarantee.add("pairs", Json::number(static_cast<long long>(scenario.pair_count())));
  guarantee.add("priors", Json::number(static_cast<long long>(scenario.priors.size())));
  guarantee.add("confidence", scenario.confidence ? number_to_json(*scenario.confidence) : Json::null());
  return guarantee;
}

void add_column_facts(Json& mechanism, const Plan& plan) {
  const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism);
  if (!joint) return;
  for (auto& [key, value] : *mechanism.if_object()) {
    if (key != "columns") continue;
    for (size_t c = 0; c < value.if_array()->size(); ++c) {
      const Json facts = column_facts(plan.scenario, *joint, c);
      for (const auto& [name, fact] : *facts.if_object()) (*value.if_array())[c].add(name, fact);
    }
  }
}

namespace {

// The values that can occur, as ranges of lattice points with both ends.
Json domain_to_json(const Scenario& scenario) {
  Json ranges = Json::array();
  const std::vector<int64_t> domain = domain_of(scenario);
  for (size_t k = 0; k < domain.size();) {
    size_t last = k;
    while (last + 1 < domain.size() && domain[last + 1] == domain[last] + 1) ++last;
    Json range = Json::array();
    range.if_array()->push_back(number_to_json(scenario.lattice.value(domain[k])));
    range.if_array()->push_back(number_to_json(scenario.lattice.value(domain[last])));
    ranges.if_array()->push_back(std::move(range));
    k = last + 1;
  }
  return ranges;
}

}  // namespace

Json plan_to_json(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  Json mechanism = mechanism_to_json(plan.mechanism, scenario.lattice,
                                     [&](int64_t atom) { return value_to_json(scenario, atom); });
  add_column_facts(mechanism, plan);
  if (plan.unchanged) mechanism.add("unchanged", Json::number(*plan.unchanged));
  if (plan.influence) mechanism.add("influence", Json::number(*plan.influence));
  mechanism.add("mse", Json::number(plan.mse));
  if (plan.objective) {
    mechanism.add("objective", error_measure_to_json(plan.objective->measure, scenario.lattice));
    mechanism.add("error", Json::number(plan.objective->error));
  }
  mechanism.add("lattice", lattices_to_json(scenario));

  Json sensitivity = Json::object();
  sensitivity.add("range", whole_rows_of(plan) ? Json::null() : number_to_json(plan.sensitivity.range));
  sensitivity.add("w_inf", scenario.is_joint() ? Json::null() : number_to_json(plan.sensitivity.w_inf));
  sensitivity.add("w_1", scenario.is_joint() ? Json::null() : Json::number(plan.sensitivity.w_1));

  Json guarantee = guarantee_to_json(plan);
  if (scenario.confidence) guarantee.add("domain", domain_to_json(scenario));
  Json body = Json::object();
  body.add("guarantee", std::move(guarantee));
  body.add("mechanism", std::move(mechanism));
  body.add("sensitivity", std::move(sensitivity));
  body.add("witness", witness_to_json(plan));
  body.add("assumptions", Json::strings(plan.assumptions));
  body.add("notes", Json::strings(plan.notes));
  body.add("scenario", scenario_to_json(scenario));

  return sealed(std::move(body));
}

namespace {

// What the plan says of its promise must be what its scenario says.
void read_guarantee(Plan& plan, const Json& json, const std::string& place) {
  const Scenario& scenario = plan.scenario;
  const Json& guarantee = need(json, "guarantee", place);
  const std::string where = place + ".guarantee";
  check_keys(guarantee, where,
             {"epsilon", "delta", "closeness", "method", "pairs", "priors", "confidence", "domain", "promise",
              "budgets"});
  auto agree = [&](std::string_view key, const Rational& value) {
    if (need_number(need(guarantee, key, where), where) != value) {
      throw Error(ErrorKind::kGuarantee,
                  fmt::format("{}.{} is not what the plan's scenario says", where, key),
                  "the plan contradicts itself; calibrate again");
    }
  };
  agree("epsilon", scenario.stated().epsilon.value());
  agree("delta", scenario.stated().delta.value());
  if (scenario.closeness || guarantee.find("closeness")) agree("closeness", scenario.lambda());
  Json limits = Json::object();
  add_limits(limits, scenario);
  for (const char* key : {"promise", "budgets"}) {
    const Json *stated = guarantee.find(key), *meant = limits.find(key);
    if (!stated != !meant || (stated && stated->canonical() != meant->canonical()))
      throw self_contradiction(fmt::format("{}.{} is not what the plan's scenario says", where, key));
  }
  agree("pairs", Rational(scenario.pair_count()));
  agree("priors", Rational(scenario.priors.size()));
  if (const Json& confidence = need(guarantee, "confidence", where);
      confidence.is_null() ? scenario.confidence.has_value()
                           : need_number(confidence, where + ".confidence") != scenario.confidence) {
    throw Error(ErrorKind::kGuarantee, where + ".confidence is not what the plan's scenario says",
                "the plan contradicts itself; calibrate again");
  }
  if (scenario.confidence &&
      need(guarantee, "domain", where).canonical() != domain_to_json(scenario).canonical())
    throw self_contradiction(where + ".domain is not that of the scenario");
  plan.method = need_string(need(guarantee, "method", where), where + ".method");
  if (std::find(kMethodNames.begin(), kMethodNames.end(), plan.method) == kMethodNames.end()) {
    throw data_error(where + ".method", "the method is unknown",
                     "use the version of fugu that made the plan");
  }
}

// The mechanism, and what is said of its error.
void read_mechanism(Plan& plan, const Json& json, const std::string& place) {
  const Scenario& scenario = plan.scenario;
  const Json& mechanism = need(json, "mechanism", place);
  const std::string where = place + ".mechanism";
  auto atom_of = [&](const Json& value, const std::string& spot) {
    return scenario.is_joint() ? need_atom(scenario, need_point(value, scenario, spot), spot)
                               : need_output(value, scenario.lattice, spot);
  };
  plan.mechanism = mechanism_from_json(mechanism, scenario.lattice, atom_of, where);
  check_columns_of(scenario, plan.mechanism, mechanism, where);
  if (std::holds_alternative<Swap>(plan.mechanism)) {
    check_keys(mechanism, where,
               {"noise", "scale", "points", "totals", "flows", "strata", "unchanged", "mse", "objective",
                "error", "lattice"});
    plan.unchanged = need_double(mechanism, "unchanged", where);
  } else if (scenario.is_joint()) {
    check_keys(mechanism, where, {"noise", "scale", "columns", "mse", "objective", "error", "lattice"});
  } else if (std::holds_alternative<Channel>(plan.mechanism)) {
    check_keys(mechanism, where,
               {"noise", "scale", "inputs", "outputs", "unbiased", "weights", "mse", "objective", "error",
                "lattice"});
  } else {
    check_keys(mechanism, where,
               {"noise", "scale", "reach", "symmetric", "weights", "tail", "influence", "mse", "objective",
                "error", "lattice"});
    if (mechanism.find("influence")) plan.influence = need_double(mechanism, "influence", where);
  }
  plan.mse = need_double(mechanism, "mse", where);
  if (const Json* objective = mechanism.find("objective")) {
    plan.objective = {error_measure_from_json(*objective, scenario.lattice, where + ".objective"),
                      need_double(mechanism, "error", where)};
  } else if (mechanism.find("error")) {
    throw data_error(where + ".error", "there is an error without an objective", "calibrate again");
  }
  const Json& lattice = need(mechanism, "lattice", where);
  if (scenario.is_joint() ? lattice.canonical() != lattices_to_json(scenario).canonical()
                          : lattice_from_json(lattice, where + ".lattice") != scenario.lattice)
    throw self_contradiction(where + ".lattice is not the scenario's lattice");
}

// Distances; of several columns only the range.
void read_sensitivity(Plan& plan, const Json& json, const std::string& place) {
  const Scenario& scenario = plan.scenario;
  const Json& sensitivity = need(json, "sensitivity", place);
  const std::string where = place + ".sensitivity";
  check_keys(sensitivity, where, {"range", "w_inf", "w_1"});
  if (!whole_rows_of(plan)) {
    plan.sensitivity.range = need_number(need(sensitivity, "range", where), where + ".range");
  } else if (!need(sensitivity, "range", where).is_null()) {
    throw data_error(where, "whole rows have no range", "calibrate again");
  }
  if (!scenario.is_joint()) {
    plan.sensitivity.w_inf = need_number(need(sensitivity, "w_inf", where), where + ".w_inf");
    plan.sensitivity.w_1 = need_double(sensitivity, "w_1", where);
  } else if (!need(sensitivity, "w_inf", where).is_null() || !need(sensitivity, "w_1", where).is_null()) {
    throw data_error(where, "several columns have no w_inf and no w_1", "calibrate again");
  }
}

}  // namespace

Plan plan_from_json(const Json& json, const std::string& place) {
  check_keys(json, place,
             {"fugu", "digest", "guarantee", "mechanism", "sensitivity", "witness", "assumptions", "notes",
              "scenario"});
  check_seal(json, place);
  Plan plan{read_scenario(json, place), {}, {}, 0, {}, {}, {}, {}, {}};
  read_guarantee(plan, json, place);
  read_mechanism(plan, json, place);
  read_sensitivity(plan, json, place);
  plan.witness = witness_from_json(need(json, "witness", place), plan.scenario, place + ".witness");
  plan.assumptions = need_strings(need(json, "assumptions", place), place + ".assumptions");
  plan.notes = need_strings(need(json, "notes", place), place + ".notes");
  return plan;
}

}  // namespace fugu::inline in_plan
