// A table's rate as people ask for it, in texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/models/rate.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct RateOptions {
  std::string count = {};  // values of the public column; or
  bool sum = false, mean = false, histogram = false;
  std::string of = {};      // a value of the secret: the rate is that of this value
  std::string within = {};  // a share of the rows, or "all"
  std::string rows = {};    // of laws that are not counts of a table
  std::string method = {};

  // Error (usage) where not one of the four is asked for, and for what is no share or no number of rows.
  // Before any reading.
  void check() const;
};

struct RateInput {
  RateModel model;
  // The table's own numbers, lattice indices: what a release adds noise to. Empty where there is no table.
  std::vector<int64_t> truth = {};
};

// The laws are the scenario's. Where they are a table's counts, `counted`, they say how many rows there are
// and what is true; else --rows does. Errors of check(); Error (usage) for a scenario of several columns or
// beliefs, values that are not there, texts that are to be summed, and a share that is less than one row;
// Error (data) where sums lie on no lattice.
RateInput read_rate(const RateOptions& options, const Scenario& scenario, bool counted);

}  // namespace fugu::inline in_ask
