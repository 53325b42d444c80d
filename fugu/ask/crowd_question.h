// Independent users as people write them, in texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/law/budget.h"
#include "fugu/models/crowd.h"
#include "fugu/models/crowd_table.h"

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct CrowdOptions {
  std::string users = {}, p = {};       // alike, or
  std::string probabilities = {};       // the file of a table, or
  std::optional<UserTable> table = {};  // the table itself
  std::string letters = {}, values = {}, pairs = {}, noise = {};

  // Error (usage) where the users are given twice or not at all, and for what is no number of them or no
  // pairs. Before any reading.
  void check() const;
  // The noises to be looked at, one unless `several`: then with delta Gaussian comes beside Laplace.
  std::vector<std::string> noises(const Budget& budget, bool several) const;
};

// Errors of check(), beliefs_of(), values_of() and make_crowd().
Crowd read_crowd(const CrowdOptions& options);

}  // namespace fugu::inline in_ask
