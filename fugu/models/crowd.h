// V independent users and a sum over them: X = f_1(S_1) + … + f_V(S_V) (docs/math.md, section 12, Lemma 2).
//
// Each user's secret is one letter of a small alphabet, drawn by the user's own probabilities. The count of
// those who say "1" is the alphabet 0, 1 with the values 0 and 1. What is hidden is any one user's letter:
// from every other letter, and from the user's absence (a letter drawn by the user's own law).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/number.h"

namespace fugu::inline in_models {

// Users who are alike. Invariants: as many masses and values as the crowd has letters; no mass is negative
// and not all are zero; copies >= 1. A letter of mass 0 is no secret of these users.
struct CrowdUsers {
  std::vector<Rational> masses;  // P(S_i = letter), up to their sum
  std::vector<int64_t> values;   // f_i(letter), lattice indices
  uint64_t copies = 1;
  friend bool operator==(const CrowdUsers&, const CrowdUsers&) = default;
};

// Which two things about a user must not be told apart.
enum class CrowdPairs { kBoth, kValues, kAbsent };
// "both", "values" (letter and letter), "absent" (letter and absence).
std::string_view crowd_pairs_name(CrowdPairs pairs);

// Invariants: two letters at least, all different and none kAbsentLetter; some users; no two entries of users
// are alike but for their copies; the sums of values stay within kMaxSpan steps.
struct Crowd {
  std::vector<std::string> letters;
  Lattice lattice{};
  CrowdPairs pairs = CrowdPairs::kBoth;
  std::vector<CrowdUsers> users;
  friend bool operator==(const Crowd&, const Crowd&) = default;

  uint64_t size() const;       // how many users
  uint64_t uncertain() const;  // of these, who may say more than one letter
};
inline constexpr const char* kAbsentLetter = "absent";

// The same users in the order of their first appearance, each kind once: what every maker of a crowd ends
// with.
std::vector<CrowdUsers> gather(std::vector<CrowdUsers> users);

// The plan's "model", with "kind": "users".
Json crowd_to_json(const Crowd& crowd);
// Error (data) with `place` where an invariant does not hold.
Crowd crowd_from_json(const Json& json, const std::string& place);

// What the model takes for granted, in words that may be published.
std::vector<std::string> assumptions_of(const Crowd& crowd);

}  // namespace fugu::inline in_models
