#include "fugu/scenario/sampling.h"

#include <fmt/format.h>

#include "fugu/core/json_read.h"

namespace fugu::inline in_scenario {
namespace {

constexpr const char* kCensusWord = "census";

uint64_t read_people(const Json& json, const std::string& place) {
  const Rational people = need_number(json, place);
  if (denominator(people) != 1 || people < 1 || people >= Rational(Integer(1) << 53))
    throw data_error(place, "this must be a number of people", "write a whole number, as in 5000");
  return static_cast<uint64_t>(numerator(people));
}

}  // namespace

Json sampling_to_json(const Claim& claim) {
  if (claim.sampling.kind == Sampling::Kind::kCensus) return Json::string(kCensusWord);
  auto number = [](uint64_t people) { return Json::number(static_cast<long long>(people)); };
  Json by_secret = Json::object();
  for (size_t s = 0; s < claim.sampling.population.size(); ++s)
    by_secret.add(claim.secrets[s], number(claim.sampling.population[s]));
  Json json = Json::object();
  json.add("population",
           claim.sampling.population.empty() ? number(claim.sampling.total) : std::move(by_secret));
  return json;
}

Sampling sampling_from_json(const Json& json, const std::vector<std::string>& secrets,
                            const std::string& place) {
  if (const std::string* word = json.if_string()) {
    if (*word == kCensusWord) return {Sampling::Kind::kCensus};
    throw data_error(place, "the word is unknown", "write \"census\", or {\"population\": 5000}");
  }
  check_keys(json, place, {"population"});
  const Json& population = need(json, "population", place);
  Sampling result{Sampling::Kind::kPart};
  if (!population.if_object()) {
    result.total = read_people(population, place + ".population");
    return result;
  }
  if (population.if_object()->size() != secrets.size())
    throw data_error(place + ".population", "these are not the secrets", "give a number for each secret");
  for (const std::string& secret : secrets)
    result.population.push_back(
        read_people(need(population, secret, place + ".population"), place + ".population"));
  return result;
}

void check_sampling(const Scenario& scenario, ErrorKind kind) {
  const bool census = scenario.sampling.kind == Sampling::Kind::kCensus;
  if (!census && scenario.sampling.kind != Sampling::Kind::kPart) return;
  const char* flag = census ? "--census" : "--population";
  if (scenario.source && (scenario.source->person || scenario.source->weight)) {
    throw Error(kind,
                fmt::format("{}: {}", flag,
                            scenario.source->person
                                ? "drawing one row per person changes the population's frequencies"
                                : "rows have weights, so they are not the whole population"),
                fmt::format("leave out {}, or {}", flag, scenario.source->person ? "--person" : "--weight"));
  }
  if (census && scenario.confidence) {
    throw Error(kind, "--census: the table is the whole population, and a confidence is for a part of one",
                "leave out --census or --confidence");
  }
  if (!census && !scenario.confidence) {
    throw Error(kind, "--population: without a confidence the table's frequencies are taken as the truth",
                "add --confidence, for example --confidence 0.95, or leave out --population");
  }
}

}  // namespace fugu::inline in_scenario
