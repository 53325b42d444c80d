#include "fugu/scenario/scenario_json.h"
#include "fugu/scenario/limits_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fugu/core/json_read.h"
#include "fugu/law/normal_law.h"
#include "fugu/scenario/bags.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/raw_values.h"
#include "fugu/scenario/sampling.h"
#include "fugu/scenario/shape.h"
#include "fugu/scenario/source_json.h"

namespace fugu::inline in_scenario {
namespace {

RawDistribution read_distribution(const Json& json, const std::string& place) {
  if (is_normal_law(json)) return {{}, {}, {}, normal_law_from_json(json, place)};
  check_keys(json, place, {"values", "mass"});
  RawDistribution raw;
  const std::string of_values = place + ".values";
  for (const Json& value : need_array(need(json, "values", place), of_values)) {
    if (const Json::Array* parts = value.if_array()) {
      raw.tuples.emplace_back();
      for (const Json& part : *parts) raw.tuples.back().push_back(need_number(part, of_values));
    } else {
      raw.values.push_back(need_number(value, of_values));
    }
  }
  if (!raw.tuples.empty() && !raw.values.empty()) {
    throw data_error(place + ".values", "some values are of one column and some of several",
                     "write each as a number, or each as a list such as [39,40]");
  }
  raw.values.shrink_to_fit();
  const Json::Array& masses = need_array(need(json, "mass", place), place + ".mass");
  raw.masses.reserve(masses.size());
  for (const Json& value : masses) {
    auto where = [&] { return fmt::format("{}.mass[{}]", place, raw.masses.size()); };
    auto mass = if_number(value);
    if (!mass) need_number(value, where());  // which says what is wrong
    if (*mass < 0)
      throw data_error(where(), "a mass is negative", "masses are counts, decimals or \"a/b\", none below 0");
    raw.masses.push_back(std::move(*mass));
  }
  if (raw.size() != raw.masses.size()) {
    throw data_error(place, fmt::format("{} values but {} masses", raw.size(), raw.masses.size()),
                     "give one mass for each value");
  }
  if (std::all_of(raw.masses.begin(), raw.masses.end(), [](const Rational& mass) { return mass == 0; })) {
    throw data_error(place, "all masses are zero",
                     "leave the secret out, or give it at least one value with mass");
  }
  return raw;
}

std::vector<SecretPair> read_pair_list(const Json& json, const std::vector<std::string>& secrets,
                                       const std::string& place) {
  std::vector<SecretPair> pairs;
  auto find = [&](const Json& label) {
    std::string text = need_string(label, place);
    auto found = std::find(secrets.begin(), secrets.end(), text);
    if (found == secrets.end()) {
      throw data_error(place, fmt::format("there is no secret '{}'", text), "use the keys of \"given\"");
    }
    return static_cast<uint32_t>(found - secrets.begin());
  };
  for (const Json& item : need_array(json, place)) {
    const Json::Array& ends = need_array(item, place);
    if (ends.size() != 2) throw data_error(place, "a pair must have two secrets", "write [\"A\",\"B\"]");
    pairs.emplace_back(find(ends[0]), find(ends[1]));
    if (pairs.back().first == pairs.back().second) {
      throw data_error(place, "a secret is paired with itself", "name two different secrets");
    }
  }
  if (pairs.empty())
    throw data_error(place, "the list of pairs is empty", "write \"all\", or at least one pair");
  return pairs;
}

PairSet read_pairs(const Json* json, const std::vector<std::string>& secrets, const std::string& place) {
  if (!json) return PairSet::all();
  const std::string* word = json->if_string();
  if (!word) return PairSet::of(read_pair_list(*json, secrets, place));
  if (*word == "all") return PairSet::all();
  if (*word == "neighbours") return PairSet::neighbours(secrets.size());
  throw data_error(place, "the word for pairs is unknown",
                   "write \"all\", \"neighbours\", or a list of pairs");
}

// Integers of any size: beyond what a JSON number can hold, as a fraction in quotes.
Json weight_to_json(const Integer& weight) {
  std::string digits = weight.str();
  return digits.size() <= 300 ? Json::number(std::move(digits)) : Json::string(digits + "/1");
}

// A confidence speaks of people who were counted.
void check_counts(const RawPriors& priors, const std::string& place) {
  for (const auto& given : priors) {
    for (const RawDistribution& secret : given) {
      if (secret.law) {
        throw data_error(place, "a confidence needs masses that are counts",
                         "leave out the confidence: a law is taken as the truth");
      }
      for (const Rational& mass : secret.masses) {
        if (denominator(mass) != 1)
          throw data_error(place, "a confidence needs masses that are counts",
                           "give whole numbers of people");
      }
    }
  }
}

// Masses become integers by one factor for all secrets, so that their proportions stay as written: whole
// counts stay as they are, and secrets that each add up to 1 weigh the same.
void share_denominator(std::vector<RawDistribution>& given) {
  Integer common(1);
  for (const RawDistribution& secret : given) {
    for (const Rational& mass : secret.masses) common = lcm(common, Integer(denominator(mass)));
  }
  if (common == 1) return;
  for (RawDistribution& secret : given) {
    for (Rational& mass : secret.masses) mass *= common;
  }
}

std::optional<Rational> read_confidence(const Json* json, const std::string& place,
                                        const ScenarioOverrides& overrides) {
  if (overrides.confidence) return overrides.confidence;
  if (!json || json->is_null()) return std::nullopt;
  Rational confidence = need_number(*json, place + ".confidence");
  if (confidence <= 0 || confidence >= 1)
    throw data_error(place + ".confidence", "this must be between 0 and 1", "for example 0.95");
  return confidence;
}

// A file without has boxes.
void read_bounds(Scenario& scenario, const Json& json, const std::string& place) {
  if (const Json* bounds = json.find("bounds")) {
    const auto kind = bound_kind_named(need_string(*bounds, place + ".bounds"));
    if (!kind) throw data_error(place + ".bounds", "the word is unknown", "write boxes, band or both");
    scenario.bounded_by = *kind;
  }
  if (const Json* sampling = json.find("sampling"); sampling && !sampling->is_null())
    scenario.sampling = sampling_from_json(*sampling, scenario.secrets, place + ".sampling");
  check_sampling(scenario, ErrorKind::kData);
}

// The values without mass under every prior that are listed all the same: with a confidence they may occur.
std::vector<int64_t> unseen_of(const Scenario& scenario, const RawPriors& raw, const Atoms& atoms) {
  if (!scenario.confidence || scenario.is_joint()) return {};
  std::set<int64_t> unseen;
  for (size_t p = 0; p < raw.size(); ++p) {
    for (size_t s = 0; s < raw[p].size(); ++s) unseen.insert(atoms[p][s].begin(), atoms[p][s].end());
  }
  for (const Prior& prior : scenario.priors) {
    for (const Distribution& given : prior.by_secret) {
      for (int64_t atom : given.atoms()) unseen.erase(atom);
    }
  }
  return {unseen.begin(), unseen.end()};
}

Epsilon read_epsilon(const Json* json, const std::string& place) {
  if (!json || json->is_null()) {
    throw Error(ErrorKind::kUsage, place + ": no epsilon is given",
                "add --epsilon, for example --epsilon 0.5");
  }
  const Json::Number* number = json->if_number();
  const std::string* text = json->if_string();
  if (!number && !text) throw data_error(place + ".epsilon", "this must be a number", "for example 0.5");
  return Epsilon::parse(number ? number->literal : *text, place + ".epsilon", ErrorKind::kData);
}

constexpr const char *kByBoxes = "boxes", *kByBudget = "budget";

// The flag wins over the file; a flag that leaves no room for the file's closeness is the flag's fault.
void read_closeness(Scenario& scenario, const Json* json, const Json* by, const std::string& place,
                    const ScenarioOverrides& overrides) {
  Rational lambda(0);
  const std::string how = by ? need_string(*by, place + ".closeness_by") : kByBoxes;
  if (how != kByBoxes && how != kByBudget) {
    throw data_error(place + ".closeness_by", "this must be boxes or budget",
                     "leave it out: fugu takes what needs less noise");
  }
  if (overrides.closeness) {
    lambda = *overrides.closeness;
  } else if (json && !json->is_null()) {
    lambda = need_number(*json, place + ".closeness");
    if (lambda < 0)
      throw data_error(place + ".closeness", "this must not be negative",
                       "for example 0.05, or leave it out");
  }
  const bool by_flag = overrides.closeness || overrides.epsilon || overrides.delta;
  scenario.promise({scenario.epsilon, scenario.delta}, lambda,
                   how == kByBoxes ? Closeness::By::kBoxes : Closeness::By::kBudget,
                   overrides.closeness ? "--closeness" : place + ".closeness",
                   by_flag ? ErrorKind::kUsage : ErrorKind::kData);
}

void read_weights(Scenario& scenario, const Json* json, const std::string& place,
                  const ScenarioOverrides& overrides) {
  const size_t columns = scenario.axes.size();
  if (columns == 0) {
    if (!overrides.weights.empty())
      throw Error(ErrorKind::kUsage, "--noise-shares: there is one column",
                  "weights are for several columns");
    if (json) throw data_error(place + ".weights", "there is one column", "weights are for several columns");
    return;
  }
  if (!overrides.weights.empty())
    return set_weights(scenario, parse_weights(overrides.weights, scenario.released_columns(),
                                               "--noise-shares", ErrorKind::kUsage));
  std::vector<std::string> texts;
  if (const Json::Array* items = per_column(json, columns, place + ".weights")) {
    for (const Json& item : *items) texts.push_back(to_text(need_number(item, place + ".weights")));
  }
  set_weights(scenario, texts.empty() ? std::vector<Rational>{}
                                      : parse_weights(texts, columns, place + ".weights", ErrorKind::kData));
}

void check_bags(const Scenario& scenario, const std::string& place) {
  if (scenario.rows_per_person() == 1) return;
  const std::string fault = fault_of_bags(scenario);
  if (!fault.empty()) throw data_error(place, fault, "the file was changed; calibrate again");
}

}  // namespace

Json value_to_json(const Scenario& scenario, int64_t atom) {
  if (!scenario.is_joint()) return number_to_json(scenario.lattice.value(atom));
  return point_to_json(scenario, scenario.points[static_cast<size_t>(atom)]);
}

Json point_to_json(const Scenario& scenario, const std::vector<int64_t>& point) {
  Json json = Json::array();
  for (size_t c = 0; c < point.size(); ++c)
    json.if_array()->push_back(number_to_json(scenario.axes[c].lattice.value(point[c])));
  return json;
}

Json lattices_to_json(const Scenario& scenario) {
  if (!scenario.is_joint()) return lattice_to_json(scenario.lattice);
  Json json = Json::array();
  for (const Axis& axis : scenario.axes) json.if_array()->push_back(lattice_to_json(axis.lattice));
  return json;
}

namespace {

// The priors as they are written, and the secrets that they all have.
struct ReadPriors {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> known;
  RawPriors raw;
  std::vector<std::vector<Rational>> shares = {};
};

ReadPriors read_priors(Scenario& scenario, const Json& json, const std::string& place) {
  ReadPriors result;
  auto& [names, known, raw, shares] = result;
  for (const Json& item : need_array(need(json, "priors", place), place + ".priors")) {
    std::string where = fmt::format("{}.priors[{}]", place, raw.size());
    check_keys(item, where, {"name", "known", "given", "shares"});
    known.push_back(item.find("known") ? need_strings(*item.find("known"), where + ".known")
                                       : std::vector<std::string>{});
    names.push_back(item.find("name") ? need_string(*item.find("name"), where + ".name")
                                      : fmt::format("prior {}", raw.size() + 1));
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      throw data_error(where + ".name", "two priors have the same name", "give each its own");
    }
    const Json& given = need(item, "given", where);
    if (!given.if_object())
      throw data_error(where + ".given", "this must be an object", "one key for each secret");
    if (raw.empty()) {
      for (const auto& [secret, unused] : *given.if_object()) scenario.secrets.push_back(secret);
    }
    if (given.if_object()->size() != scenario.secrets.size()) {
      throw data_error(where + ".given", "the priors do not have the same secrets",
                       "give every secret a distribution under every prior");
    }
    raw.emplace_back();
    for (const std::string& secret : scenario.secrets) {
      const std::string spot = place_of_given(where, raw.back().size());
      const Json* distribution = given.find(secret);
      if (!distribution) {
        throw data_error(spot, "the secret is missing under this prior",
                         "give every secret a distribution under every prior");
      }
      raw.back().push_back(read_distribution(*distribution, spot));
    }
    shares.push_back(read_shares(item.find("shares"), scenario.secrets, where + ".shares"));
  }
  if (raw.empty()) throw data_error(place + ".priors", "there is no prior", "give at least one");
  if (scenario.secrets.size() < 2) {
    throw data_error(place, "there are fewer than two secrets", "there must be at least two secrets");
  }
  return result;
}

// The masses on the lattice, or the laws on the grid, prior by prior.
void add_laws(Scenario& scenario, ReadPriors& priors, const Atoms& atoms,
              const std::optional<PointRange>& grid, const std::string& place) {
  auto& [names, known, raw, shares] = priors;
  for (size_t p = 0; p < raw.size(); ++p) {
    share_denominator(raw[p]);
    Prior prior{.name = names[p], .by_secret = {}, .known = known[p], .shares = shares[p]};
    if (has_laws(raw[p])) prior.laws.resize(raw[p].size());
    for (size_t s = 0; s < raw[p].size(); ++s) {
      if (const auto& law = raw[p][s].law) {
        try {
          prior.by_secret.push_back(on_grid(*law, scenario.lattice, *grid));
        } catch (const Error& error) {
          throw error.at(place_of_given(fmt::format("{}.priors[{}]", place, p), s));
        }
        prior.laws[s] = law;
        continue;
      }
      prior.by_secret.push_back(Distribution::from_masses(atoms[p][s], raw[p][s].masses));
      const auto placed = prior.by_secret.back().atoms();
      if (scenario.source)
        check_labels(scenario.source->shape().labels, placed.front(), placed.back(), place);
    }
    scenario.priors.push_back(std::move(prior));
  }
}

}  // namespace

Scenario scenario_from_json(const Json& json, const std::string& place, const ScenarioOverrides& overrides) {
  check_keys(json, place,
             {"epsilon", "delta", "closeness", "closeness_by", "priors", "pairs", "lattice", "weights",
              "source", "confidence", "bounds", "sampling", "promise", "budgets"});
  Scenario scenario{overrides.epsilon ? *overrides.epsilon : read_epsilon(json.find("epsilon"), place)};
  if (overrides.delta) {
    scenario.delta = *overrides.delta;
  } else if (const Json* delta = json.find("delta"); delta && !delta->is_null()) {
    scenario.delta =
        Delta::parse(to_text(need_number(*delta, place + ".delta")), place + ".delta", ErrorKind::kData);
  }
  read_closeness(scenario, json.find("closeness"), json.find("closeness_by"), place, overrides);
  ReadPriors priors = read_priors(scenario, json, place);
  const RawPriors& raw = priors.raw;
  scenario.pairs = overrides.pairs ? PairSet::parse(*overrides.pairs, scenario.secrets)
                                   : read_pairs(json.find("pairs"), scenario.secrets, place + ".pairs");
  read_limits(scenario, json, place, overrides);

  const bool several = count_columns(raw, place) > 1;
  if (const Json* source = json.find("source"); source && !source->is_null()) {
    const size_t columns = count_columns(raw, place);
    scenario.source = read_source(*source, place + ".source", columns);
    const size_t named = scenario.source->published.size() * scenario.rows_per_person();
    if (named > 0 && named != std::max<size_t>(columns, 1))
      throw data_error(place + ".source.public", "the values are not of so many columns",
                       "name each of them once");
  }
  if (several && has_laws(raw))
    throw data_error(place, "a normal law is for one column", "give values and masses");
  scenario.confidence = read_confidence(json.find("confidence"), place, overrides);
  read_bounds(scenario, json, place);
  std::optional<PointRange> grid;
  const Atoms atoms = place_values(scenario, raw, json, overrides, place, grid);
  for (size_t c = 0; scenario.source && c < scenario.source->columns.size(); ++c)
    check_shape(scenario.shape(c), several ? scenario.axes[c].lattice : scenario.lattice, place + ".source");

  if (scenario.confidence) check_counts(raw, place);
  if (scenario.confidence && scenario.source && !scenario.source->shape().rare.empty()) {
    throw data_error(place + ".source.rare",
                     "a confidence does not hold for categories chosen by their counts",
                     "leave out the confidence, or merge no categories");
  }
  add_laws(scenario, priors, atoms, grid, place);
  mark_groups(scenario);
  scenario.unseen = unseen_of(scenario, raw, atoms);
  check_bags(scenario, place);  // before weights are made from them
  read_weights(scenario, json.find("weights"), place, overrides);
  check_bags(scenario, place);
  state_shares(scenario, overrides.shares);
  const bool by_flags = overrides.epsilon || overrides.delta || overrides.pairs || overrides.promised;
  check_promise(scenario, by_flags ? ErrorKind::kUsage : ErrorKind::kData);
  return scenario;
}

Json scenario_to_json(const Scenario& scenario) {
  Json priors = Json::array();
  for (const Prior& prior : scenario.priors) {
    Json given = Json::object();
    for (size_t s = 0; s < scenario.secrets.size(); ++s) {
      const Distribution& distribution = prior.by_secret[s];
      if (!prior.laws.empty() && prior.laws[s]) {
        given.add(scenario.secrets[s], normal_law_to_json(*prior.laws[s]));
        continue;
      }
      Json values = Json::array(), mass = Json::array();
      if (distribution.blur() != 0)
        throw Error(ErrorKind::kBug, "masses that a model computed are written without it",
                    "please report this");
      for (size_t k = 0; k < distribution.size(); ++k) {
        values.if_array()->push_back(value_to_json(scenario, distribution.atoms()[k]));
        mass.if_array()->push_back(weight_to_json(distribution.weights().at(k)));
      }
      for (size_t k = 0; scenario.confidence && k < scenario.unseen.size(); ++k) {
        values.if_array()->push_back(value_to_json(scenario, scenario.unseen[k]));
        mass.if_array()->push_back(Json::number(0LL));
      }
      Json entry = Json::object();
      entry.add("values", std::move(values));
      entry.add("mass", std::move(mass));
      given.add(scenario.secrets[s], std::move(entry));
    }
    Json entry = Json::object();
    entry.add("name", Json::string(prior.name));
    if (!prior.known.empty()) entry.add("known", Json::strings(prior.known));
    entry.add("given", std::move(given));
    if (!prior.shares.empty()) entry.add("shares", shares_to_json(scenario, prior));
    priors.if_array()->push_back(std::move(entry));
  }
  Json json = Json::object();
  const Budget stated = scenario.stated();
  json.add("epsilon", number_to_json(stated.epsilon.value()));
  json.add("delta", number_to_json(stated.delta.value()));
  add_limits(json, scenario);
  if (scenario.closeness) {
    json.add("closeness", number_to_json(scenario.closeness->lambda));
    json.add("closeness_by",
             Json::string(scenario.closeness->by == Closeness::By::kBoxes ? kByBoxes : kByBudget));
  }
  json.add("priors", std::move(priors));
  if (scenario.pairs.is_all()) {
    json.add("pairs", Json::string("all"));
  } else {
    Json pairs = Json::array();
    for (auto [first, second] : scenario.pairs.list(scenario.secrets.size())) {
      pairs.if_array()->push_back(Json::strings({scenario.secrets[first], scenario.secrets[second]}));
    }
    json.add("pairs", std::move(pairs));
  }
  json.add("lattice", lattices_to_json(scenario));
  if (scenario.is_joint()) {
    Json weights = Json::array();
    for (const Axis& axis : scenario.axes) weights.if_array()->push_back(number_to_json(axis.weight));
    json.add("weights", std::move(weights));
  }
  if (scenario.source) json.add("source", source_to_json(*scenario.source));
  if (scenario.confidence) json.add("confidence", number_to_json(*scenario.confidence));
  if (scenario.confidence && scenario.bounded_by != BoundKind::kBoxes)
    json.add("bounds", Json::string(std::string(name_of(scenario.bounded_by))));
  if (scenario.sampling.kind == Sampling::Kind::kCensus ||
      (scenario.sampling.kind == Sampling::Kind::kPart && scenario.confidence))
    json.add("sampling", sampling_to_json(scenario));
  return json;
}

}  // namespace fugu::inline in_scenario
