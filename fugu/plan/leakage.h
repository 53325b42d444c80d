// How much a release tells about the secret on the whole, beside the worst case that is promised
// (docs/math.md, section 19).
//
// All of it is about somebody who knows the table's frequencies and sees what is released of one person: how
// often the likeliest secret is the true one, before and after; the mutual information between the secret and
// the release; and the maximal leakage, log sum_y max_s P(y|s), which bounds by how much more often any guess
// of anything that depends on the secret can become right. Bounds, rounded outward. They come from the
// owner's counts: private like the plan.
#pragma once

#include <optional>
#include <string>

#include "fugu/core/json.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_plan {

// A number that lies between these.
struct Within {
  double low = 0, high = 0;
  friend bool operator==(const Within&, const Within&) = default;
};

// The same of a share of people, as exact as it is known.
struct GuessShare {
  Rational low{0}, high{0};
  friend bool operator==(const GuessShare&, const GuessShare&) = default;
};

struct Leakage {
  // What the table itself says, where columns are known within each stratum and on average over the people:
  GuessShare guessed_before;  // the share of people whose secret the best guess hits that sees no value
  GuessShare guessed_true;    // that sees the true value
  GuessShare guessed_after;   // that sees what is released
  Within told;                // mutual information of the secret and the release, bits
  // The worst prior's:
  Within maximal;  // nats, as epsilon is
  std::string maximal_prior;
  Within most_told;
  std::string most_told_prior;
  bool equal_shares = false;  // every secret is taken to be as frequent as every other
  bool estimate = false;      // the counts are a sample, and these are of its own frequencies
  bool bounded = false;       // there is too much to sum over: only upper bounds that are known beforehand
};

// Precondition: the mechanism keeps the scenario's promise.
Leakage leakage_of(const Scenario& scenario, const Mechanism& mechanism);

// {"guessed_before": {"at_least", "at_most"}, …, "equal_shares", "estimate", "bounded"}.
Json leakage_to_json(const Leakage& leakage);

}  // namespace fugu::inline in_plan
