// What a claim promises, for people. Nothing here tells a share of a table's own: the words may be published.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fugu/law/claim.h"

namespace fugu::inline in_law {

// "epsilon 0.5", "epsilon 0.5, delta 1e-05", "epsilon 0.5 in belief", "epsilon 1, of 'HIV' 0.1".
std::string budget_text(const Claim& claim);
// What that means: of one epsilon for the odds as law/budget.h has it; "whoever believes the prior's shares
// of the secrets: a share of 2 % becomes at most 3.3 %". Who believes otherwise is not covered, and is not
// meant.
std::string in_words(const Claim& claim);

// The percentage that e^epsilon times `percent` is, rounded up, at most 100; or e^-epsilon times, rounded
// down.
std::string surer_percent(const Rational& percent, const Epsilon& epsilon);
std::string less_sure_percent(const Rational& percent, const Epsilon& epsilon);

// Secrets of which the promise in belief says nothing under some prior, in quotes: "'a' and 'b'". Empty where
// there are none.
std::string void_words(const Claim& claim);

// The secrets whose labels any of these words tell (plan/publishable.h asks how many people have them).
std::set<uint32_t> named_secrets(const Claim& claim);

// What a promise in belief, or budgets of their own, take for granted and leave open; none of one epsilon for
// the odds.
std::vector<std::string> promise_sentences(const Claim& claim);

}  // namespace fugu::inline in_law
