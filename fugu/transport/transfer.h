// The transfer bound on a line: how much likelier one secret than another can make any outputs of any
// releases of one value, from what it keeps to exchange neighbouring values (docs/math.md, section 17).
//
// Let every output be at most 1/kept times as likely under a value as under its neighbour, for all releases
// together. Then no set of outputs is more than lambda times as likely under the law p as under q, and lambda
// is the least such number that these exchanges allow. It asks nothing of how a release was calibrated, and
// holds where each was chosen after seeing the outputs of those before.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/progress.h"
#include "fugu/law/boxes.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_transport {

// p and q over the same values in their order; what the exchange of a value for the next keeps, above 0.
template <class Number>
struct TransferLine {
  std::vector<Number> first, second;  // p, q
  std::vector<Number> kept;           // one less
};

template <class Number>
bool is_positive(const Number& number) {
  return number > 0;
}
inline bool is_positive(const Interval& number) { return number.certainly_positive(); }

// max(h / kept, h kept): what an excess weighs one value further on.
template <class Number>
Number carried_on(const Number& excess, const Number& kept) {
  return excess > 0 ? Number(excess / kept) : Number(excess * kept);
}
inline Interval carried_on(const Interval& excess, const Interval& kept) {
  if (excess.certainly_not_positive()) return excess * kept;
  if (excess.certainly_positive()) return excess / kept;
  return hull(excess * kept, positive_part(excess) / kept);
}

// Where it is not positive, `growth` is at least lambda; and only there. In intervals: for every member.
template <class Number>
Number transfer_excess(const TransferLine<Number>& line, const Number& growth) {
  Number excess = line.first[0] - growth * line.second[0];
  for (size_t k = 0; k < line.kept.size(); ++k) {
    excess = carried_on(excess, line.kept[k]);
    excess += line.first[k + 1] - growth * line.second[k + 1];
  }
  return excess;
}

// Of a function g that changes by 1/kept at each step, as much as it may: whether it falls there.
using Slopes = std::vector<bool>;

// The slopes that put the excess at `growth` where transfer_excess() finds it.
template <class Number>
Slopes steepest_slopes(const TransferLine<Number>& line, const Number& growth) {
  Slopes falls;
  Number excess = line.first[0] - growth * line.second[0];
  for (size_t k = 0; k < line.kept.size(); ++k) {
    falls.push_back(is_positive(excess));
    excess = carried_on(excess, line.kept[k]);
    excess += line.first[k + 1] - growth * line.second[k + 1];
  }
  return falls;
}

// E_p g / E_q g: never above lambda. Precondition: q has mass.
template <class Number>
Number transfer_of(const TransferLine<Number>& line, const Slopes& falls) {
  const size_t last = line.kept.size();
  Number g = line.kept.empty() ? line.first[0] : line.kept[0];
  g = g / g;  // one
  Number above = line.first[last] * g, below = line.second[last] * g;
  for (size_t k = last; k-- > 0;) {
    if (falls[k]) {
      g /= line.kept[k];
    } else {
      g *= line.kept[k];
    }
    above += line.first[k] * g;
    below += line.second[k] * g;
  }
  return above / below;
}

// The same for every law whose masses up to each value lie within a band: ends of both laws' bands at every
// value but the last. Where it is not positive, `growth` is enough for any two of them.
template <class Number>
struct BandLine {
  std::vector<Number> first_high, first_low, second_high, second_low;
  std::vector<Number> kept;
};

template <class Number>
Number larger(const Number& a, const Number& b) {
  return a < b ? b : a;
}
inline Interval larger(const Interval& a, const Interval& b) {
  if (certainly_less(a, b)) return b;
  return certainly_less(b, a) ? a : hull(a, b);
}

template <class Number>
Number band_excess(const BandLine<Number>& line, const Number& growth, const Number& one) {
  Number excess = one - one;
  for (size_t k = 0; k < line.kept.size(); ++k) {
    const Number cost = one / line.kept[k];
    const Number falls = (cost - one) * (line.first_high[k] - growth * line.second_low[k]);
    const Number rises = (one - line.kept[k]) * (line.first_low[k] - growth * line.second_high[k]);
    excess = larger(Number(excess * cost + falls), Number(excess * line.kept[k] - rises));
  }
  return excess + (one - growth);
}

// lambda itself, by Newton's steps from 1: exact. Preconditions: q has mass, and p has as much at least.
Rational least_transfer(const TransferLine<Rational>& line);

// The most values that are gone through for all pairs, both ways: some seconds.
inline constexpr double kMostTransferWork = 8e6;

// The lines of every prior and pair of a question, both ways; with a confidence those of every law that the
// counts allow, which are bounded by the most of one and the least of the other, or by the range.
class LineTransfer {
 public:
  // Precondition: one column. Errors of boxes_of() with a confidence.
  explicit LineTransfer(const Scenario& scenario);

  // Values gone through for all pairs.
  double work() const { return work_; }

  // Whether lambda is at most `growth` everywhere, where the exchange of values one step apart keeps `ratio`;
  // absent where these digits do not tell. Precondition: the ratio is positive.
  std::optional<bool> holds(const Interval& ratio, const Interval& growth,
                            const Progress& progress = {}) const;

  // An upper bound of log lambda, the largest of all, with these digits; absent where none is found. What is
  // at most `hoped` is not written as more. Precondition: the ratio is positive.
  std::optional<Interval> bound(const Interval& ratio, const Rational& hoped) const;

  // One line: a prior, and the secrets whose laws are p and q.
  struct Place {
    size_t prior, first, second;
  };
  std::vector<Place> places() const;
  std::optional<bool> holds(const Place& place, const Interval& ratio, const Interval& growth) const;
  // log lambda in doubles, to guess with; `log_ratio` is that of one step, below 0.
  double guess(const Place& place, double log_ratio) const;
  // Whether doubles find the excess at `growth` not to be positive.
  bool seems_enough(const Place& place, double log_ratio, double growth) const;

 private:
  struct Laws {
    std::vector<int64_t> values;
    std::vector<std::vector<Rational>> most, least;  // by secret and value
    std::vector<std::vector<double>> high, low;      // the same in doubles
    std::vector<std::vector<MassBox>> bands;         // by secret; none where nothing is known of sums
  };
  TransferLine<Interval> line(const Place& place, const Interval& ratio) const;
  TransferLine<double> line(const Place& place, double log_ratio) const;
  template <class Number, class Make>  // a double as a number
  BandLine<Number> band_line(const Place& place, std::vector<Number> kept, Make make) const;
  std::optional<bool> band_holds(const Place& place, const Interval& ratio, const Interval& growth) const;
  bool band_seems_enough(const Place& place, double log_ratio, double growth) const;
  bool range_holds(const Laws& laws, const Interval& ratio, const Interval& growth) const;

  std::vector<Laws> laws_;
  PairSet pairs_;
  size_t secrets_;
  bool boxed_;
  double work_ = 0;
};

}  // namespace fugu::inline in_transport
