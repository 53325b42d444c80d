#include "fugu/transport/coupling.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <type_traits>

#include "fugu/transport/walk.h"

namespace fugu::inline in_transport {
namespace {

int64_t distance(const Distribution& from, const Distribution& to, size_t i, size_t j) {
  return std::llabs(from.atoms()[i] - to.atoms()[j]);
}

// Cells that one thread wrote: those of some atoms of the first side.
struct Run {
  size_t begin;
  size_t count;
};

// Writes the cells of the from-atoms [first, last). The first goes where it stands in the plan if no cell
// before it ends an atom on both sides at once: at the number of atoms, of both sides, that end before it.
//
// Which side ends first is random, so a branch on it would be mispredicted every other cell: both outcomes
// are worked out, the next atoms a cell ahead, and selected. Precondition: kStride divides `first`.
template <class Number>
Run walk_rows(const Weights& from, const Weights& to, size_t first, size_t last, Cell* cells,
              Number* masses) {
  const std::span<const uint64_t> a = from.small(), b = to.small();
  const auto a_total = static_cast<uint64_t>(from.total()), b_total = static_cast<uint64_t>(to.total());
  auto a_mass = [&](size_t k) { return k < a.size() ? Number(a[k]) * b_total : Number(0); };
  auto b_mass = [&](size_t k) { return k < b.size() ? Number(b[k]) * a_total : Number(0); };

  const Number before = Number(from.sums()[first / Weights::kStride]) * b_total;
  const Weights::Place across = to.find(static_cast<uint64_t>(before / a_total));
  size_t i = first, j = across.index, at = i + j;
  Number left = a_mass(i), right = Number(across.before) * a_total + b_mass(j) - before;
  Number next_left = a_mass(i + 1), next_right = b_mass(j + 1);
  while (i < last) {
    const Number mass = std::min(left, right);
    cells[at] = {static_cast<uint32_t>(i), static_cast<uint32_t>(j)};
    masses[at++] = mass;
    const bool left_ends = left == mass, right_ends = right == mass;
    const Number rest_left = left - mass, rest_right = right - mass;
    i += left_ends;
    j += right_ends;
    left = left_ends ? next_left : rest_left;
    right = right_ends ? next_right : rest_right;
    next_left = a_mass(i + 1);
    next_right = b_mass(j + 1);
  }
  return {first + across.index, at - first - across.index};
}

// Precondition: both weights are small, and Number holds the product of their totals.
template <class Number>
LargeVector<Number> walk_plan(const Weights& from, const Weights& to, LargeVector<Cell>& cells) {
  constexpr size_t kRows = 64 * Weights::kStride;
  const size_t most = from.size() + to.size() - 1;
  LargeVector<Number> masses(most);
  cells.resize(most);
  std::vector<Run> runs((from.size() + kRows - 1) / kRows);
  auto walk = [&](size_t r) {
    const size_t last = std::min((r + 1) * kRows, from.size());
    runs[r] = walk_rows(from, to, r * kRows, last, cells.data(), masses.data());
  };
  runs.size() == 1 ? walk(0) : tbb::parallel_for(size_t{0}, runs.size(), walk);

  size_t count = 0;  // cells that end an atom on both sides leave gaps between the runs
  for (const Run& run : runs) {
    if (run.begin != count) {
      std::copy_n(cells.data() + run.begin, run.count, cells.data() + count);
      std::copy_n(masses.data() + run.begin, run.count, masses.data() + count);
    }
    count += run.count;
  }
  cells.resize(count);
  masses.resize(count);
  return masses;
}

}  // namespace

Integer Coupling::numerator(size_t k) const {
  return std::visit([&](const auto& values) { return Integer(exact_integer(values[k])); }, masses);
}

std::vector<double> Coupling::approximate_masses() const {
  std::vector<double> result;
  result.reserve(cells.size());
  const auto whole = static_cast<double>(denominator);
  auto approximate = [&](const auto& mass) {
    if constexpr (std::is_same_v<decltype(mass), const Integer&>) {
      return static_cast<double>(Rational(mass, denominator));
    } else {
      return static_cast<double>(mass) / whole;
    }
  };
  std::visit(
      [&](const auto& values) {
        for (const auto& mass : values) result.push_back(approximate(mass));
      },
      masses);
  return result;
}

Coupling monotone_coupling(const Distribution& from, const Distribution& to) {
  Coupling plan;
  plan.denominator = from.total() * to.total();
  if (from.weights().is_small() && to.weights().is_small()) {
    if ((plan.denominator >> 64) == 0) {
      plan.masses = walk_plan<uint64_t>(from.weights(), to.weights(), plan.cells);
    } else {
      plan.masses = walk_plan<Wide>(from.weights(), to.weights(), plan.cells);
    }
    return plan;
  }
  auto& masses = plan.masses.emplace<std::vector<Integer>>();
  walk_coupling(from, to, [&](size_t i, size_t j, const auto& mass) {
    plan.cells.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(j)});
    masses.push_back(exact_integer(mass));
  });
  return plan;
}

int64_t w_inf(const Distribution& from, const Distribution& to) {
  int64_t largest = 0;
  walk_coupling(from, to, [&](size_t i, size_t j, const auto&) {
    largest = std::max(largest, distance(from, to, i, j));
  });
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
  walk_coupling(from, to, [&](size_t i, size_t j, const auto& mass) {
    at[distance(from, to, i, j)] += exact_integer(mass);
  });
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

}  // namespace fugu::inline in_transport
