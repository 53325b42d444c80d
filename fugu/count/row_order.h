// The rows of a table in their order, each by a number for its texts: a release of the same rows reads none
// of them once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fugu::inline in_count {

struct RowOrder {
  static constexpr size_t kMostNumbers = size_t{1} << 16;  // of each counter

  // The rows of one chunk of the table.
  struct Part {
    size_t counter = 0;                // whose numbers these are
    std::vector<uint8_t> narrow = {};  // where all are below 256; else
    std::vector<uint16_t> wide = {};
    uint64_t lines = 0;
    uint64_t end = 0;       // where the next chunk begins: bytes from the table's beginning
    bool ends_line = true;  // its last row has a line end

    size_t rows() const { return narrow.size() + wide.size(); }
  };

  std::vector<Part> parts = {};                   // of the first chunks, as many as were to be remembered
  std::vector<std::vector<uint32_t>> known = {};  // by counter and number: which of the distinct rows
  size_t chunk_size = 0;
  bool whole = false;  // there are no more chunks
};

}  // namespace fugu::inline in_count
