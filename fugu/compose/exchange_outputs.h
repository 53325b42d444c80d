// What exchanging one value for another does to every output of a mechanism, in doubles.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fugu/proof/kernel.h"

namespace fugu::inline in_compose {

// For each output, or each set of outputs with one loss: its mass under the first value, from above, and
// under the second, from below.
struct ExchangedMasses {
  std::vector<double> p = {}, q = {};
};

class ExchangeOutputs {
 public:
  // `farthest` is the largest |to - from| that will be asked about. Absent where the table would be too long.
  // Precondition: noise on one column, or a channel.
  static std::optional<ExchangeOutputs> of(const Mechanism& mechanism, int64_t farthest, Bits precision);

  // Exchanges with the same key have the same masses: of noise the shift decides, of symmetric noise its
  // size.
  using Key = std::pair<int64_t, int64_t>;
  Key key(int64_t from, int64_t to) const;

  // Of how many outputs the masses would be.
  int64_t count(const Key& key) const;
  // A channel that has no row for one of the values tells everything of it.
  ExchangedMasses of(const Key& key) const;

 private:
  struct NoiseMasses {
    int64_t reach = 0, half = 0;         // of the table of weights, and of those below
    std::vector<double> high, low;       // of -half … half
    double rest_high = 0, rest_low = 0;  // the sum of all that follows a weight of the tail, over it
    bool symmetric = false;
  };
  ExchangedMasses of_shift(int64_t shift) const;

  NoiseMasses noise_ = {};
  ChannelBounds channel_ = {};
  bool is_noise_ = false;
};

}  // namespace fugu::inline in_compose
