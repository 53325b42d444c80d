// Changes JSON as JSON, so that what a reader makes of it is fuzzed, and not only its syntax. All follows
// from libFuzzer's seed: the same input and seed give the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fugu/core/json.h"

namespace fugu::fuzz {

// What a format has a meaning for.
struct JsonWords {
  std::vector<std::string> keys, texts;
};
// Those of schemas in docs/schema: the members that there may be, and the texts of which one must stand.
JsonWords words_of_schemas(const std::vector<std::string>& names);

// Puts right what would hide the change, such as a digest.
using Mend = std::function<Json(Json)>;

// A few small changes: members and items dropped, doubled, swapped and renamed, parts copied over others,
// numbers at the edges of what can be read. One time in eight bytes are changed instead, and so they are
// where the input is no JSON. What is mended is half of the time mended.
size_t mutate_json(uint8_t* data, size_t size, size_t most, unsigned seed, const JsonWords& words,
                   const Mend& mend = {});

// The first input with a part of the second in place of one of its own; 0 where either is no JSON.
size_t cross_json(const uint8_t* data, size_t size, const uint8_t* other, size_t other_size, uint8_t* out,
                  size_t most, unsigned seed, const Mend& mend = {});

}  // namespace fugu::fuzz
