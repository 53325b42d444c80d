#include "fugu/report/scenario_facts.h"

#include <fmt/format.h>

#include <functional>
#include <span>

#include "fugu/core/json_read.h"
#include "fugu/show/wording.h"
#include "fugu/transport/bottleneck.h"
#include "fugu/transport/distances.h"

namespace fugu::inline in_report {
namespace {

using Distances = std::function<int64_t(std::span<const Distribution>, const PairSet&)>;

// The first pair whose distance is `largest`. Over all pairs: the shortest prefix of secrets that attains it,
// found by bisection, ends with one of the two; the other is searched for before it.
SecretPair attaining_pair(std::span<const Distribution> given, const PairSet& pairs,
                          const Distances& distance, int64_t largest) {
  auto attains = [&](uint32_t first, uint32_t second) {
    return distance(given, PairSet::of({{first, second}})) == largest;
  };
  if (!pairs.is_all()) {
    for (auto [first, second] : pairs.list(given.size())) {
      if (attains(first, second)) return {first, second};
    }
  }
  size_t low = 2, high = given.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (distance(given.first(middle), PairSet::all()) == largest) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const auto second = static_cast<uint32_t>(low - 1);
  uint32_t first = 0;
  while (first + 1 < second && !attains(first, second)) ++first;
  return {first, second};
}

WidestPair widest(const Scenario& scenario, const Distances& distance) {
  int64_t largest = -1;
  const Prior* worst = nullptr;
  for (const Prior& prior : scenario.priors) {
    const int64_t steps = distance(prior.by_secret, scenario.pairs);
    if (steps > largest) {
      largest = steps;
      worst = &prior;
    }
  }
  const auto [first, second] = attaining_pair(worst->by_secret, scenario.pairs, distance, largest);
  return {Rational(scenario.lattice.step * largest),
          worst->name,
          {scenario.secrets[first], scenario.secrets[second]}};
}

size_t count_values(const Scenario& scenario) {
  std::vector<Distribution> all;
  for (const Prior& prior : scenario.priors)
    all.insert(all.end(), prior.by_secret.begin(), prior.by_secret.end());
  return union_support(all).size();
}

std::string pair_words(const ScenarioFacts& facts, const WidestPair& widest) {
  return fmt::format("{} and {}{}", printable(widest.pair.first), printable(widest.pair.second),
                     facts.priors > 1 ? fmt::format(" (prior {})", printable(widest.prior)) : "");
}

std::string column_names(const std::vector<std::string>& columns) {
  std::string out;
  for (const std::string& column : columns) {
    const bool number = column.find_first_not_of("0123456789") == std::string::npos;
    out += (out.empty() ? "" : " & ") + (number ? "column " + column : printable(column));
  }
  return out;
}

// What was added to the beliefs: groups of the given columns, with those that are no priors, and closeness.
std::string beliefs_text(const Scenario& scenario) {
  std::string out;
  auto line = [&](const std::string& text) { out += wrapped(text, kTextWidth, 2) + "\n"; };
  if (scenario.source && !scenario.source->grouping().empty()) {
    const Source& source = *scenario.source;
    const bool strata = source.has_strata();
    line(fmt::format("{} {}: one prior for each group with {} or more people with each secret{}.",
                     strata ? "Known" : "Given", column_names(source.grouping()), grouped(source.min_group),
                     strata ? ", and none for the whole table; written unchanged" : ""));
    auto list = [&](const std::vector<std::string>& groups, const std::string& what) {
      if (groups.empty()) return;
      line(fmt::format("{} with fewer: {}", counted(groups.size(), "group"),
                       printable(fmt::format("{}: {}.", what, fmt::join(groups, "; ")))));
    };
    list(source.merged,
         strata
             ? "merged into the group (other), and released without the known columns; somebody who knows "
               "which one a person is in is not covered"
             : "merged into the prior (other); somebody who knows which one a person is in is not covered");
    list(source.left_out, strata ? "left out; their rows are not released"
                                 : "left out; somebody who knows that a person is in one is not covered");
  }
  if (scenario.rows_per_person() > 1) {
    const Source& source = *scenario.source;
    line(
        fmt::format("Several rows per person: one prior for each number of rows that {} or more people with "
                    "each secret have.",
                    grouped(source.min_group)));
    if (!source.merged.empty())
      line(fmt::format("Fewer have {}: fewer of their rows are released.", fmt::join(source.merged, ", ")));
    if (!source.left_out.empty())
      line(fmt::format("Fewer have {}: they are left out.", fmt::join(source.left_out, ", ")));
  }
  if (scenario.closeness) {
    line(fmt::format("Beliefs within a factor e^{} of a prior are covered too.",
                     short_text(scenario.lambda())));
  }
  return out;
}

}  // namespace

std::string columns_words(const Scenario& scenario) {
  if (!scenario.source || scenario.source->secret.empty() || scenario.source->published.empty()) return {};
  return column_names(scenario.source->secret) + " in " + column_names(scenario.source->published);
}

ScenarioFacts facts_of(const Scenario& scenario) {
  ScenarioFacts facts;
  facts.secrets = scenario.secrets.size();
  facts.values = count_values(scenario);
  facts.pairs = scenario.pair_count();
  facts.priors = scenario.priors.size();
  if (scenario.is_joint()) {
    const JointRange range = widest_joint_range(scenario);
    facts.range = {range.distance,
                   scenario.priors[range.prior].name,
                   {scenario.secrets[range.pair.first], scenario.secrets[range.pair.second]}};
    return facts;
  }
  facts.w_inf =
      widest(scenario, [](auto given, const PairSet& pairs) { return largest_w_inf(given, pairs); });
  facts.range =
      widest(scenario, [](auto given, const PairSet& pairs) { return largest_range(given, pairs); });
  return facts;
}

namespace {

std::string asked_words(const Scenario& scenario, const ScenarioFacts& facts,
                        const std::optional<TableCounts>& rows) {
  std::string out;
  if (rows) {
    out += fmt::format(
        "Read {}{}{}{}.\n", counted(rows->rows, "row"),
        rows->dropped > 0 ? fmt::format(", dropped {} with a missing field", grouped(rows->dropped)) : "",
        rows->outside > 0 ? fmt::format(", left out {} of groups that are too small", grouped(rows->outside))
                          : "",
        rows->people == 0 ? ""
        : rows->stand_for ? fmt::format(", which stand for {} people", grouped(rows->people))
        : scenario.rows_per_person() > 1
            ? fmt::format(", drew up to {} of each of {} people", scenario.rows_per_person(),
                          grouped(rows->people))
            : fmt::format(", drew one of each of {} people", grouped(rows->people)));
  }
  if (const std::string columns = columns_words(scenario); !columns.empty())
    out += fmt::format("Hides {}: ", columns);
  out += fmt::format("{}, {}, {}", counted(facts.secrets, "secret"), counted(facts.values, "value"),
                     counted(facts.pairs, "pair"));
  out += facts.priors > 1 ? fmt::format(", {}.\n", counted(facts.priors, "prior")) : ".\n";
  out += beliefs_text(scenario);
  return out;
}

}  // namespace

std::string asked_text(const Scenario& scenario, const std::optional<TableCounts>& rows) {
  ScenarioFacts facts;
  facts.secrets = scenario.secrets.size();
  facts.values = count_values(scenario);
  facts.pairs = scenario.pair_count();
  facts.priors = scenario.priors.size();
  return asked_words(scenario, facts, rows);
}

std::string facts_text(const Scenario& scenario, const ScenarioFacts& facts,
                       const std::optional<TableCounts>& rows) {
  std::string out = asked_words(scenario, facts, rows);
  if (scenario.released_columns() > 1) {
    std::vector<std::string> weights;
    for (size_t c = 0; c < scenario.released_columns(); ++c)
      weights.push_back(short_text(scenario.axes[c].weight));
    out += fmt::format("Several columns: scale and distances are in units of their weights, {}.\n",
                       fmt::join(weights, " and "));
    return out + fmt::format("Farthest that two values lie apart (range): {}, between {}.\n",
                             for_people(round_up(facts.range.distance)), pair_words(facts, facts.range));
  }
  if (!scenario.is_joint()) {
    out += fmt::format("Farthest that mass must move (W_inf): {}, between {}.\n",
                       to_text(facts.w_inf.distance), pair_words(facts, facts.w_inf));
  }
  out += fmt::format("Farthest that two {} lie apart (range): {}, between {}.\n",
                     scenario.is_joint() ? "people's rows" : "values", to_text(facts.range.distance),
                     pair_words(facts, facts.range));
  return out;
}

Json facts_to_json(const Scenario& scenario, const ScenarioFacts& facts,
                   const std::optional<TableCounts>& rows) {
  auto count = [](uint64_t value) { return Json::number(static_cast<long long>(value)); };
  auto distance = [](const WidestPair& widest) {
    Json json = Json::object();
    json.add("distance", number_to_json(widest.distance));
    json.add("prior", Json::string(widest.prior));
    json.add("pair", Json::strings({widest.pair.first, widest.pair.second}));
    return json;
  };
  Json json = Json::object();
  if (rows) {
    json.add("rows", count(rows->rows));
    json.add("dropped", count(rows->dropped));
    if (rows->outside > 0) json.add("outside", count(rows->outside));
    if (rows->people > 0) json.add("people", count(rows->people));
  }
  json.add("secrets", count(facts.secrets));
  json.add("values", count(facts.values));
  json.add("pairs", count(facts.pairs));
  json.add("priors", count(facts.priors));
  if (scenario.is_joint()) {
    Json weights = Json::array();
    for (size_t c = 0; c < scenario.released_columns(); ++c)
      weights.if_array()->push_back(number_to_json(scenario.axes[c].weight));
    json.add("weights", std::move(weights));
  } else {
    json.add("w_inf", distance(facts.w_inf));
  }
  json.add("range", distance(facts.range));
  if (scenario.source && !scenario.source->grouping().empty()) {
    const bool strata = scenario.source->has_strata();
    json.add(strata ? "known" : "given", Json::strings(scenario.source->grouping()));
    json.add("min_group", count(scenario.source->min_group));
    json.add("merged", Json::strings(scenario.source->merged));
    json.add("left_out", Json::strings(scenario.source->left_out));
  }
  if (scenario.closeness) json.add("closeness", number_to_json(scenario.lambda()));
  return json;
}

std::string truth_sentence(const Scenario& scenario, bool from_table) {
  if (scenario.confidence) {
    return fmt::format(
        "At {} % the promise holds for every distribution that the counts allow; the other columns take the "
        "counts as the truth.",
        to_text(100 * *scenario.confidence));
  }
  if (scenario.sampling.kind == Sampling::Kind::kCensus && scenario.priors.size() == 1)
    return "The table is the whole population: its frequencies are the truth about who has which value.";
  if (from_table && scenario.priors.size() > 1)
    return "One of the priors, the table's own frequencies or what was added, is taken as the truth.";
  if (from_table) return "The table's frequencies are taken as the truth about who has which value.";
  return scenario.priors.size() > 1 ? "One of the scenario's priors is taken as the truth."
                                    : "The scenario's masses are taken as the truth.";
}

bool clamps_some(const Scenario& scenario) {
  if (!scenario.is_joint()) return scenario.clamps();
  for (size_t c = 0; c < scenario.released_columns(); ++c) {
    if (scenario.column(c).clamps()) return true;
  }
  return false;
}

std::string clamped_sentence(const Scenario& scenario) {
  if (!clamps_some(scenario)) return "";
  return "Errors are those of the drawn noise. Results beyond the range are then clamped to it, which makes\n"
         "the errors smaller for every value within it: wide noise looks worse here than its release is.";
}

}  // namespace fugu::inline in_report
