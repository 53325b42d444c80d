#include "fugu/law/band_prices.h"

#include <algorithm>
#include <map>

namespace fugu::inline in_law {
namespace {

std::vector<size_t> ranks_of(const std::vector<size_t>& order) {
  std::vector<size_t> ranks(order.size());
  for (size_t r = 0; r < order.size(); ++r) ranks[order[r]] = r;
  return ranks;
}

// Lower bounds first, then what is left goes to the heaviest places.
size_t end_of_filling(const std::vector<size_t>& order, const std::vector<MassBox>& boxes) {
  double rest = 1;
  for (const MassBox& box : boxes) rest -= box.low;
  for (size_t r = order.size(); r-- > 0;) {
    rest -= boxes[order[r]].high - boxes[order[r]].low;
    if (rest <= 0) return order[r];
  }
  return order.front();
}

// The slope of a convex function of the price, which rises by steps at ranks: minus the mass that the places
// so far take at that price.
class PriceSlope {
 public:
  void add(size_t rank, const MassBox& box) {
    left_ -= box.high;
    right_ -= box.low;
    if (box.high > box.low) steps_[rank] = box.high - box.low;
  }
  // Holds it at `least` or more; the rank where it comes to be so, or `otherwise`.
  size_t raise(double least, size_t otherwise) {
    double lacking = least - left_;
    if (lacking <= 0) return otherwise;
    size_t rank = otherwise;
    while (lacking > 0 && !steps_.empty()) {
      const auto first = steps_.begin();
      rank = first->first;
      take(first, lacking);
    }
    left_ = least;
    right_ = std::max(right_, least);
    return rank;
  }
  size_t lower(double most, size_t otherwise) {
    double excess = right_ - most;
    if (excess <= 0) return otherwise;
    size_t rank = otherwise;
    while (excess > 0 && !steps_.empty()) {
      const auto last = std::prev(steps_.end());
      rank = last->first;
      take(last, excess);
    }
    right_ = most;
    left_ = std::min(left_, most);
    return rank;
  }

 private:
  void take(std::map<size_t, double>::iterator step, double& wanted) {
    const double taken = std::min(step->second, wanted);
    wanted -= taken;
    step->second -= taken;
    if (step->second <= 0) steps_.erase(step);
  }
  double left_ = 0, right_ = 0;
  std::map<size_t, double> steps_;
};

double within(double value, double low, double high) { return std::max(low, std::min(value, high)); }

}  // namespace

// A dynamic programme from the first place to the last. At place j the least cost of the places so far is a
// convex function of its price; a price that may change to the next place at the band's cost holds its slope
// between minus the band's two ends. The last price is where the slope is -1, and each before it is the
// nearest to its successor at which the slope was not held.
std::vector<uint32_t> band_prices(const std::vector<size_t>& order, const std::vector<MassBox>& boxes,
                                  const std::vector<MassBox>* band) {
  const size_t size = order.size();
  if (!band) return std::vector<uint32_t>(size, static_cast<uint32_t>(end_of_filling(order, boxes)));
  const std::vector<size_t> ranks = ranks_of(order);
  std::vector<size_t> lowest(size, 0), highest(size, size - 1);
  PriceSlope slope;
  for (size_t j = 0; j < size; ++j) {
    slope.add(ranks[j], boxes[j]);
    lowest[j] = slope.raise(-(*band)[j].high, 0);
    highest[j] = slope.lower(-(*band)[j].low, size - 1);
  }
  std::vector<uint32_t> prices(size);
  size_t rank = lowest.back();
  for (size_t j = size; j-- > 0;) {
    rank = std::max(lowest[j], std::min(rank, highest[j]));
    prices[j] = static_cast<uint32_t>(order[rank]);
  }
  return prices;
}

std::vector<double> law_at_prices(const std::vector<size_t>& order, const std::vector<uint32_t>& prices,
                                  const std::vector<MassBox>& boxes, const std::vector<MassBox>& band) {
  const size_t size = order.size();
  const std::vector<size_t> ranks = ranks_of(order);
  auto mass_at = [&](size_t j) -> MassBox {
    if (prices[j] == j) return boxes[j];
    const double mass = ranks[j] > ranks[prices[j]] ? boxes[j].high : boxes[j].low;
    return {mass, mass};
  };
  // Between which ends the masses up to each place may lie at these prices.
  std::vector<MassBox> sums;
  MassBox sum{0, 0};
  for (size_t j = 0; j < size; ++j) {
    const MassBox mass = mass_at(j), limit = band[j];
    if (j + 1 < size && prices[j] != prices[j + 1]) {
      const double end = ranks[prices[j]] > ranks[prices[j + 1]] ? limit.high : limit.low;
      sum = {end, end};
    } else {
      sum = {within(sum.low + mass.low, limit.low, limit.high),
             within(sum.high + mass.high, limit.low, limit.high)};
    }
    sums.push_back(sum);
  }
  std::vector<double> law(size);
  double above = 1;
  for (size_t j = size; j-- > 0;) {
    const MassBox mass = mass_at(j), before = j == 0 ? MassBox{0, 0} : sums[j - 1];
    const double below =
        within(within(before.low, above - mass.high, above - mass.low), before.low, before.high);
    law[j] = std::max(0.0, above - below);
    above = below;
  }
  return law;
}

}  // namespace fugu::inline in_law
