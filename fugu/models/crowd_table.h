// Independent users from tables of probabilities and values (docs/formats.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fugu/models/crowd.h"

namespace fugu::inline in_models {

// One row a user, one column a letter.
struct UserTable {
  std::vector<std::string>
      header;  // empty when the first line is data: its fields are, or look like, numbers
  std::vector<std::vector<Rational>> rows;
  std::vector<uint64_t> lines;  // of each row
};

// Every field is a decimal or a/b; "-" is standard input. Error (data), naming the line and never the field.
UserTable read_user_table(const std::string& path);

// The letters and each user's masses. One column is the probability of the second of two letters, "0" and "1"
// unless `letters` names them; several are one for each letter, named by the header unless `letters` does.
// Error (data): no users; naming the line: a probability below 0, or above 1 in one column; several that do
// not add up to 1, where a sum within a millionth of it and whole counts are divided by their sum. Error
// (usage) where letters are missing, repeated or too many.
struct UserBeliefs {
  std::vector<std::string> letters;
  std::vector<std::vector<Rational>> masses;
};
UserBeliefs beliefs_of(const UserTable& table, const std::vector<std::string>& letters,
                       const std::string& place);

// What each letter adds, a row for each user or one for all: by the names in the table's first line, or in
// the order of the letters. Error (data) where the first line names others.
std::vector<std::vector<Rational>> values_of(const UserTable& table, const std::vector<std::string>& letters,
                                             const std::string& place);

// The crowd whose sum is of `values`: one row for all users, or one for each, one value for each letter; on
// the coarsest lattice that holds them all and 0. Each user is there `copies` times. Error (usage) where
// numbers do not match, Error (data) where the sum spans too many steps, or where no user has two possible
// answers.
Crowd make_crowd(UserBeliefs beliefs, const std::vector<std::vector<Rational>>& values, CrowdPairs pairs,
                 uint64_t copies = 1);

// The least and the greatest sum that the users can have, as lattice indices.
std::pair<int64_t, int64_t> bounds_of(const Crowd& crowd);

}  // namespace fugu::inline in_models
