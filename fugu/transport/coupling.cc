#include "fugu/transport/coupling.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <type_traits>

#include "fugu/transport/walk.h"

namespace fugu {
namespace {

int64_t distance(const Distribution& from, const Distribution& to, size_t i, size_t j) {
  return std::llabs(from.atoms()[i] - to.atoms()[j]);
}

// The walk as a branch-free merge of the two cumulative sums: a cell ends where either sum ends. Which side ends
// first is random, so a branch would be mispredicted every other cell. Sums past the last are +infinity.
// Writes at most n + m - 1 cells and returns how many.
size_t merge_cells(std::span<const uint64_t> from, uint64_t from_total, std::span<const uint64_t> to,
                   uint64_t to_total, Cell* cells, uint64_t* masses) {
  size_t i = 0, j = 0, count = 0;
  uint64_t left = from[0] * to_total, right = to[0] * from_total, done = 0;
  const uint64_t end = from_total * to_total;
  while (done != end) {
    uint64_t next = std::min(left, right);
    cells[count] = {static_cast<uint32_t>(i), static_cast<uint32_t>(j)};
    masses[count++] = next - done;
    done = next;
    size_t next_i = i + (left == next), next_j = j + (right == next);
    // At the very end both pointers run one past their last; the clamp keeps the load inside.
    uint64_t more_left = from[std::min(next_i, from.size() - 1)] * to_total;
    uint64_t more_right = to[std::min(next_j, to.size() - 1)] * from_total;
    left += next_i != i ? more_left : 0;
    right += next_j != j ? more_right : 0;
    i = next_i;
    j = next_j;
  }
  return count;
}

}  // namespace

Coupling monotone_coupling(const Distribution& from, const Distribution& to) {
  Coupling coupling;
  coupling.denominator = from.total() * to.total();
  const size_t most = from.size() + to.size() - 1;
  if (coupling.denominator >> 63 == 0) {
    coupling.cells.resize(most);
    std::vector<uint64_t> masses(most);
    size_t count = merge_cells(from.weights().small(), static_cast<uint64_t>(from.total()), to.weights().small(),
                               static_cast<uint64_t>(to.total()), coupling.cells.data(), masses.data());
    coupling.cells.resize(count);
    masses.resize(count);
    coupling.masses = Weights(std::move(masses));
    return coupling;
  }
  coupling.cells.reserve(most);
  std::vector<Integer> masses;
  masses.reserve(most);
  walk_coupling(from, to, [&](size_t i, size_t j, const auto& mass) {
    coupling.cells.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(j)});
    masses.push_back(exact_integer(mass));
  });
  coupling.masses = Weights(std::move(masses));
  return coupling;
}

int64_t w_inf(const Distribution& from, const Distribution& to) {
  int64_t largest = 0;
  walk_coupling(from, to, [&](size_t i, size_t j, const auto&) { largest = std::max(largest, distance(from, to, i, j)); });
  return largest;
}

Rational w_1(const Distribution& from, const Distribution& to) {
  Integer sum(0);
  walk_coupling(from, to, [&](size_t i, size_t j, const auto& mass) {
    if (int64_t moved = distance(from, to, i, j)) sum += exact_integer(mass) * moved;
  });
  return Rational(sum, from.total() * to.total());
}

std::vector<ProfilePoint> distance_profile(const Distribution& from, const Distribution& to) {
  std::map<int64_t, Integer> at;
  walk_coupling(from, to,
                [&](size_t i, size_t j, const auto& mass) { at[distance(from, to, i, j)] += exact_integer(mass); });
  const Integer whole = from.total() * to.total();
  std::vector<ProfilePoint> profile;
  Integer beyond = whole;
  for (const auto& [steps, mass] : at) {
    beyond -= mass;
    profile.push_back({steps, Rational(beyond, whole)});
  }
  return profile;
}

int64_t farthest_kept(const Distribution& from, const Distribution& to, const Rational& spare) {
  if (spare == 0) return w_inf(from, to);
  for (const ProfilePoint& point : distance_profile(from, to)) {
    if (point.mass_beyond <= spare) return point.distance;
  }
  return 0;  // not reached: beyond the last distance there is no mass
}

}  // namespace fugu
