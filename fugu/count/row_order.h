// The rows of a table in their order, each by a number for its texts: a release of the same rows reads none
// of them once more.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
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
    size_t bytes() const { return narrow.size() + 2 * wide.size(); }
    // As narrow as they can be. Precondition: all are below kMostNumbers.
    void put(std::span<const uint32_t> numbers) {
      const bool all = std::ranges::all_of(numbers, [](uint32_t number) { return number < 256; });
      if (all) {
        narrow.assign(numbers.begin(), numbers.end());
      } else {
        wide.assign(numbers.begin(), numbers.end());
      }
    }
  };

  std::vector<Part> parts = {};                   // of the first chunks, as many as were to be remembered
  std::vector<std::vector<uint32_t>> known = {};  // by counter and number: which of the distinct rows
  size_t chunk_size = 0;
  bool whole = false;  // there are no more chunks
};

// How many bytes are left for the order of the rows, for all threads.
class OrderRoom {
 public:
  explicit OrderRoom(size_t bytes) : left_(static_cast<int64_t>(bytes)) {}
  bool is_empty() const { return left_.load(std::memory_order_relaxed) <= 0; }
  // Whether so many are there; where they are not, nothing is from now on.
  bool take(size_t bytes) {
    const auto size = static_cast<int64_t>(bytes);
    if (left_.fetch_sub(size, std::memory_order_relaxed) >= size) return true;
    left_.store(INT64_MIN / 2, std::memory_order_relaxed);
    return false;
  }

 private:
  std::atomic<int64_t> left_;
};

}  // namespace fugu::inline in_count
