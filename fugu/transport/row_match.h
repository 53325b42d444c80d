// Who takes whose place, so that rows become similar rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fugu/transport/row_distance.h"

namespace fugu::inline in_transport {

struct RowAmount {
  uint32_t row;
  uint64_t amount;
};

// `weight` of the row `from` becomes the row `to`.
struct RowFlow {
  uint32_t from, to;
  uint64_t weight;
  friend bool operator==(const RowFlow&, const RowFlow&) = default;
};

// Sends what is on offer to what is wanted, in passes: first to rows that differ in the one column of least
// weight, last to any that is left. Where a number differs, to the nearest. A heuristic, whatever it finds
// has the amounts exactly.
class RowMatch {
 public:
  explicit RowMatch(const std::vector<SimilarColumn>& columns);

  // Precondition: both have the same sum, and no row is in both. Appends the flows.
  void match(std::vector<RowAmount> offered, std::vector<RowAmount> wanted, std::vector<RowFlow>& flows);

 private:
  struct Pass {
    std::vector<uint32_t> differ;  // columns
    double weight;
    bool has_number;
    uint32_t number;  // the column by whose nearness rows are chosen
  };
  struct Group {
    uint64_t key;
    uint32_t row;
    uint32_t place;
  };
  uint64_t key(uint32_t row, const Pass& pass) const;
  void run(const Pass& pass, std::vector<RowAmount>& offered, std::vector<RowAmount>& wanted,
           std::vector<RowFlow>& flows);
  void nearest(const Pass& pass, size_t first, size_t last, size_t first_wanted, size_t last_wanted,
               std::vector<RowAmount>& offered, std::vector<RowAmount>& wanted, std::vector<RowFlow>& flows);

  const std::vector<SimilarColumn>& columns_;
  std::vector<uint64_t> hashes_;  // by row, then column
  std::vector<uint64_t> sum_;     // of a row's hashes
  std::vector<Pass> passes_;
  std::vector<Group> offered_keys_, wanted_keys_;
  std::vector<uint32_t> left_, right_;
  std::vector<uint64_t> filter_;
};

}  // namespace fugu::inline in_transport
