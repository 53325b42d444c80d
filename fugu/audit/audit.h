// Draws from the real sampler through the real release path, and what they say about the promise.
//
// What is guaranteed: where the release is what the plan says, an audit finds nothing with probability at
// least `confidence`: half of the rest is for the bound of epsilon, half for the checks of the rows. What an
// audit does not find may still be there: it is no proof, and the plan's proof does not rest on it.
// docs/audit.md says how small a fault is found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/audit/audited_rows.h"
#include "fugu/audit/odds.h"
#include "fugu/audit/row_checks.h"
#include "fugu/core/json.h"
#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_audit {

struct AuditOptions {
  uint64_t draws = 100'000;        // of each secret of the worst pairs
  Rational confidence{999, 1000};  // between 0 and 1
  size_t pairs = 8;                // how many of the worst pairs
  static constexpr uint64_t kFewest = 100, kMost = 1'000'000;
};

// What was seen of the pair that was told apart best.
struct Seen {
  SeenBound bound;
  std::string prior;
  std::pair<std::string, std::string> pair;
  std::string event;  // in words
};

struct Audit {
  uint64_t rows = 0;  // that were released and looked at
  Rational confidence;
  Budget promise;            // under the priors, as it is proved
  std::optional<Seen> seen;  // nothing where the secrets' laws are not at hand
  std::vector<Check> checks;

  std::vector<std::string> unread = {};  // columns of a released file that nothing was asked of

  bool contradicts() const;  // the bound exceeds the promise
  // What contradicts the plan, in words: what is certain before what is only rare. Nothing where none does.
  std::optional<std::string> finding() const;
  // Whether finding() is about something that no right release has.
  bool is_certain() const;
};

// Errors of release_and_read().
Audit audit(const Plan& plan, const AuditOptions& options, const Progress& progress);
// Numbers of a model, through release_numbers(). Of up to 300 alike users also the bound.
Audit audit(const ModelPlan& plan, const AuditOptions& options, const Progress& progress);

// A released table whose original is at hand, row by row. Error (usage) when the receipt beside it says that
// it was shuffled; Error (data) when the tables have not the same rows; errors of reading.
struct ReleasedFiles {
  std::string released;
  std::string original;
  std::optional<char> separator = {};  // of both
};
Audit audit(const Plan& plan, const ReleasedFiles& files, const AuditOptions& options,
            const Progress& progress);

Json audit_to_json(const Audit& audit);

// The same with another way to release. For tests: no front end names it, and tests/attacks sees to it.
Audit audit_with(const Plan& plan, const AuditOptions& options, const RowReleaser& releaser,
                 const Progress& progress);

}  // namespace fugu::inline in_audit
