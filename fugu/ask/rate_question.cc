#include "fugu/ask/rate_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/ask/lists.h"
#include "fugu/core/error.h"

namespace fugu::inline in_ask {
namespace {

constexpr const char* kWhatHint = "give exactly one of --count VALUE, --sum, --mean and --histogram";

// Nullopt is all of them.
std::optional<Rational> read_share(const std::string& text) {
  if (text == "all") return std::nullopt;
  const auto share = parse_number(text);
  if (!share || *share <= 0 || *share > 1)
    throw usage(fmt::format("--within: '{}' is not a share of the rows", text),
                "give a number above 0 and up to 1, such as 0.05, or all");
  return share;
}

uint64_t rows_within(const std::string& text, uint64_t rows) {
  const auto share = read_share(text);
  if (!share) return rows;
  const Integer within = floor(Rational(*share * rows));
  if (within < 1)
    throw usage(fmt::format("--within: {} of {} rows is less than one row", text, rows),
                fmt::format("give at least 1/{}", rows));
  return static_cast<uint64_t>(within);
}

RateQuery query_of(const RateOptions& options) {
  if (!options.count.empty()) return RateQuery::kCount;
  if (options.sum) return RateQuery::kSum;
  return options.mean ? RateQuery::kMean : RateQuery::kHistogram;
}

// One belief about one column, as it is.
void check_scenario(const Scenario& scenario, bool counted) {
  if (scenario.is_joint())
    throw usage("--public: a rate needs exactly one released column", "name one column");
  if (scenario.priors.size() != 1 || scenario.confidence || scenario.closeness || scenario.blur() != 0)
    throw usage("a rate needs one belief with exact masses",
                "leave out given or known columns, more beliefs, a confidence and a closeness");
  if (counted && scenario.source && (scenario.source->weight || scenario.source->person))
    throw usage("a rate counts rows, each once", "leave out weights and persons");
}

// Masses by secret and value; of a table, numbers of rows.
struct RateMasses {
  std::vector<std::string> secrets;
  std::vector<int64_t> values;
  std::vector<std::vector<Rational>> masses;  // [secret][value]
};

RateMasses tally_of(const Scenario& scenario, bool counted) {
  const std::vector<Distribution>& laws = scenario.priors.front().by_secret;
  RateMasses tally{scenario.secrets, union_support(laws), {}};
  for (const Distribution& law : laws) {
    std::vector<Rational> masses(tally.values.size(), Rational(0));
    for (size_t k = 0; k < law.size(); ++k) {
      const auto at = std::lower_bound(tally.values.begin(), tally.values.end(), law.atoms()[k]);
      masses[static_cast<size_t>(at - tally.values.begin())] =
          counted ? Rational(law.weights().at(k)) : law.mass(k);
    }
    tally.masses.push_back(std::move(masses));
  }
  return tally;
}

// One value of the secret against all others together.
RateMasses of_one(RateMasses tally, const std::string& name, bool counted) {
  const auto found = std::find(tally.secrets.begin(), tally.secrets.end(), name);
  if (found == tally.secrets.end())
    throw usage("--of: the secret has no such value", "name one of its values as the table has it");
  const auto one = static_cast<size_t>(found - tally.secrets.begin());
  if (tally.secrets.size() > 2 && !counted)
    throw usage("--of: without a table fugu cannot know how the other values are mixed",
                "give distributions for two values of the secret");
  std::vector<Rational> rest(tally.values.size(), Rational(0));
  for (size_t s = 0; s < tally.masses.size(); ++s) {
    if (s == one) continue;
    for (size_t k = 0; k < rest.size(); ++k) rest[k] += tally.masses[s][k];
  }
  const std::string other = tally.secrets.size() == 2 ? tally.secrets[1 - one] : "not " + name;
  return {{other, name}, std::move(tally.values), {std::move(rest), std::move(tally.masses[one])}};
}

Rational rows_of(const RateMasses& tally) {
  Rational sum(0);
  for (const auto& masses : tally.masses)
    for (const Rational& mass : masses) sum += mass;
  return sum;
}

uint64_t read_rows(const RateOptions& options, const RateMasses& tally, bool counted) {
  if (counted) {
    if (!options.rows.empty())
      throw usage("--rows: the table already says how many rows there are", "leave it out");
    return static_cast<uint64_t>(numerator(rows_of(tally)));
  }
  if (options.rows.empty())
    throw usage("--rows is missing: these distributions do not say how many rows there are",
                "for example --rows 1000");
  return read_count(options.rows, "--rows", "rows");
}

// Where each value goes: to another number, or label.
using NewValues = std::vector<int64_t>;

NewValues counted_values(const RateOptions& options, const Scenario& scenario, const RateMasses& tally,
                         RateModel& model) {
  model.labels = split_list(options.count, "--count");
  std::map<std::string, bool> wanted;
  for (const std::string& label : model.labels) wanted[label] = false;
  NewValues places;
  for (int64_t value : tally.values) {
    const auto found = wanted.find(scenario.value_text(value));
    places.push_back(found == wanted.end() ? 0 : 1);
    if (found != wanted.end()) found->second = true;
  }
  for (const auto& [label, seen] : wanted) {
    if (!seen)
      throw usage("--count: the released column has no such value: '" + label + "'",
                  "name values as the table has them");
  }
  return places;
}

NewValues summed_values(const Scenario& scenario, const RateMasses& tally, RateModel& model) {
  const ColumnShape shape = scenario.source ? scenario.source->shape() : ColumnShape{};
  if (shape.is_categorical() || shape.reads.date)
    throw usage(fmt::format("--{}: the released column does not hold numbers", rate_query_name(model.query)),
                "use --count VALUE or --histogram");
  std::vector<Rational> numbers{Rational(0)};
  for (int64_t value : tally.values) numbers.push_back(scenario.lattice.value(value));
  model.lattice = coarsest_lattice(numbers);
  NewValues places;
  for (size_t k = 1; k < numbers.size(); ++k) places.push_back(*model.lattice.index(numbers[k]));
  return places;
}

NewValues histogram_values(const Scenario& scenario, const RateMasses& tally, RateModel& model) {
  NewValues places;
  for (int64_t value : tally.values) {
    model.labels.push_back(scenario.value_text(value));
    places.push_back(static_cast<int64_t>(places.size()));
  }
  return places;
}

// The laws of what each value became.
void fill_laws(const RateMasses& tally, const NewValues& places, RateModel& model) {
  std::map<int64_t, size_t> columns;
  for (int64_t place : places) columns.emplace(place, 0);
  for (auto& [place, column] : columns) {
    column = model.values.size();
    model.values.push_back(place);
  }
  for (const auto& masses : tally.masses) {
    std::vector<Rational> law(model.values.size(), Rational(0));
    for (size_t k = 0; k < places.size(); ++k) law[columns[places[k]]] += masses[k];
    model.laws.push_back(std::move(law));
  }
}

// What is true of the table.
std::vector<int64_t> truth_of(const RateModel& model) {
  std::vector<int64_t> by_value;
  for (size_t k = 0; k < model.values.size(); ++k) {
    Integer rows(0);
    for (const auto& law : model.laws) rows += numerator(law[k]);
    by_value.push_back(static_cast<int64_t>(rows));
  }
  if (model.is_histogram()) return by_value;
  int64_t sum = 0;
  for (size_t k = 0; k < by_value.size(); ++k) sum += by_value[k] * model.values[k];
  return {sum};
}

}  // namespace

void RateOptions::check() const {
  if (int(!count.empty()) + int(sum) + int(mean) + int(histogram) != 1)
    throw usage("say which number to release", kWhatHint);
  if (within.empty())
    throw usage("--within is missing",
                "say how close two rates must be to be hidden from each other: --within 0.05, or all");
  read_share(within);
}

RateInput read_rate(const RateOptions& options, const Scenario& scenario, bool counted) {
  options.check();
  check_scenario(scenario, counted);
  RateMasses tally = tally_of(scenario, counted);
  if (!options.of.empty()) tally = of_one(std::move(tally), options.of, counted);
  RateInput input;
  RateModel& model = input.model;
  model.secrets = tally.secrets;
  model.rows = read_rows(options, tally, counted);
  model.within = rows_within(options.within, model.rows);
  model.query = query_of(options);
  model.estimated = counted;
  if (scenario.source && !scenario.source->published.empty())
    model.column = scenario.source->published.front();
  const NewValues places = model.query == RateQuery::kCount ? counted_values(options, scenario, tally, model)
                           : model.query == RateQuery::kHistogram ? histogram_values(scenario, tally, model)
                                                                  : summed_values(scenario, tally, model);
  fill_laws(tally, places, model);
  check_rate(model, "the rate");
  if (counted) input.truth = truth_of(model);
  return input;
}

}  // namespace fugu::inline in_ask
