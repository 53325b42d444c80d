// Which secrets must not be told apart: all pairs, or a list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/core/error.h"

namespace fugu::inline in_law {

using SecretPair = std::pair<uint32_t, uint32_t>;  // indices into the scenario's secrets, first < second

class PairSet {
 public:
  static PairSet all() { return PairSet(true, {}); }
  // Orders each pair, sorts, removes repetitions. Precondition: not empty, no secret paired with itself.
  static PairSet of(std::vector<SecretPair> pairs);
  // Adjacent secrets in the given order.
  static PairSet neighbours(size_t secrets);

  // Reads `all`, `neighbours`, or `A:B,…` where either side may be `*` (every other secret).
  // A label holding `:` or `,` is quoted as in CSV. Error (usage) for unknown secrets and for empty pairs.
  static PairSet parse(std::string_view text, const std::vector<std::string>& secrets);

  bool is_all() const { return all_; }
  size_t size(size_t secrets) const { return all_ ? secrets * (secrets - 1) / 2 : list_.size(); }
  // The pairs of a scenario with that many secrets, in order.
  std::vector<SecretPair> list(size_t secrets) const;

  friend bool operator==(const PairSet&, const PairSet&) = default;

 private:
  PairSet(bool all, std::vector<SecretPair> list) : all_(all), list_(std::move(list)) {}

  bool all_;
  std::vector<SecretPair> list_;
};

}  // namespace fugu::inline in_law
