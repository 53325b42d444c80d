// What is asked of a released table, in texts, and the answer for each of its columns and groups.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/progress.h"
#include "fugu/count/row_source.h"
#include "fugu/estimate/cross_table.h"
#include "fugu/estimate/estimate.h"

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct EstimateTexts {
  std::string table = {};
  std::string statement = {};            // its file, for whoever reads it
  std::shared_ptr<RowSource> rows = {};  // in place of the table's file, where given
  std::string column = {}, by = {}, confidence = {}, of = {}, support = {}, bin = {}, quantiles = {},
              separator = {};
  std::string cross = {};  // columns that rows which traded places are counted by
  std::string file = {};   // that `rows` come from, where they do and its bytes can be compared
  bool no_header = false;
  bool part = false;  // the table holds some of the release's rows, or all of them written anew
};

struct Estimated {
  PublishedColumn column;
  std::string group;
  EstimateOptions options;
  Estimate estimate;
};

// Of rows that traded places: their counts by one list of columns, or by each released column.
struct CrossTables {
  double confidence = 0.95;
  bool one = false;  // --table asked for it
  std::vector<CrossTable> tables;
};

using EstimateAnswer = std::variant<std::vector<Estimated>, CrossTables>;

// `statement` is a statement or a receipt, which `place` names in messages. Errors of published_from_json(),
// count_released(), cross_table(), check_provenance() and estimate(); Error (usage) for texts that are not
// what they should be, or have no meaning for this release.
EstimateAnswer estimate_table(const EstimateTexts& texts, const Json& statement, const std::string& place,
                              const Progress& progress);

}  // namespace fugu::inline in_ask
