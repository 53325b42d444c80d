// What is said of a budget that a release is counted against.
#pragma once

#include <string>

#include "fugu/ledger/ledger.h"

namespace fugu::cli {

// The time that it is, as the ledger keeps it: "2026-11-15T09:00:00Z".
std::string now();

// "three more like this one fit", "none more like release 4 fits", "1,000 or more …"; `more` is the word in
// between, or empty.
std::string more_words(const More& more, const std::string& word, const std::string& like);

// What is left, or may be spent: four digits, rounded down but for what is nearer than a millionth of the
// last of them.
std::string less_of(double value);

// Of an account in influence: what is spent and what the budget allows.
std::string influence_words(const InfluenceLeft& influence);

// What would become of a release: lines for people.
std::string outlook_text(const Outlook& outlook);

// What is left, for people: lines as fugu release prints them.
std::string spent_text(const Spent& spent);

}  // namespace fugu::cli
