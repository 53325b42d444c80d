#include "fugu/models/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fugu/core/json_read.h"

namespace fugu::inline in_models {
namespace {

using Matrix = std::vector<std::vector<Rational>>;

// Probabilities: divided by their sum where they are counts, fractions, or decimals that were rounded.
std::vector<Rational> read_law(const Json& json, size_t states, const std::string& place) {
  std::vector<Rational> law;
  Rational sum(0);
  bool decimals = false;
  for (const Json& item : need_array(json, place)) {
    const Json::Number* literal = item.if_number();
    decimals = decimals || (literal && literal->literal.find_first_of(".eE") != std::string::npos);
    law.push_back(need_number(item, place));
    if (law.back() < 0) throw data_error(place, "a probability is negative", "give probabilities");
    sum += law.back();
  }
  if (law.size() != states)
    throw data_error(place, "there must be as many probabilities as states", "give one for each state");
  if (sum == 0 || (decimals && abs(Rational(sum - 1)) > Rational(1, 1'000'000)))
    throw data_error(place, "the probabilities do not add up to 1",
                     "write counts, or fractions such as \"1/3\"");
  for (Rational& mass : law) mass /= sum;
  return law;
}

Json law_to_json(const std::vector<Rational>& law) {
  Json json = Json::array();
  for (const Rational& mass : law) json.if_array()->push_back(number_to_json(mass));
  return json;
}

MarkovChain read_chain(const Json& json, size_t states, const std::string& place) {
  check_keys(json, place, {"name", "transition", "start"});
  MarkovChain chain;
  if (const Json* name = json.find("name")) chain.name = need_string(*name, place + ".name");
  const Json::Array& rows = need_array(need(json, "transition", place), place + ".transition");
  if (rows.size() != states)
    throw data_error(place + ".transition", "there must be a row for each state", "give a square matrix");
  for (size_t k = 0; k < rows.size(); ++k)
    chain.transition.push_back(read_law(rows[k], states, fmt::format("{}.transition[{}]", place, k)));
  const Json& start = need(json, "start", place);
  if (const std::string* word = start.if_string()) {
    if (*word != "stationary")
      throw data_error(place + ".start", "the word is unknown",
                       "write \"stationary\", or a probability for each state");
    stationary_law(chain.transition, place);
  } else {
    chain.start = read_law(start, states, place + ".start");
  }
  return chain;
}

bool read_flag(const Json& json, const std::string& key, const std::string& place) {
  const Json* flag = json.find(key);
  if (!flag) return false;
  if (!flag->if_boolean())
    throw data_error(place + "." + key, "this must be true or false", "write true or false");
  return *flag->if_boolean();
}

}  // namespace

Lattice ChainModel::lattice() const {
  return {frequency ? Rational(Integer(1), Integer(length)) : Rational(1), Rational(0)};
}

// Solves law * (transition - 1) = 0, sum = 1 by exact elimination; the last equation gives way to the sum.
std::vector<Rational> stationary_law(const Matrix& transition, const std::string& place) {
  const size_t n = transition.size();
  Matrix rows(n, std::vector<Rational>(n + 1));
  for (size_t r = 0; r < n; ++r) {
    for (size_t c = 0; c < n; ++c)
      rows[r][c] = r + 1 == n ? Rational(1) : Rational(transition[c][r] - (r == c ? 1 : 0));
  }
  rows[n - 1][n] = 1;
  for (size_t c = 0; c < n; ++c) {
    size_t pivot = c;
    while (pivot < n && rows[pivot][c] == 0) ++pivot;
    if (pivot == n)
      throw data_error(place, "the stationary law is not unique", "give \"start\" as probabilities");
    std::swap(rows[c], rows[pivot]);
    for (size_t k = n + 1; k-- > c;) rows[c][k] /= rows[c][c];
    for (size_t r = 0; r < n; ++r) {
      if (r == c || rows[r][c] == 0) continue;
      const Rational factor = rows[r][c];
      for (size_t k = c; k <= n; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<Rational> law;
  for (const auto& row : rows) law.push_back(row[n]);
  return law;
}

std::vector<Rational> start_law(const MarkovChain& chain) {
  return chain.start ? *chain.start : stationary_law(chain.transition, "chain");
}

Json chain_to_json(const ChainModel& model) {
  Json chains = Json::array();
  for (const MarkovChain& chain : model.chains) {
    Json rows = Json::array();
    for (const auto& row : chain.transition) rows.if_array()->push_back(law_to_json(row));
    Json entry = Json::object();
    entry.add("name", Json::string(chain.name));
    entry.add("transition", std::move(rows));
    entry.add("start", chain.start ? law_to_json(*chain.start) : Json::string("stationary"));
    chains.if_array()->push_back(std::move(entry));
  }
  Json json = Json::object();
  json.add("kind", Json::string("chain"));
  json.add("states", Json::strings(model.states));
  json.add("length", Json::number(static_cast<long long>(model.length)));
  json.add("counted", model.counted ? Json::string(model.states[*model.counted]) : Json::null());
  json.add("frequency", Json::boolean(model.frequency));
  json.add("estimated", Json::boolean(model.estimated));
  json.add("chains", std::move(chains));
  return json;
}

ChainModel chain_from_json(const Json& json, const std::string& place) {
  check_keys(json, place, {"kind", "states", "length", "counted", "frequency", "estimated", "chains"});
  ChainModel model;
  model.states = need_strings(need(json, "states", place), place + ".states");
  const std::set<std::string> different(model.states.begin(), model.states.end());
  if (different.size() != model.states.size())
    throw data_error(place + ".states", "two states have the same name", "give each its own");
  if (model.states.size() < 2 || model.states.size() > ChainModel::kMostStates)
    throw data_error(place + ".states", "there must be 2 to 50 states", "merge rare states into one");
  if (const Json* length = json.find("length")) {
    const Integer value = need_natural(*length, place + ".length");
    if (value < 1 || value > ChainModel::kLongest)
      throw data_error(place + ".length", "the length must be 1 to 1,000,000", "release shorter pieces");
    model.length = static_cast<uint64_t>(value);
  }
  if (const Json* counted = json.find("counted"); counted && !counted->is_null()) {
    const std::string name = need_string(*counted, place + ".counted");
    const auto found = std::find(model.states.begin(), model.states.end(), name);
    if (found == model.states.end())
      throw data_error(place + ".counted", "there is no such state", "name one of \"states\"");
    model.counted = static_cast<size_t>(found - model.states.begin());
  }
  model.frequency = read_flag(json, "frequency", place);
  model.estimated = read_flag(json, "estimated", place);
  std::set<std::string> names;
  for (const Json& item : need_array(need(json, "chains", place), place + ".chains")) {
    const std::string where = fmt::format("{}.chains[{}]", place, model.chains.size());
    MarkovChain chain = read_chain(item, model.states.size(), where);
    if (chain.name.empty()) chain.name = fmt::format("chain {}", model.chains.size() + 1);
    if (!names.insert(chain.name).second)
      throw data_error(where + ".name", "two chains have the same name", "give each its own");
    model.chains.push_back(std::move(chain));
  }
  if (model.chains.empty()) throw data_error(place + ".chains", "there is no chain", "give at least one");
  return model;
}

std::vector<std::string> assumptions_of(const ChainModel& model) {
  std::vector<std::string> result;
  result.push_back(
      model.chains.size() == 1
          ? std::string("The sequence is a Markov chain, and the adversary's belief about it is the model's "
                        "chain, taken as the truth.")
          : fmt::format(
                "The sequence is a Markov chain, and the adversary's belief about it is one of the {} "
                "chains of the model.",
                model.chains.size()));
  if (model.estimated) {
    result.emplace_back(
        "The chain was estimated from the very sequence that is released: the noise depends on it, and what "
        "that tells is not counted.");
  }
  result.push_back(
      fmt::format("The state at any one of the {} times is hidden from every other state that is possible "
                  "then; what holds for long stretches of time is not.",
                  model.length));
  return result;
}

}  // namespace fugu::inline in_models
