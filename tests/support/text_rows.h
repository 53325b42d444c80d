// Tables as rows of texts, for tests that change them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace fugu::testing {

// Without their header.
using Rows = std::vector<std::vector<std::string>>;

inline std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for (size_t begin = 0, end; begin <= line.size(); begin = end + 1) {
    end = std::min(line.find(',', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
  }
  return fields;
}

// Behind the header.
inline Rows rows_of(std::istream& in) {
  Rows rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) rows.push_back(fields_of(line));
  return rows;
}

inline std::string csv(const std::vector<std::string>& header, const Rows& rows) {
  std::string text;
  auto add = [&](const std::vector<std::string>& fields) {
    for (size_t k = 0; k < fields.size(); ++k) (text += k == 0 ? "" : ",") += fields[k];
    text += '\n';
  };
  add(header);
  for (const std::vector<std::string>& row : rows) add(row);
  return text;
}

// Numbers without a rhythm, so that rows of one value stand at all distances.
inline uint64_t next(uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

// The secret, a or b, and columns of 10 to 14, or of the letters k to o: b has the higher ones.
inline Rows two_secrets(size_t rows, size_t columns, bool letters = false) {
  uint64_t state = 7;
  Rows table;
  for (size_t k = 0; k < rows; ++k) {
    const bool second = next(state) % 2 == 0;
    table.push_back({second ? "b" : "a"});
    for (size_t c = 0; c < columns; ++c) {
      const uint64_t one = next(state) % 5, other = next(state) % 5;
      const uint64_t value = second ? std::max(one, other) : std::min(one, other);
      table.back().push_back(letters ? std::string(1, "klmno"[value]) : std::to_string(10 + value));
    }
  }
  return table;
}

}  // namespace fugu::testing
