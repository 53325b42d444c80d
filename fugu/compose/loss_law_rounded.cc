#include "fugu/compose/loss_law_rounded.h"

#include <algorithm>
#include <numeric>

#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_compose {
namespace {

double at_least_zero(double value) { return value > 0 ? value : 0; }
double between(double value, double most) { return std::min(at_least_zero(value), most); }

// mass e^(place steps), from above.
double grown_mass(double mass, const LossGrid& grid, int64_t place) {
  return place < 0 ? mass / grid.low[static_cast<size_t>(-place)]
                   : mass * grid.high[static_cast<size_t>(place)];
}

// p - q e^(place steps), from above: the second product is negative, so that it rounds towards 0.
double excess_over(double p, double q, const LossGrid& grid, int64_t place) {
  return p + (place < 0 ? -q / grid.high[static_cast<size_t>(-place)]
                        : -q * grid.low[static_cast<size_t>(place)]);
}

double total_of(const LossLaw& law) {
  double sum = law.infinite;
  for (double mass : law.masses) sum += mass;
  return sum;
}

}  // namespace

std::vector<double> rounded_powers(double base, size_t count) {
  std::vector<double> powers(count, 1.0);
  double doubled = base;  // base^reach
  for (size_t reach = 1; reach < count; reach *= 2) {
    for (size_t k = reach; k < std::min(count, 2 * reach); ++k) powers[k] = powers[k - reach] * doubled;
    doubled *= doubled;
  }
  return powers;
}

// An output with masses p and q, whose loss lies between two points of the grid, becomes two outputs there,
// with the same sums of masses under both laws: merging them gives it back. Where the loss is below the first
// of the two, that gets all of p, which is more than it has to be.
LossLaw loss_law(std::span<const double> p, std::span<const double> q, std::span<const int64_t> places,
                 const LossGrid& grid, int64_t bottom, int64_t top) {
  LossLaw law{bottom, std::vector<double>(static_cast<size_t>(top - bottom + 1), 0.0), 0};
  auto at = [&](int64_t place) -> double& { return law.masses[static_cast<size_t>(place - bottom)]; };
  for (size_t y = 0; y < p.size(); ++y) {
    if (p[y] == 0) continue;
    if (q[y] == 0) {
      law.infinite += p[y];
      continue;
    }
    int64_t place = std::clamp(places[y], bottom, top);
    // What decides is that the loss is at most that of the next point.
    while (place < top && excess_over(p[y], q[y], grid, place + 1) > 0) ++place;
    const double over = at_least_zero(excess_over(p[y], q[y], grid, place));
    if (place == top) {
      at(top) += between(grown_mass(q[y], grid, top), p[y]);
      law.infinite += over;
      continue;
    }
    at(place) += between((grown_mass(q[y], grid, place + 1) - p[y]) / grid.grown, p[y]);
    at(place + 1) += between(over / grid.shrunk, p[y]);
  }
  return law;
}

LossLaw together(const LossLaw& a, const LossLaw& b) {
  if (a.masses.size() < b.masses.size()) return together(b, a);
  std::vector<size_t> offsets(b.masses.size());
  std::iota(offsets.begin(), offsets.end(), size_t{0});
  return {a.first + b.first, convolved(a.masses, offsets, b.masses),
          a.infinite * total_of(b) + b.infinite * total_of(a)};
}

LossLaw trimmed(LossLaw law, double above, double below) {
  double cut = 0;
  size_t end = law.masses.size();
  for (; end > 1 && cut + law.masses[end - 1] <= above; --end) cut += law.masses[end - 1];
  law.infinite += cut;
  double raised = 0;
  size_t begin = 0;
  for (; begin + 1 < end && raised + law.masses[begin] <= below; ++begin) raised += law.masses[begin];
  law.masses[begin] += raised;
  law.masses.resize(end);
  law.masses.erase(law.masses.begin(), law.masses.begin() + static_cast<std::ptrdiff_t>(begin));
  law.first += static_cast<int64_t>(begin);
  return law;
}

double excess_of(const LossLaw& law, const LossGrid& grid, double growth) {
  double sum = law.infinite;
  for (size_t k = 0; k < law.masses.size(); ++k) {
    const int64_t place = law.first + static_cast<int64_t>(k);
    if (place <= 0) continue;
    sum += law.masses[k] * at_least_zero(1 + -growth / grid.high[static_cast<size_t>(place)]);
  }
  return sum;
}

double rounded_dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace fugu::inline in_compose
