#include "fugu/calibrate/box_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fugu/law/band_prices.h"
#include "fugu/scenario/domain.h"

namespace fugu::inline in_calibrate {
namespace {

// Lower bounds first, then what is left goes to the heaviest places.
std::vector<double> filled(const std::vector<size_t>& order, const std::vector<MassBox>& boxes) {
  std::vector<double> law(order.size());
  double rest = 1;
  for (size_t x = 0; x < law.size(); ++x) {
    rest -= boxes[x].low;
    law[x] = boxes[x].low;
  }
  for (size_t r = order.size(); r-- > 0;) {
    if (rest <= 0) break;
    const double more = std::min(rest, boxes[order[r]].high - boxes[order[r]].low);
    rest -= more;
    law[order[r]] += more;
  }
  return law;
}

// The law that makes the sum over its values the most; `order` has the lightest first.
std::vector<double> heaviest(const std::vector<size_t>& order, const std::vector<MassBox>& boxes,
                             const std::vector<MassBox>* band) {
  if (!band) return filled(order, boxes);
  return law_at_prices(order, band_prices(order, boxes, band), boxes, *band);
}

double sum_of(const std::vector<double>& kernel, const std::vector<double>& law) {
  return std::inner_product(kernel.begin(), kernel.end(), law.begin(), 0.0);
}

}  // namespace

BoxLoss::BoxLoss(const Scenario& scenario)
    : boxed_(boxes_of(scenario)),
      pairs_(scenario.pairs.list(scenario.secrets.size())),
      growth_(std::exp(static_cast<double>(scenario.epsilon.value()))) {}

BoxLoss::Extremes BoxLoss::extremes(size_t prior, const std::vector<double>& kernel, bool with_laws) const {
  std::vector<size_t> falling(kernel.size());
  std::iota(falling.begin(), falling.end(), 0);
  std::sort(falling.begin(), falling.end(), [&](size_t a, size_t b) { return kernel[a] > kernel[b]; });
  const std::vector<size_t> rising(falling.rbegin(), falling.rend());
  Extremes result;
  for (size_t s = 0; s < boxed_.boxes[prior].size(); ++s) {
    const auto& boxes = boxed_.boxes[prior][s];
    std::vector<double> most = heaviest(rising, boxes, boxed_.band(prior, s)),
                        least = heaviest(falling, boxes, boxed_.band(prior, s));
    result.most.push_back(sum_of(kernel, most));
    result.least.push_back(sum_of(kernel, least));
    if (!with_laws) continue;
    result.most_law.push_back(std::move(most));
    result.least_law.push_back(std::move(least));
  }
  return result;
}

template <class Visit>
void BoxLoss::for_each_pair(const std::vector<double>& kernel, bool with_laws, Visit visit) const {
  for (size_t p = 0; p < priors(); ++p) {
    const Extremes found = extremes(p, kernel, with_laws);
    for (auto [a, b] : pairs_) {
      visit(a, b, found);
      visit(b, a, found);
    }
  }
}

std::vector<BoxCut> BoxLoss::cuts(const std::vector<double>& kernel, double tolerance) const {
  std::vector<BoxCut> result;
  for_each_pair(kernel, true, [&](size_t i, size_t j, const Extremes& found) {
    const double excess = found.most[i] - growth_ * found.least[j];
    if (excess > tolerance * found.most[i]) result.push_back({found.most_law[i], found.least_law[j], excess});
  });
  return result;
}

double BoxLoss::lacking(const std::vector<double>& kernel) const {
  double most = 0;
  for_each_pair(kernel, false, [&](size_t i, size_t j, const Extremes& found) {
    most = std::max(most, (found.most[i] - growth_ * found.least[j]) / (growth_ - 1));
  });
  return most;
}

}  // namespace fugu::inline in_calibrate
