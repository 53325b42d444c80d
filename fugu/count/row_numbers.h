// How many rows of a person are released, where it may be several: as many as enough people with each secret
// have, because how many there are is known to everybody, and each number is a prior of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fugu::inline in_count {

struct NumbersOfRows {
  std::vector<uint64_t> released = {};  // increasing
  std::vector<uint64_t> lowered = {};   // that too few people have: these people have the next lower one
  std::vector<uint64_t> left_out = {};  // for which there is no lower one: these people are left out
};

// `people` by number of rows, of at most as many as are asked for, and secret. Error (usage) where not even
// one number is released, or only 1.
NumbersOfRows numbers_of_rows(std::map<uint64_t, std::map<std::string, uint64_t>> people, uint64_t least);

}  // namespace fugu::inline in_count
