#include "fugu/proof/grid_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fugu/core/error.h"

namespace fugu::inline in_proof {
namespace {

constexpr double kMostCells = 1e6;              // three intervals are held for each: half a gigabyte
constexpr double kMostCellsTimesSecrets = 2e7;  // cells times secrets: half a minute for each proof
constexpr double kMostHeld = 3 * kMostCells;    // of a list of pairs every secret is held

// Along one line of the grid: at[k] becomes the sum over j of at[j] tail^|distance|, from each side.
void spread(Interval* at, size_t length, size_t stride, const std::vector<Interval>& powers) {
  const Bits bits = at->precision();
  std::vector<Interval> right(length, Interval(bits));  // what comes from the right of each
  Interval carried(bits);
  for (size_t k = length - 1; k-- > 0;) {
    carried += at[(k + 1) * stride];
    right[k] = carried *= powers[k];
  }
  for (size_t k = 1; k < length; ++k) {
    carried = at[(k - 1) * stride];
    at[k * stride] += carried *= powers[k - 1];
  }
  for (size_t k = 0; k + 1 < length; ++k) at[k * stride] += right[k];
}

}  // namespace

ProductGrid::ProductGrid(const Claim& claim, const Prior& prior) : axes_(claim.axes.size()) {
  for (int64_t atom : union_support(prior.by_secret)) {
    const auto& point = claim.points[static_cast<size_t>(atom)];
    for (size_t c = 0; c < point.size(); ++c) axes_[c].push_back(point[c]);
  }
  for (auto& axis : axes_) {
    std::sort(axis.begin(), axis.end());
    axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
    cells_ *= axis.size();
  }
}

size_t ProductGrid::cell(const std::vector<int64_t>& point) const {
  size_t cell = 0;
  for (size_t c = 0; c < axes_.size(); ++c) {
    const auto at = std::lower_bound(axes_[c].begin(), axes_[c].end(), point[c]) - axes_[c].begin();
    cell = cell * axes_[c].size() + static_cast<size_t>(at);
  }
  return cell;
}

std::vector<int64_t> ProductGrid::point(size_t cell) const {
  std::vector<int64_t> point(axes_.size());
  for (size_t c = axes_.size(); c-- > 0; cell /= axes_[c].size()) point[c] = axes_[c][cell % axes_[c].size()];
  return point;
}

namespace {

// The cells of a prior's grid, which may be more than an integer holds; 0 where they are few enough.
double cells_too_many(const Claim& claim, const Prior& prior) {
  const ProductGrid grid(claim, prior);
  double cells = 1;
  for (const auto& axis : grid.axes()) cells *= static_cast<double>(axis.size());
  const double work = cells * static_cast<double>(prior.by_secret.size());
  const bool few = cells <= kMostCells &&
                   work <= (claim.pairs.is_all() && claim.is_plain() ? kMostCellsTimesSecrets : kMostHeld);
  return few ? 0 : cells;
}

}  // namespace

bool grid_is_small(const Claim& claim) {
  return std::all_of(claim.priors.begin(), claim.priors.end(),
                     [&](const Prior& prior) { return cells_too_many(claim, prior) == 0; });
}

void check_grid(const Claim& claim) {
  for (const Prior& prior : claim.priors) {
    const double cells = cells_too_many(claim, prior);
    if (cells == 0) continue;
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--public: the columns have {} combinations of values, times {} secrets: too many "
                    "to look at each",
                    for_people(cells, 3), prior.by_secret.size()),
        "give a coarser --step, or release fewer columns together");
  }
}

GridKernel::GridKernel(const Claim& claim, const Prior& prior, const JointBounds& bounds)
    : Kernel({}, Interval(bounds.columns.front().tail.precision())),
      claim_(claim),
      bounds_(bounds),
      grid_(claim, prior) {
  outputs_.resize(grid_.cells());
  std::iota(outputs_.begin(), outputs_.end(), 0);
  for (size_t c = 0; c < bounds.columns.size(); ++c) {
    const auto& atoms = grid_.axes()[c];
    powers_.emplace_back();
    for (size_t k = 0; k + 1 < atoms.size(); ++k)
      powers_.back().push_back(pow(bounds.columns[c].tail, static_cast<uint64_t>(atoms[k + 1] - atoms[k])));
  }
}

Masses GridKernel::of(const Law& law, bool) const {
  const Distribution& secret = *law.masses;
  const Bits bits = tail_.precision();
  Interval whole(secret.total(), bits);
  for (const NoiseBounds& column : bounds_.columns) whole *= column.total;
  Masses result;
  result.at.assign(grid_.cells(), Interval(bits));
  for (size_t k = 0; k < secret.size(); ++k) {
    const auto& point = claim_.points[static_cast<size_t>(secret.atoms()[k])];
    result.at[grid_.cell(point)] = Interval(secret.weights().at(k), bits) / whole;
  }
  size_t stride = grid_.cells();
  for (size_t c = 0; c < powers_.size(); ++c) {
    const size_t length = grid_.axes()[c].size(), block = stride;
    stride /= length;
    for (size_t begin = 0; begin < grid_.cells(); begin += block) {
      for (size_t line = begin; line < begin + stride; ++line)
        spread(result.at.data() + line, length, stride, powers_[c]);
    }
  }
  return result;
}

}  // namespace fugu::inline in_proof
