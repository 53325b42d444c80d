#include "fugu/models/crowd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "fugu/core/json_read.h"

namespace fugu::inline in_models {
namespace {

constexpr uint64_t kMostUsers = 10'000'000;
constexpr std::pair<CrowdPairs, std::string_view> kPairsNames[] = {
    {CrowdPairs::kBoth, "both"}, {CrowdPairs::kValues, "values"}, {CrowdPairs::kAbsent, "absent"}};

CrowdPairs read_pairs(const Json& json, const std::string& place) {
  const std::string word = need_string(json, place);
  for (const auto& [pairs, name] : kPairsNames) {
    if (word == name) return pairs;
  }
  throw data_error(place, "the word is unknown", "write both, values or absent");
}

std::vector<Rational> read_masses(const Json& json, size_t letters, const std::string& place) {
  std::vector<Rational> masses;
  for (const Json& item : need_array(json, place)) {
    masses.push_back(need_number(item, place));
    if (masses.back() < 0) throw data_error(place, "a mass is negative", "give probabilities");
  }
  if (masses.size() != letters)
    throw data_error(place, "there must be as many masses as letters", "give one mass for each letter");
  if (std::all_of(masses.begin(), masses.end(), [](const Rational& mass) { return mass == 0; }))
    throw data_error(place, "all masses are zero", "give some letter a mass");
  return masses;
}

std::vector<int64_t> read_values(const Json& json, size_t letters, const Lattice& lattice,
                                 const std::string& place) {
  std::vector<int64_t> values;
  for (const Json& item : need_array(json, place)) {
    const auto index = lattice.index(need_number(item, place));
    if (!index) throw data_error(place, "a value is not on the lattice", "change \"lattice\" or the value");
    values.push_back(*index);
  }
  if (values.size() != letters)
    throw data_error(place, "there must be as many values as letters", "give one value for each letter");
  return values;
}

Json masses_to_json(const std::vector<Rational>& masses) {
  Json json = Json::array();
  for (const Rational& mass : masses) json.if_array()->push_back(number_to_json(mass));
  return json;
}

Json values_to_json(const std::vector<int64_t>& values, const Lattice& lattice) {
  Json json = Json::array();
  for (int64_t value : values) json.if_array()->push_back(number_to_json(lattice.value(value)));
  return json;
}

// Each user's values lie on the lattice, and so must their sum: its origin may not add up.
void check_sums(const Crowd& crowd, const std::string& place) {
  if (crowd.lattice.origin != 0)
    throw data_error(place + ".lattice", "sums need a lattice with origin 0", "write \"origin\": 0");
  Integer farthest(0);
  for (const CrowdUsers& users : crowd.users) {
    int64_t most = 0;
    for (int64_t value : users.values) most = std::max<int64_t>(most, std::llabs(value));
    farthest += Integer(most) * users.copies;
  }
  if (2 * farthest > kMaxSpan)
    throw data_error(place, "the sum spans too many steps", "use a coarser lattice, or fewer users");
}

}  // namespace

std::string_view crowd_pairs_name(CrowdPairs pairs) {
  return std::find_if(std::begin(kPairsNames), std::end(kPairsNames),
                      [&](const auto& entry) { return entry.first == pairs; })
      ->second;
}

uint64_t Crowd::size() const {
  uint64_t sum = 0;
  for (const CrowdUsers& kind : users) sum += kind.copies;
  return sum;
}

uint64_t Crowd::uncertain() const {
  uint64_t sum = 0;
  for (const CrowdUsers& kind : users) {
    const auto possible =
        std::count_if(kind.masses.begin(), kind.masses.end(), [](const Rational& mass) { return mass > 0; });
    if (possible > 1) sum += kind.copies;
  }
  return sum;
}

std::vector<CrowdUsers> gather(std::vector<CrowdUsers> users) {
  std::map<std::tuple<std::vector<Rational>, std::vector<int64_t>>, size_t> places;
  std::vector<CrowdUsers> kinds;
  for (CrowdUsers& user : users) {
    const auto [found, is_new] = places.try_emplace({user.masses, user.values}, kinds.size());
    if (is_new) {
      kinds.push_back(std::move(user));
    } else {
      kinds[found->second].copies += user.copies;
    }
  }
  return kinds;
}

Json crowd_to_json(const Crowd& crowd) {
  const std::vector<int64_t>& values = crowd.users.front().values;
  const bool same = std::all_of(crowd.users.begin(), crowd.users.end(),
                                [&](const CrowdUsers& users) { return users.values == values; });
  Json users = Json::array();
  for (const CrowdUsers& kind : crowd.users) {
    Json entry = Json::object();
    entry.add("count", Json::number(static_cast<long long>(kind.copies)));
    entry.add("mass", masses_to_json(kind.masses));
    if (!same) entry.add("values", values_to_json(kind.values, crowd.lattice));
    users.if_array()->push_back(std::move(entry));
  }
  Json json = Json::object();
  json.add("kind", Json::string("users"));
  json.add("letters", Json::strings(crowd.letters));
  json.add("pairs", Json::string(std::string(crowd_pairs_name(crowd.pairs))));
  json.add("lattice", lattice_to_json(crowd.lattice));
  if (same) json.add("values", values_to_json(values, crowd.lattice));
  json.add("users", std::move(users));
  return json;
}

Crowd crowd_from_json(const Json& json, const std::string& place) {
  check_keys(json, place, {"kind", "letters", "pairs", "lattice", "values", "users"});
  Crowd crowd;
  crowd.letters = need_strings(need(json, "letters", place), place + ".letters");
  const std::set<std::string> different(crowd.letters.begin(), crowd.letters.end());
  if (different.size() < 2 || different.size() != crowd.letters.size() || different.contains(kAbsentLetter)) {
    throw data_error(place + ".letters", "there must be two letters at least, all different, none \"absent\"",
                     "for example [\"0\", \"1\"]");
  }
  crowd.pairs = read_pairs(need(json, "pairs", place), place + ".pairs");
  crowd.lattice = lattice_from_json(need(json, "lattice", place), place + ".lattice");
  const Json* shared = json.find("values");
  const std::vector<int64_t> values =
      shared ? read_values(*shared, crowd.letters.size(), crowd.lattice, place + ".values")
             : std::vector<int64_t>{};
  std::vector<CrowdUsers> users;
  Integer count(0);
  for (const Json& item : need_array(need(json, "users", place), place + ".users")) {
    const std::string where = fmt::format("{}.users[{}]", place, users.size());
    check_keys(item, where, {"count", "mass", "values"});
    CrowdUsers kind;
    const Integer copies = need_natural(need(item, "count", where), where + ".count");
    count += copies;
    if (copies < 1 || count > kMostUsers)
      throw data_error(where + ".count", "there must be 1 to 10,000,000 users", "for example 25");
    kind.copies = static_cast<uint64_t>(copies);
    kind.masses = read_masses(need(item, "mass", where), crowd.letters.size(), where + ".mass");
    const Json* own = item.find("values");
    if ((own != nullptr) == (shared != nullptr))
      throw data_error(where + ".values", "values are given for all users together, or for each kind",
                       "write \"values\" in one of the two places");
    kind.values = own ? read_values(*own, crowd.letters.size(), crowd.lattice, where + ".values") : values;
    users.push_back(std::move(kind));
  }
  const size_t kinds = users.size();
  crowd.users = gather(std::move(users));
  if (kinds == 0) throw data_error(place + ".users", "there are no users", "give at least one");
  if (crowd.users.size() != kinds)
    throw data_error(place + ".users", "two kinds of users are the same", "add up their counts");
  check_sums(crowd, place);
  return crowd;
}

std::vector<std::string> assumptions_of(const Crowd& crowd) {
  std::vector<std::string> result{
      fmt::format("The {} users are independent of each other, and the adversary's belief about each is the "
                  "model's, taken as the truth.",
                  crowd.size())};
  if (const uint64_t certain = crowd.size() - crowd.uncertain(); certain > 0) {
    result.push_back(fmt::format(
        "Of {} of them the model knows the answer for certain: nothing is promised about these.", certain));
  }
  switch (crowd.pairs) {
    case CrowdPairs::kBoth:
      result.emplace_back(
          "What each user said is hidden, and whether the user took part: someone absent counts as someone "
          "who "
          "drew an answer by the user's own probabilities.");
      break;
    case CrowdPairs::kValues:
      result.emplace_back("What each user said is hidden; that the user took part is not.");
      break;
    case CrowdPairs::kAbsent:
      result.emplace_back(
          "Whether each user took part is hidden, whatever the user said; two answers of a user are not "
          "compared with each other.");
      break;
  }
  return result;
}

}  // namespace fugu::inline in_models
