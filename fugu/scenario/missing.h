// What a missing field (empty, or named as missing) means to a row.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fugu::inline in_scenario {

enum class Missing { kError, kDrop, kKeep };

// "error", "drop", "keep": as flags and files write it, and back; nullopt for any other word.
std::string word_of(Missing missing);
std::optional<Missing> missing_named(std::string_view word);

}  // namespace fugu::inline in_scenario
