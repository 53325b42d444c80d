// Priors from a file of their own, put on the lattice of a scenario that is there already.
#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json_read.h"
#include "fugu/law/normal_law.h"
#include "fugu/scenario/limits_json.h"
#include "fugu/scenario/raw_values.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_scenario {
namespace {

using Labels = std::vector<std::string>;

// What a file holds: its priors with the place of each, and the labels that its numbers stand for.
struct PriorFile {
  std::vector<std::pair<std::string, Json>> priors;
  Labels labels;
};

PriorFile open_file(const Json& json, const std::string& place) {
  PriorFile file;
  auto add_all = [&](const Json::Array& list, const std::string& where) {
    for (const Json& item : list)
      file.priors.emplace_back(fmt::format("{}[{}]", where, file.priors.size()), item);
  };
  if (json.find("priors")) {
    check_keys(
        json, place,
        {"epsilon", "delta", "closeness", "priors", "pairs", "lattice", "source", "promise", "budgets"});
    add_all(need_array(*json.find("priors"), place + ".priors"), place + ".priors");
    const Json* source = json.find("source");
    if (const Json* labels = source ? source->find("labels") : nullptr)
      file.labels = need_labels(*labels, place + ".source.labels");
  } else if (json.if_array()) {
    add_all(*json.if_array(), place);
  } else {
    file.priors.emplace_back(place, json);
  }
  if (file.priors.empty()) throw data_error(place, "there is no prior", "give at least one");
  return file;
}

class PriorReader {
 public:
  PriorReader(const Scenario& scenario, const Labels& file_labels)
      : scenario_(scenario), file_labels_(file_labels), shape_(scenario.shape(0), scenario.lattice) {
    if (scenario.source) labels_ = scenario.source->shape().labels;
  }

  Prior read(const Json& json, const std::string& place) const {
    check_keys(json, place, {"name", "given", "shares"});
    Prior prior{free_name(json, place), {}};
    const Json& given = need(json, "given", place);
    const auto* members = given.if_object();
    if (!members) throw data_error(place + ".given", "this must be an object", "one key for each secret");
    for (const std::string& secret : scenario_.secrets) {
      const Json* distribution = given.find(secret);
      if (!distribution || members->size() != scenario_.secrets.size()) {
        throw data_error(place + ".given", "the secrets are not those of the scenario",
                         fmt::format("give one distribution for each of its {} secrets, with the same names",
                                     scenario_.secrets.size()));
      }
      const std::string where = place_of_given(place, prior.by_secret.size());
      if (is_normal_law(*distribution)) {
        prior.laws.resize(scenario_.secrets.size());
        prior.laws[prior.by_secret.size()] = normal_law_from_json(*distribution, where);
        prior.by_secret.push_back(expand(*prior.laws[prior.by_secret.size()], where));
      } else {
        prior.by_secret.push_back(read_distribution(*distribution, where));
      }
    }
    if (!scenario_.is_of_belief()) return prior;
    prior.shares = read_shares(json.find("shares"), scenario_.secrets, place + ".shares");
    // Whoever believes this of the values believes of the secrets what the first prior says.
    if (prior.shares.empty()) prior.shares = scenario_.shares_in(scenario_.priors.front());
    return prior;
  }

 private:
  std::string free_name(const Json& json, const std::string& place) const {
    const Json* stated = json.find("name");
    const std::string name =
        stated ? need_string(*stated, place + ".name") : fmt::format("prior {}", scenario_.priors.size() + 1);
    const auto& source = scenario_.source;
    if (source && !source->given.empty() && is_group_name(name, source->given.front(), source->header)) {
      throw data_error(place + ".name", "a group of the given columns already has this name",
                       "choose another name");
    }
    std::string result = name;
    auto taken = [&](const Prior& prior) { return prior.name == result; };
    for (int k = 2; std::any_of(scenario_.priors.begin(), scenario_.priors.end(), taken); ++k)
      result = fmt::format("{} ({})", name, k);
    return result;
  }

  // A law lies on the scenario's grid; without one its values would reach where no release does.
  Distribution expand(const NormalLaw& law, const std::string& place) const {
    if (!scenario_.source || !scenario_.source->shape().clip || !labels_.empty() ||
        scenario_.source->shape().bin) {
      throw data_error(place, "a law needs a scenario whose values are held within a range",
                       "give values and masses, or a scenario file with \"clip\" in \"source\"");
    }
    const auto& [low, high] = *scenario_.source->shape().clip;
    const auto first = scenario_.lattice.nearest(low), last = scenario_.lattice.nearest(high);
    try {
      return on_grid(law, scenario_.lattice, {first.value(), last.value()});
    } catch (const Error& error) {
      throw error.at(place);
    }
  }

  Distribution read_distribution(const Json& json, const std::string& place) const {
    check_keys(json, place, {"values", "mass"});
    std::vector<int64_t> atoms;
    std::vector<Rational> masses;
    for (const Json& value : need_array(need(json, "mass", place), place + ".mass")) {
      const std::string where = fmt::format("{}.mass[{}]", place, masses.size());
      masses.push_back(need_number(value, where));
      if (masses.back() < 0) {
        throw data_error(where, "a mass is negative", "masses are counts, decimals or \"a/b\", none below 0");
      }
    }
    const Json::Array& values = need_array(need(json, "values", place), place + ".values");
    if (values.size() != masses.size()) {
      throw data_error(place, fmt::format("{} values but {} masses", values.size(), masses.size()),
                       "give one mass for each value");
    }
    std::vector<Rational> positive;
    for (size_t k = 0; k < values.size(); ++k) {
      if (masses[k] == 0) continue;
      positive.push_back(masses[k]);
      atoms.push_back(index_of(values[k], fmt::format("{}.values[{}]", place, k)));
    }
    if (atoms.empty()) throw data_error(place, "all masses are zero", "give at least one value with mass");
    return Distribution::from_masses(atoms, positive);
  }

  int64_t index_of(const Json& value, const std::string& place) const {
    if (labels_.empty()) {
      const Rational number = need_number(value, place);
      const auto index = shape_.index(number);
      if (!index) {
        throw data_error(place, "the value is not on the lattice of the scenario",
                         "use its values, or give a --step that fits both");
      }
      return *index;
    }
    // A category: by its label, or by its number in the file's own labels, else in the scenario's.
    const std::string* label = value.if_string();
    if (label && std::count(labels_.begin(), labels_.end(), *label) > 0) return position(*label, place);
    if (const auto rare = label ? shape_.index(*label) : std::nullopt) return *rare;
    const Labels& numbered = file_labels_.empty() ? labels_ : file_labels_;
    const auto number = label ? parse_number(*label) : std::optional(need_number(value, place));
    if (!number || denominator(*number) != 1 || *number < 1 || *number > numbered.size()) {
      throw data_error(place, "there is no such category", "give a label, or its number from 1 on");
    }
    return position(numbered[static_cast<size_t>(numerator(*number)) - 1], place);
  }

  int64_t position(const std::string& label, const std::string& place) const {
    const auto found = std::find(labels_.begin(), labels_.end(), label);
    if (const auto rare = shape_.index(label); rare && found == labels_.end()) return *rare;
    if (found == labels_.end()) {
      throw data_error(place, "the scenario does not have this category",
                       "name only categories of the released column; --order may name more than it has");
    }
    return found - labels_.begin() + 1;
  }

  const Scenario& scenario_;
  const Labels& file_labels_;
  const Shape shape_;
  Labels labels_;
};

}  // namespace

void add_priors(Scenario& scenario, const Json& json, const std::string& place) {
  if (scenario.source && scenario.source->has_strata()) {
    throw Error(ErrorKind::kUsage,
                "--prior: a belief from a file is about the whole table, but with known columns each group "
                "has its own",
                "leave out --prior or --known; --also adds beliefs within each group");
  }
  if (scenario.is_joint()) {
    throw data_error(place, "--prior: this works with one released column only",
                     "put every prior into one scenario file");
  }
  const PriorFile file = open_file(json, place);
  const PriorReader reader(scenario, file.labels);
  for (const auto& [where, item] : file.priors) scenario.priors.push_back(reader.read(item, where));
  std::vector<Rational> ends;
  for (const Prior& prior : scenario.priors) {
    for (const Distribution& secret : prior.by_secret) {
      std::erase_if(scenario.unseen, [&](int64_t value) {
        return std::binary_search(secret.atoms().begin(), secret.atoms().end(), value);
      });
      ends.push_back(scenario.lattice.value(secret.atoms().front()));
      ends.push_back(scenario.lattice.value(secret.atoms().back()));
    }
  }
  try {
    check_span(scenario.lattice, ends);
  } catch (const Error& error) {
    throw error.at(place);
  }
}

}  // namespace fugu::inline in_scenario
