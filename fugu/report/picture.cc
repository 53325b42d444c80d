// Laws and transport; the other pictures have files of their own.
#include "fugu/report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/core/json_read.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/report/shown_values.h"
#include "fugu/show/wording.h"
#include "fugu/transport/coupling.h"

namespace fugu::inline in_report {
namespace {

constexpr size_t kMostNumbers = 200'000;  // of one picture

Json shown_masses(const Distribution& law, const ShownValues& values) {
  std::vector<Integer> sums(values.size());
  for (size_t k = 0; k < law.size(); ++k) sums[values.place(law.atoms()[k])] += law.weights().at(k);
  Json masses = Json::array();
  for (const Integer& sum : sums)
    masses.if_array()->push_back(Json::number(static_cast<double>(Rational(sum, law.total()))));
  return masses;
}

// Under the priors from the first up to the last.
Json laws_of_column(const Scenario& scenario, size_t first, size_t last, size_t most_values) {
  const ShownValues values(scenario.values(), most_values);
  Json priors = Json::array();
  for (size_t p = first; p < last; ++p) {
    Json secrets = Json::array();
    for (uint32_t s : paired_secrets(scenario)) {
      Json secret = Json::object();
      secret.add("secret", Json::string(printable(scenario.secrets[s])));
      secret.add("probabilities", shown_masses(scenario.priors[p].by_secret[s], values));
      secrets.if_array()->push_back(std::move(secret));
    }
    Json prior = Json::object();
    prior.add("name", Json::string(printable(scenario.priors[p].name)));
    prior.add("secrets", std::move(secrets));
    priors.if_array()->push_back(std::move(prior));
  }
  Json json = column_to_json(scenario, values);
  json.add("values", values.to_json(scenario));
  json.add("priors", std::move(priors));
  return json;
}

std::string secret_column(const Scenario& scenario) {
  if (!scenario.source || scenario.source->secret.empty()) return "secret";
  return printable(fmt::format("{}", fmt::join(scenario.source->secret, " & ")));
}

PairAt widest_pair(const Scenario& scenario) {
  const WidestPair widest = facts_of(scenario).w_inf;
  const auto place = [](const auto& list, const auto& same) {
    return std::find_if(list.begin(), list.end(), same) - list.begin();
  };
  auto secret = [&](const std::string& name) {
    return static_cast<uint32_t>(place(scenario.secrets, [&](const auto& one) { return one == name; }));
  };
  const auto prior = place(scenario.priors, [&](const Prior& one) { return one.name == widest.prior; });
  return {static_cast<size_t>(prior), {secret(widest.pair.first), secret(widest.pair.second)}};
}

struct ShownCell {
  Integer mass{0};
  bool farthest = false;  // some of it moves as far as any does
};

Json cells_to_json(const Coupling& plan, const Distribution& from, const Distribution& to,
                   const ShownValues& values, int64_t farthest) {
  std::map<std::pair<size_t, size_t>, ShownCell> cells;
  for (size_t k = 0; k < plan.cells.size(); ++k) {
    const int64_t x = from.atoms()[plan.cells[k].from], y = to.atoms()[plan.cells[k].to];
    ShownCell& cell = cells[{values.place(x), values.place(y)}];
    cell.mass += plan.numerator(k);
    cell.farthest = cell.farthest || std::llabs(x - y) == farthest;
  }
  Json json = Json::array();
  for (const auto& [place, cell] : cells) {
    Json row = Json::object();
    row.add("from", Json::number(static_cast<long long>(place.first)));
    row.add("to", Json::number(static_cast<long long>(place.second)));
    row.add("mass", Json::number(static_cast<double>(Rational(cell.mass, plan.denominator))));
    if (cell.farthest && farthest > 0) row.add("farthest", Json::boolean(true));
    json.if_array()->push_back(std::move(row));
  }
  return json;
}

}  // namespace

Json laws_picture(const Scenario& scenario, const LawsOptions& options) {
  const size_t secrets = paired_secrets(scenario).size();
  const size_t most_priors =
      options.prior ? 1 : std::max<size_t>(1, kMostNumbers / (secrets * ShownValues::kMost));
  const size_t first = options.prior.value_or(0);
  const size_t last = std::min(first + most_priors, scenario.priors.size());
  Json columns = Json::array();
  for (const Scenario& column : columns_of(scenario))
    columns.if_array()->push_back(laws_of_column(column, first, last, options.most_values));
  std::vector<std::string> notes;
  if (!options.prior && most_priors < scenario.priors.size()) {
    notes.push_back(fmt::format("Only the first {} are shown, of {}.", counted(most_priors, "prior"),
                                grouped(scenario.priors.size())));
  }
  if (scenario.blur() != 0)
    notes.emplace_back("The probabilities are those of the stated distributions, rounded.");
  Json json = Json::object();
  json.add("picture", Json::string("laws"));
  if (options.prior) json.add("asked", Json::boolean(scenario.priors.size() > 1));
  json.add("secret", Json::string(secret_column(scenario)));
  json.add("columns", std::move(columns));
  json.add("notes", Json::strings(notes));
  return json;
}

Json transport_picture(const Scenario& scenario, const std::optional<PairAt>& pair, size_t most_values) {
  Json json = Json::object();
  json.add("picture", Json::string("transport"));
  if (scenario.is_joint()) {
    json.add("cells", Json::null());
    json.add(
        "notes",
        Json::strings({"With several columns, this page cannot show how mass moves between joint values."}));
    return json;
  }
  const PairAt at = pair ? *pair : widest_pair(scenario);
  const std::vector<Distribution> laws{scenario.priors[at.prior].by_secret[at.pair.first],
                                       scenario.priors[at.prior].by_secret[at.pair.second]};
  const ShownValues values(union_support(laws), most_values);
  const int64_t farthest = w_inf(laws[0], laws[1]);
  if (pair) json.add("asked", Json::boolean(scenario.priors.size() > 1));
  json.add("prior", Json::string(printable(scenario.priors[at.prior].name)));
  json.add("pair", Json::strings({printable(scenario.secrets[at.pair.first]),
                                  printable(scenario.secrets[at.pair.second])}));
  json.add("secret", Json::string(secret_column(scenario)));
  const Json column = column_to_json(scenario, values);
  for (const auto& [key, value] : *column.if_object()) json.add(key, value);
  json.add("distance", Json::number(static_cast<double>(Rational(scenario.lattice.step * farthest))));
  json.add("mean_distance",
           Json::number(static_cast<double>(Rational(scenario.lattice.step * w_1(laws[0], laws[1])))));
  json.add("values", values.to_json(scenario));
  json.add("cells", cells_to_json(monotone_coupling(laws[0], laws[1]), laws[0], laws[1], values, farthest));
  std::vector<std::string> notes;
  if (scenario.blur() != 0)
    notes.emplace_back("The transport plan is that of the stated distributions, rounded.");
  json.add("notes", Json::strings(notes));
  return json;
}

}  // namespace fugu::inline in_report
