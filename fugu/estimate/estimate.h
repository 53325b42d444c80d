// What whoever receives a release can say of the true values: their mean, quantiles and shares, with bounds
// that account for the noise (docs/estimate.md).
//
//   Estimate found = estimate(published_from_json(statement, "s.json").front(), released, {});
//
// Everything is linear in the released frequencies: a function g of the released value whose mean, given the
// true value x, is h(x) + b(x), estimates the mean of h. The b is known, so the bounds allow for the worst of
// it; b is 0 where the noise can be undone, and not where undoing it would cost more than b does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/plan/published.h"

namespace fugu::inline in_estimate {

struct EstimateOptions {
  double confidence = 0.95;  // of each bound by itself; between 0 and 1
  // Of the laws behind the rows, in place of the very rows that were released.
  bool population = false;
  std::vector<Rational> levels = {Rational(1, 10), Rational(1, 4), Rational(1, 2), Rational(3, 4),
                                  Rational(9, 10)};  // of the quantiles
  // The least and the greatest true value, lattice indices; where the statement does not say, those released.
  std::optional<std::pair<int64_t, int64_t>> support = {};
  std::optional<int64_t> bin = {};  // steps of a bin of the histogram; chosen when absent
};

struct Bounded {
  double value = 0, low = 0, high = 0;
};

// Of the rows with values `first` … `last`, lattice indices.
struct Share {
  int64_t first = 0, last = 0;
  Bounded share;      // by inverting the noise; the value may be negative
  double likely = 0;  // of the distribution under which the release is likeliest
};

struct Quantile {
  Rational level;
  int64_t value = 0, low = 0, high = 0;  // lattice indices; the value is that of the likeliest distribution
};

struct Estimate {
  uint64_t rows = 0;
  std::optional<Bounded> mean = {};      // of numbers
  std::vector<Quantile> quantiles = {};  // of numbers
  std::vector<Share> shares = {};
  std::vector<std::string> notes = {};
};

// How often each lattice index was released.
using ReleasedCounts = std::map<int64_t, uint64_t>;

// Error (data): no rows, or values that this release cannot have made. Error (usage): too many possible
// values, or a support that the statement does not allow.
Estimate estimate(const PublishedColumn& column, const ReleasedCounts& released,
                  const EstimateOptions& options, const Progress& progress = {});

}  // namespace fugu::inline in_estimate
