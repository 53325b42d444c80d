#include "fugu/audit/trials.h"

#include <algorithm>
#include <cmath>

#include "fugu/law/boxes.h"

namespace fugu::inline in_audit {
namespace {

constexpr Bits kBits = 128;

// A sum of that many doubles is within this factor of the true one: each addition errs by at most 2^-53.
double slack(uint64_t terms) { return 1 + std::ldexp(static_cast<double>(terms) + 2, -52); }

// P(at least `seen` of `rows`) where the chances sum to at most `most`.
double rarity(uint64_t seen, uint64_t rows, double most) {
  if (seen == 0) return 1;
  if (most == 0) return 0;
  const Rational mean = exact(most) / Integer(rows);
  if (Rational(Integer(seen)) < mean * Integer(rows) + 1) return 1;
  return std::min(1.0, binomial_upper_tail(seen, rows, mean, kBits).upper());
}

}  // namespace

Chance chance_of(const Interval& bounds) {
  return {std::clamp(bounds.lower(), 0.0, 1.0), std::clamp(bounds.upper(), 0.0, 1.0)};
}

Chance agreement(const Chance& a, const Chance& b) {
  // Linear in each chance, so the corners suffice; four roundings are below eight units of 2^-53.
  double low = 1, high = 0;
  for (double p : {a.low, a.high}) {
    for (double q : {b.low, b.high}) {
      const double both = p * q + (1 - p) * (1 - q);
      low = std::min(low, both);
      high = std::max(high, both);
    }
  }
  return {std::max(0.0, low - 0x1p-50), std::min(1.0, high + 0x1p-50)};
}

double Trials::rarity_of_many() const { return rarity(seen_, rows_, most_ * slack(rows_)); }

double Trials::rarity_of_few() const {
  // 1 - chance of each row, summed: the difference itself is rounded up by one more unit in the last place.
  const double least = least_ / slack(rows_);
  const auto rows = static_cast<double>(rows_);
  const double most = least == rows ? 0 : std::nextafter(rows - least, rows + 1);
  return rarity(rows_ - seen_, rows_, most);
}

}  // namespace fugu::inline in_audit
