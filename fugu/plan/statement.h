// What may be published of a plan: the guarantee, its assumptions, the law of the noise, how to estimate from
// it.
//
// No counts, no witness, no digest of the input: nothing that depends on the owner's rows but the noise
// itself, the lattice, the names of columns, and what enough people share of categories, ends and values
// (publishable.h).
#pragma once

#include <string>
#include <vector>

#include "fugu/plan/plan.h"
#include "fugu/plan/publishable.h"

namespace fugu::inline in_plan {

// How the assumption begins that a release of new data adds.
inline constexpr const char* kOtherRows = "The rows are others than those that the noise was made from";
// What every release assumes of the order of its rows. Plans of rows that trade places say it themselves.
inline constexpr const char* kOrder =
    "Unless the rows were released in random order, their order is assumed to say nothing of them.";

struct Statement {
  const Plan& plan;
  std::vector<std::string> kept_unprotected =
      {};                              // columns released beside, which the plan says nothing about
  std::vector<std::string> kept = {};  // columns released beside, which the plan was calibrated against
  uint64_t publish_min = kPublishMin;  // 1 for what only the owner sees
  bool drops = false;                  // the release leaves rows out, whether or not the plan does
  bool new_data = false;               // the rows are others than those that were counted

  // Those of the plan, what every release assumes besides, and what this one adds to them.
  std::vector<std::string> assumptions() const;
};

// Errors of check_publishable().
Json statement_to_json(const Statement& statement);

// The same as a paragraph for people, which names no value.
std::string statement_text(const Statement& statement);

}  // namespace fugu::inline in_plan
