// What a plan leaks, in words.
#pragma once

#include <string>

#include "fugu/plan/leakage.h"

namespace fugu::inline in_report {

// One sentence without a full stop, of private numbers.
std::string leakage_words(const Scenario& scenario, const Leakage& leakage);

// What somebody knows who guesses like that: "how often everything occurs".
std::string guesser_words(const Scenario& scenario, const Leakage& leakage);

// What epsilon alone says, which may be published; empty where it says nothing: with delta, or where only
// listed pairs are protected.
std::string public_leakage_words(const Scenario& scenario);

}  // namespace fugu::inline in_report
