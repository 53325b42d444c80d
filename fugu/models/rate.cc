#include "fugu/models/rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "fugu/core/json_read.h"

namespace fugu::inline in_models {
namespace {

constexpr size_t kMostRateSecrets = 1000, kMostRateValues = 100'000;
// Looking at every pair of values beyond this takes longer than it is worth.
constexpr size_t kMostCompared = 2000;
constexpr std::pair<RateQuery, std::string_view> kQueryNames[] = {{RateQuery::kCount, "count"},
                                                                  {RateQuery::kSum, "sum"},
                                                                  {RateQuery::kMean, "mean"},
                                                                  {RateQuery::kHistogram, "histogram"}};

RateQuery read_query(const Json& json, const std::string& place) {
  const std::string word = need_string(json, place);
  for (const auto& [query, name] : kQueryNames)
    if (word == name) return query;
  throw data_error(place, "the word is unknown", "write count, sum, mean or histogram");
}

uint64_t read_rows(const Json& json, const std::string& place) {
  const Integer rows = need_natural(json, place);
  if (rows < 1 || rows > RateModel::kMostRows)
    throw data_error(place, "there must be 1 to 1,000,000,000 rows", "for example 100");
  return static_cast<uint64_t>(rows);
}

void check_values(const RateModel& model, const std::string& place) {
  const std::vector<int64_t>& values = model.values;
  if (values.empty() || values.size() > kMostRateValues)
    throw data_error(place + ".values", "there must be 1 to 100,000 values", "use coarser values");
  if (std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) != values.end())
    throw data_error(place + ".values", "values must increase", "write each once, in order");
  if (model.lattice.origin != 0)
    throw data_error(place + ".lattice", "sums need a lattice with origin 0", "write \"origin\": 0");
  const Integer farthest =
      std::max(Integer(std::llabs(values.front())), Integer(std::llabs(values.back()))) * model.rows;
  if (2 * farthest > kMaxSpan)
    throw data_error(place, "the sum over the rows spans too many steps", "use coarser values");
  const bool counted = model.query == RateQuery::kCount;
  if (counted && (model.lattice.step != 1 || values.front() < 0 || values.back() > 1))
    throw data_error(place + ".values", "a row is counted or not: its value is 0 or 1", "write [0, 1]");
  if (!model.is_histogram()) return;
  if (model.lattice.step != 1 || values.front() != 0 ||
      static_cast<size_t>(values.back()) + 1 != values.size())
    throw data_error(place + ".values", "a histogram's values are 0, 1, 2, …", "number the labels");
  const std::set<std::string> different(model.labels.begin(), model.labels.end());
  if (different.size() != values.size() || model.labels.size() != values.size())
    throw data_error(place + ".labels", "there must be one label for each value, all different",
                     "name each category once");
}

void check_laws(const RateModel& model, const std::string& place) {
  if (model.laws.size() != model.secrets.size())
    throw data_error(place + ".laws", "there must be a law for each secret", "write one list for each");
  std::vector<bool> possible(model.values.size());
  for (const auto& law : model.laws) {
    if (law.size() != model.values.size())
      throw data_error(place + ".laws", "there must be as many masses as values",
                       "give one mass for each value");
    bool some = false;
    for (size_t k = 0; k < law.size(); ++k) {
      if (law[k] < 0) throw data_error(place + ".laws", "a mass is negative", "give probabilities or counts");
      if (law[k] == 0) continue;
      some = possible[k] = true;
    }
    if (!some) throw data_error(place + ".laws", "all masses are zero", "give some value a mass");
  }
  if (std::find(possible.begin(), possible.end(), false) != possible.end())
    throw data_error(place + ".values", "a value has no mass under any secret", "leave it out");
}

Json masses_of_rate(const std::vector<Rational>& law) {
  Json json = Json::array();
  for (const Rational& mass : law) json.if_array()->push_back(number_to_json(mass));
  return json;
}

// The sign of P(a|1) P(b|0) - P(b|1) P(a|0): what b says of the secret after a.
int turn(const RateModel& model, size_t a, size_t b) {
  const auto &none = model.laws[0], &all = model.laws[1];
  const Rational turned(all[b] * none[a] - all[a] * none[b]);
  return turned > 0 ? 1 : turned < 0 ? -1 : 0;
}

bool is_log_concave(const RateModel& model, const std::vector<Rational>& law) {
  size_t first = law.size(), last = 0;
  for (size_t k = 0; k < law.size(); ++k) {
    if (law[k] == 0) continue;
    first = std::min(first, k);
    last = k;
  }
  for (size_t k = first; k <= last; ++k) {
    if (law[k] == 0 || (k > first && model.values[k] != model.values[k - 1] + 1)) return false;
    if (k > first && k < last && law[k] * law[k] < law[k - 1] * law[k + 1]) return false;
  }
  return true;
}

}  // namespace

std::string_view rate_query_name(RateQuery query) {
  return std::find_if(std::begin(kQueryNames), std::end(kQueryNames),
                      [&](const auto& entry) { return entry.first == query; })
      ->second;
}

Lattice RateModel::released_lattice() const {
  return query == RateQuery::kMean ? Lattice{Rational(lattice.step / rows), Rational(0)} : lattice;
}

int64_t RateModel::steps_per_row() const {
  if (is_histogram()) return values.size() > 1 ? 2 : 0;
  return values.back() - values.front();
}

void check_rate(const RateModel& model, const std::string& place) {
  const std::set<std::string> different(model.secrets.begin(), model.secrets.end());
  if (different.size() < 2 || different.size() != model.secrets.size() || different.size() > kMostRateSecrets)
    throw data_error(place + ".secrets", "there must be 2 to 1000 values of the secret, all different",
                     "for example [\"no\", \"yes\"]");
  if (model.rows < 1 || model.rows > RateModel::kMostRows)
    throw data_error(place + ".rows", "there must be 1 to 1,000,000,000 rows", "for example 100");
  if (model.within < 1 || model.within > model.rows)
    throw data_error(place + ".within", "this must be a number of rows, from 1 to all of them",
                     "for example 5");
  check_values(model, place);
  check_laws(model, place);
}

Json rate_to_json(const RateModel& model) {
  Json json = Json::object();
  json.add("kind", Json::string("rate"));
  json.add("secrets", Json::strings(model.secrets));
  json.add("rows", Json::number(static_cast<long long>(model.rows)));
  json.add("within", Json::number(static_cast<long long>(model.within)));
  json.add("query", Json::string(std::string(rate_query_name(model.query))));
  json.add("column", Json::string(model.column));
  json.add("labels", Json::strings(model.labels));
  json.add("lattice", lattice_to_json(model.lattice));
  json.add("values", points_to_json(model.values, model.lattice));
  Json laws = Json::array();
  for (const auto& law : model.laws) laws.if_array()->push_back(masses_of_rate(law));
  json.add("laws", std::move(laws));
  json.add("estimated", Json::boolean(model.estimated));
  return json;
}

RateModel rate_from_json(const Json& json, const std::string& place) {
  check_keys(json, place,
             {"kind", "secrets", "rows", "within", "query", "column", "labels", "lattice", "values", "laws",
              "estimated"});
  RateModel model;
  model.secrets = need_strings(need(json, "secrets", place), place + ".secrets");
  model.rows = read_rows(need(json, "rows", place), place + ".rows");
  model.within = read_rows(need(json, "within", place), place + ".within");
  model.query = read_query(need(json, "query", place), place + ".query");
  model.column = need_string(need(json, "column", place), place + ".column");
  model.labels = need_strings(need(json, "labels", place), place + ".labels");
  model.lattice = lattice_from_json(need(json, "lattice", place), place + ".lattice");
  model.values = need_points(need(json, "values", place), model.lattice, place + ".values");
  for (const Json& law : need_array(need(json, "laws", place), place + ".laws")) {
    model.laws.emplace_back();
    for (const Json& mass : need_array(law, place + ".laws"))
      model.laws.back().push_back(need_number(mass, place + ".laws"));
  }
  const Json& estimated = need(json, "estimated", place);
  if (!estimated.if_boolean())
    throw data_error(place + ".estimated", "this is neither true nor false", "true");
  model.estimated = *estimated.if_boolean();
  check_rate(model, place);
  return model;
}

std::vector<std::string> assumptions_of(const RateModel& model) {
  std::vector<std::string> result{fmt::format(
      "The table has {} rows, and everybody may know that. Given how many of them have which "
      "of the {} secret values, the rows are independent of each other, and what is published of a row "
      "follows the law that belongs to its secret value.",
      model.rows, model.secrets.size())};
  result.emplace_back(
      model.estimated
          ? "These laws were estimated from the table itself and are taken as the truth: nothing is promised "
            "to hold under other laws."
          : "These laws are those of the model, taken as the truth: nothing is promised to hold under other "
            "laws.");
  result.push_back(fmt::format(
      "Two tables are not told apart if changing the secret value of {} of the {} rows makes one of the "
      "other; rates that lie further apart may be.",
      model.within == 1 ? "one" : fmt::format("at most {}", model.within), model.rows));
  result.emplace_back("Nobody knows more of single rows than the laws say.");
  if (model.estimated) {
    result.emplace_back(
        "Not covered is somebody who knows this table's own frequencies, of which the laws were made: "
        "together "
        "with the released numbers they tell the rate.");
  }
  return result;
}

bool has_monotone_odds(const RateModel& model) {
  if (model.secrets.size() != 2 || model.is_histogram() || model.values.size() > kMostCompared) return false;
  bool rises = false, falls = false;
  for (size_t a = 0; a < model.values.size(); ++a) {
    for (size_t b = a + 1; b < model.values.size(); ++b) {
      const int sign = turn(model, a, b);
      rises = rises || sign > 0;
      falls = falls || sign < 0;
    }
  }
  return !(rises && falls);
}

bool is_ordered(const RateModel& model) {
  return has_monotone_odds(model) && is_log_concave(model, model.laws[0]) &&
         is_log_concave(model, model.laws[1]);
}

}  // namespace fugu::inline in_models
