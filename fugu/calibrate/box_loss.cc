#include "fugu/calibrate/box_loss.h"
#include "fugu/scenario/domain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fugu::inline in_calibrate {
namespace {

// Lower bounds first, then what is left goes to the places in this order.
double filled(const std::vector<double>& kernel, const std::vector<size_t>& order,
              const std::vector<MassBox>& boxes, std::vector<double>* law) {
  double rest = 1, sum = 0;
  if (law) law->resize(kernel.size());
  for (size_t x = 0; x < kernel.size(); ++x) {
    rest -= boxes[x].low;
    sum += boxes[x].low * kernel[x];
    if (law) (*law)[x] = boxes[x].low;
  }
  for (size_t x : order) {
    const double more = std::min(rest, boxes[x].high - boxes[x].low);
    if (more <= 0) break;
    rest -= more;
    sum += more * kernel[x];
    if (law) (*law)[x] += more;
  }
  return sum;
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
  for (const auto& boxes : boxed_.boxes[prior]) {
    std::vector<double> most, least;
    result.most.push_back(filled(kernel, falling, boxes, with_laws ? &most : nullptr));
    result.least.push_back(filled(kernel, rising, boxes, with_laws ? &least : nullptr));
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
