#include "fugu/report/figures.h"

#include <fmt/format.h>

#include "fugu/core/json_read.h"
#include "fugu/report/picture.h"
#include "fugu/report/plot.h"
#include "fugu/report/shown_values.h"
#include "fugu/show/wording.h"
#include "fugu/transport/coupling.h"

namespace fugu::inline in_report {
namespace {

constexpr size_t kMostValues = 5000, kMostCells = 10000;

SecretPair the_pair(const Scenario& scenario) {
  if (scenario.pair_count() != 1) {
    throw Error(ErrorKind::kUsage,
                fmt::format("this figure shows two secrets, and there are {} pairs", scenario.pair_count()),
                "name one with --pairs, for example --pairs A:B");
  }
  return scenario.pairs.list(scenario.secrets.size()).front();
}

void check_fineness(size_t count, const char* things, size_t most) {
  if (count <= most) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("a picture of {} {} is too fine to see: at most {}", count, things, most),
              "give a coarser --step, or --format json for the numbers");
}

std::string only_plot(const Json& picture) { return to_svg(draw(picture).figures.at(0).at(0)); }

}  // namespace

std::string laws_svg(const Scenario& scenario, size_t prior) {
  const auto secrets = paired_secrets(scenario);
  if (secrets.size() > kMostPaints) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("a picture of {} secrets cannot be told apart: at most {}", secrets.size(), kMostPaints),
        "name some of them with --pairs, for example --pairs A:B,A:C");
  }
  std::vector<Distribution> laws;
  for (uint32_t s : secrets) laws.push_back(scenario.priors[prior].by_secret[s]);
  check_fineness(union_support(laws).size(), "values", kMostValues);
  return only_plot(laws_picture(scenario, {.prior = prior, .most_values = kMostValues}));
}

Json laws_to_json(const Scenario& scenario, size_t prior) {
  const bool named = scenario.source && !scenario.source->shape().labels.empty();
  Json laws = Json::array();
  for (uint32_t s : paired_secrets(scenario)) {
    const Distribution& given = scenario.priors[prior].by_secret[s];
    Json values = Json::array(), labels = Json::array(), mass = Json::array();
    for (size_t k = 0; k < given.size(); ++k) {
      values.if_array()->push_back(number_to_json(scenario.lattice.value(given.atoms()[k])));
      if (named) labels.if_array()->push_back(Json::string(scenario.value_text(given.atoms()[k])));
      mass.if_array()->push_back(Json::number(seventeen_digits(given.mass(k))));
    }
    Json law = Json::object();
    law.add("secret", Json::string(scenario.secrets[s]));
    law.add("values", std::move(values));
    if (named) law.add("labels", std::move(labels));
    law.add("mass", std::move(mass));
    laws.if_array()->push_back(std::move(law));
  }
  Json json = Json::object();
  json.add("figure", Json::string("laws"));
  json.add("prior", Json::string(scenario.priors[prior].name));
  json.add("laws", std::move(laws));
  return json;
}

std::string transport_svg(const Scenario& scenario, size_t prior) {
  const auto [a, b] = the_pair(scenario);
  const auto& given = scenario.priors[prior].by_secret;
  check_fineness(monotone_coupling(given[a], given[b]).cells.size(), "cells", kMostCells);
  return only_plot(transport_picture(scenario, PairAt{prior, {a, b}}, 2 * kMostCells));
}

Json transport_to_json(const Scenario& scenario, size_t prior) {
  const auto [a, b] = the_pair(scenario);
  const Distribution &from = scenario.priors[prior].by_secret[a], &to = scenario.priors[prior].by_secret[b];
  const Coupling plan = monotone_coupling(from, to);
  Json cells = Json::array();
  for (size_t k = 0; k < plan.cells.size(); ++k) {
    cells.if_array()->push_back(
        Json::array({number_to_json(scenario.lattice.value(from.atoms()[plan.cells[k].from])),
                     number_to_json(scenario.lattice.value(to.atoms()[plan.cells[k].to])),
                     Json::number(seventeen_digits(plan.mass(k)))}));
  }
  Json json = Json::object();
  json.add("figure", Json::string("plan"));
  json.add("prior", Json::string(scenario.priors[prior].name));
  json.add("pair", Json::strings({scenario.secrets[a], scenario.secrets[b]}));
  json.add("w_inf", number_to_json(Rational(scenario.lattice.step * w_inf(from, to))));
  json.add("cells", std::move(cells));
  return json;
}

}  // namespace fugu::inline in_report
