// How far apart two secrets were seen to be: a lower confidence bound of the realised epsilon.
//
// An event is chosen on some draws and counted on others, so that the choice cannot mislead; both its
// chances get certified Clopper-Pearson bounds (law/boxes.h). Where the draws are what they should be,
// the bound exceeds the true epsilon with probability at most twice `tail`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fugu/core/number.h"
#include "fugu/law/budget.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_audit {

// Released values, by column: all of one secret.
using Outputs = std::vector<std::vector<int64_t>>;

// A set of outputs: between two ends in each column, or, of one column, a list.
struct OutputEvent {
  std::vector<std::pair<int64_t, int64_t>> ends = {};
  std::vector<int64_t> list = {};  // increasing; where it is empty the ends decide

  bool holds(const Outputs& outputs, size_t row) const;
  // "the released value is at most 7".
  std::string text(const Scenario& scenario) const;
};

// The event that speaks loudest for the first secret against the second on these draws: by epsilon, or with a
// delta by the hockey-stick, when it will be tested on so many others. Half lines, corners of two columns,
// and the outputs that are likelier by most.
struct TestSizes {
  size_t first = 0, second = 0;
};
OutputEvent loudest_event(const Outputs& first, const Outputs& second, const Budget& budget,
                          const TestSizes& sizes);

struct SeenBound {
  double epsilon = 0;  // with the plan's delta; at least 0
  double delta = 0;    // the hockey-stick at the plan's epsilon; at least 0
};
// On other draws, or on rows that are independent and have the two secrets' laws together. Each of the two
// chances is wrong with probability at most `tail`. Rows that are missing count as what makes the bound
// smaller. Precondition: 0 < tail < 1/4.
struct MissingRows {
  size_t first = 0, second = 0;
};
SeenBound bound_seen(const OutputEvent& event, const Outputs& first, const Outputs& second,
                     const Budget& budget, const Rational& tail, const MissingRows& missing = {});

}  // namespace fugu::inline in_audit
