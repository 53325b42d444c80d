// What may be published of a plan: the guarantee, its assumptions, the law of the noise, how to estimate from
// it.
//
// No counts, no witness, no digest of the input: nothing that depends on the owner's rows but the noise
// itself, the lattice and the names of columns and categories.
#pragma once

#include <string>
#include <vector>

#include "fugu/plan/plan.h"

namespace fugu {

struct Statement {
  const Plan& plan;
  std::vector<std::string> kept_unprotected =
      {};                              // columns released beside, which the plan says nothing about
  std::vector<std::string> kept = {};  // columns released beside, which the plan was calibrated against
  bool drops = false;  // the release leaves rows out, whether or not the plan does

  // Those of the plan, and what the release adds to them.
  std::vector<std::string> assumptions() const;
};

Json statement_to_json(const Statement& statement);

// The same as a paragraph for people.
std::string statement_text(const Statement& statement);

}  // namespace fugu
