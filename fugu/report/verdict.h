// What released values are good for, and what not: rules that stand here and nowhere else.
//
// They read facts that are there anyway (plan/row_facts.h, estimate/typical_share.h, or what a statement
// says) and promise nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/estimate/typical_share.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/row_facts.h"

namespace fugu::inline in_report {

struct UseFacts {
  bool as_they_are = false;       // nothing is changed
  bool frequencies_hold = false;  // released frequencies estimate the true ones as they stand
  bool has_numbers = false;
  bool means_hold = false;  // so does the mean of the released values, of every column of numbers
  bool several_columns = false;
  // Columns whose values were made coarser before anything else: bins, ends of a range, steps, rare
  // categories together. Empty where there are none.
  std::string coarser = {};
  // The share of values, of several columns of whole rows, that stay as they are; a public one is a bound.
  double kept = 0;
  bool kept_at_least = false;
  // The change (rms) beside the column's spread, of the column of numbers where it is largest.
  std::optional<double> error = {};
  std::optional<double> share_within = {};  // of a typical share
  // Nothing says how well a share can be estimated: there are too many values, or only the statement is seen.
  bool share_unknown = false;
  std::optional<double> rows = {};  // that are released
};

// Of the owner: from the counts.
UseFacts use_facts(const Scenario& scenario, const Mechanism& mechanism, const RowFacts& rows,
                   const std::optional<TypicalShare>& share, uint64_t released);
// Of a recipient: from what the statement says and from nothing else.
UseFacts public_use_facts(const Plan& plan);

enum class Use {
  kGood,       // as they stand
  kEstimated,  // by fugu estimate
  kMostly,     // of rows: most are as they were, or near
  kUnknown,    // of shares: by fugu estimate, and nobody said how well
  kNot
};

struct Verdict {
  Use shares = Use::kNot;
  std::optional<Use> means = {};  // of numbers
  Use rows = Use::kNot;

  // "Good for shares and means as they stand; not for single rows."
  std::string sentence(const UseFacts& facts) const;
};

// The limits of the rules.
inline constexpr double kMostlyKept = 0.95;  // of the values: rows are mostly as they were
inline constexpr double kNearValues = 0.1;   // of the spread: numbers are near to what they were
inline constexpr double kVagueShare = 0.05;  // five points: a typical share is not known
inline constexpr double kVagueMean = 0.1;    // of the spread: a mean is not known

Verdict verdict_on(const UseFacts& facts);

// For what the values may be used, and for what not; each a sentence. `secret` and `released` are names of
// columns, empty where there are none.
std::vector<std::string> good_uses(const UseFacts& facts);
std::vector<std::string> bad_uses(const UseFacts& facts, const std::string& secret,
                                  const std::string& released);

}  // namespace fugu::inline in_report
