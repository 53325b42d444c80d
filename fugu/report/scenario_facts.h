// What there is to know about a scenario before any noise: its size and its distances, and which secrets
// cause them.
#pragma once

#include <optional>
#include <string>

#include "fugu/core/json.h"
#include "fugu/count/table_model.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_report {

// A distance in data units, the first pair that attains it, and under which prior.
struct WidestPair {
  Rational distance{0};
  std::string prior;
  std::pair<std::string, std::string> pair;
};

struct ScenarioFacts {
  size_t secrets = 0;
  size_t values = 0;  // that have mass under some secret and prior
  size_t pairs = 0;
  size_t priors = 0;
  WidestPair w_inf;  // not of several columns: there it takes long
  WidestPair range;
};

// Costs a few sweeps over all atoms for all pairs, one merge for each pair of a list.
ScenarioFacts facts_of(const Scenario& scenario);

// Some lines for the owner: they name small groups. With the rows where the scenario was counted from a
// table.
std::string facts_text(const Scenario& scenario, const ScenarioFacts& facts,
                       const std::optional<TableCounts>& rows);

// The same without distances: what was read, what is hidden in what, and whose beliefs are covered.
std::string asked_text(const Scenario& scenario, const std::optional<TableCounts>& rows);

// The members "rows" and "dropped" (of a table), "secrets", "values", "pairs", "priors", "w_inf", "range"; of
// several columns "weights" in place of "w_inf";
// with given or known columns "given" or "known", "min_group", "merged" and "left_out"; "closeness" where
// there is one.
Json facts_to_json(const Scenario& scenario, const ScenarioFacts& facts,
                   const std::optional<TableCounts>& rows);

// "race in occupation", "column 9 in column 7": what is hidden in what; empty where the scenario does not
// say.
std::string columns_words(const Scenario& scenario);

// One sentence: what the numbers take as the truth.
std::string truth_sentence(const Scenario& scenario, bool from_table);

// Whether results of some column are set to the ends of its range: errors are those of what is drawn, and
// this makes them smaller; and the sentence that says so, empty where nothing is.
bool clamps_some(const Scenario& scenario);
std::string clamped_sentence(const Scenario& scenario);

}  // namespace fugu::inline in_report
