// The scenario of a table: the published column's counts for each secret (docs/math.md, section 0).
//
// The first prior, "empirical", is the whole table: the adversary knows its frequencies. With given columns
// each group of people who agree in them is one more prior (section 9). With known columns there is a prior
// for each stratum of people who agree in these, and none of the whole table (section 16). Assumes nothing
// else about the rows.
//
// Several published columns are one joint value (section 11).
//
//   TableQuestion question{.table = {.path = "people.csv", .secret = {"race"}, .published = {"job"}},
//                          .epsilon = epsilon};
//   Scenario scenario = scenario_from_table(question, progress);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/published_values.h"
#include "fugu/count/table_count.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_count {

inline constexpr uint64_t kMinGroup = 20;

struct TableQuestion {
  TableColumns table = {};
  std::shared_ptr<RowSource> rows = {};        // counted in place of the table's file, where given
  std::vector<std::string> secret_order = {};  // of the secrets; sorted by bytes when empty
  std::vector<Shaping> shaping = {};   // of each published column, in their order; none for those at the end
  Shaping common = {};                 // of all whose values it suits
  std::vector<Rational> weights = {};  // of several columns; by their spread when empty
  Epsilon epsilon;
  Delta delta = {};
  std::string pairs = "all";
  Promise promised = Promise::kOdds;
  std::string budgets = {};        // as parse_own_budgets reads them
  std::string shares = {};         // as parse_shares reads them
  uint64_t min_group = kMinGroup;  // people with each secret that a group needs to be a prior of its own
  Rational closeness{0};
  std::optional<Rational> confidence = {};  // as Scenario has it; small groups are then left out, not merged
  std::vector<std::string> also = {};  // further beliefs (scenario/further_priors.h), as people ask for them
};

struct TableCounts {
  uint64_t rows = 0;     // read
  uint64_t dropped = 0;  // of these, left out because a field is missing
  uint64_t people =
      0;  // of whom one row each was counted, or for whom the rows stand; 0 where rows are people
  bool stand_for = false;  // the latter
  uint64_t outside = 0;    // counted rows of small strata, which the plan leaves out
};

// What the shaping of one column changed, and the scenario without it: absent where the values as they are
// lie on no lattice.
struct BeforeShaping {
  ShapingEffect effect = {};  // without steps where nothing was shaped
  std::optional<Scenario> unshaped = {};
};

// Errors of count_table and place_published. Error (data): fewer than two secrets. Error (usage): a secret
// order that repeats a secret, lacks one, or names one that no row has; pairs that name an unknown secret;
// given or known columns of which no group is large enough; both of them; known columns where rows are left
// out (Missing::kDrop); what is no belief, comes twice, or says nothing new; of several columns an order, a
// shaping, and weights or steps that are not one for each.
Scenario scenario_from_table(const TableQuestion& question, const Progress& progress,
                             TableCounts* counts = nullptr, BeforeShaping* before = nullptr);

}  // namespace fugu::inline in_count
