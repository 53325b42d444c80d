#include "fugu/compose/transfer_programme.h"

#include <algorithm>
#include <cmath>

#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_compose {
namespace {

// Mass of the value `from` that stands for mass of `to`, as it arrives: what leaves is kept times as much.
struct Arrival {
  size_t from, to;
  double mass = 0;
};

// The cells that a value of p may use.
std::vector<Arrival> allowed_cells(const std::vector<Rational>& first, const std::vector<Rational>& second,
                                   const KeptTable& kept, size_t cells) {
  std::vector<Arrival> result;
  for (size_t x = 0; x < first.size(); ++x) {
    if (first[x] == 0) continue;
    std::vector<size_t> to;
    for (size_t other = 0; other < second.size(); ++other) {
      if (second[other] > 0 && kept[x][other].certainly_positive()) to.push_back(other);
    }
    std::stable_sort(to.begin(), to.end(),
                     [&](size_t a, size_t b) { return lower_less(kept[x][b], kept[x][a]); });
    if (to.size() > cells) to.resize(cells);
    for (size_t other : to) result.push_back({x, other});
  }
  return result;
}

// Minimises l over arrivals m >= 0 with sum kept m = p for every value of p, and sum m <= l q for those of q.
void propose(std::vector<Arrival>& cells, const std::vector<Rational>& first,
             const std::vector<Rational>& second, const KeptTable& kept, const Progress& progress) {
  LinearProgramme lp;
  const size_t growth = lp.add_variable(1, 1e9);
  std::vector<std::vector<LpTerm>> leaves(first.size()), arrives(second.size());
  for (const Arrival& cell : cells) {
    const double rate = kept[cell.from][cell.to].lower();
    const size_t variable = lp.add_variable(0, 1 / std::max(rate, 1e-9));
    leaves[cell.from].push_back({variable, rate});
    arrives[cell.to].push_back({variable, 1});
  }
  for (size_t x = 0; x < first.size(); ++x) {
    if (leaves[x].empty()) continue;
    const auto mass = static_cast<double>(first[x]);
    lp.add_row(mass, mass, leaves[x]);
  }
  for (size_t x = 0; x < second.size(); ++x) {
    if (arrives[x].empty()) continue;
    arrives[x].push_back({growth, -static_cast<double>(second[x])});
    lp.add_row(-kInfinite, 0, arrives[x]);
  }
  const LpResult result = solve(lp, Patience{.progress = progress, .good_gap = 1e-10});
  for (size_t k = 0; k < cells.size() && !result.values.empty(); ++k) {
    const double mass = result.values[k + 1];
    if (std::isfinite(mass) && mass > 0) cells[k].mass = mass;
  }
}

}  // namespace

void take_best_paths(KeptTable& kept) {
  for (size_t by = 0; by < kept.size(); ++by) {
    for (size_t from = 0; from < kept.size(); ++from) {
      for (size_t to = 0; to < kept.size(); ++to) {
        if (from == by || to == by || from == to) continue;
        Interval path = kept[from][by] * kept[by][to];
        if (lower_less(kept[from][to], path)) kept[from][to] = std::move(path);
      }
    }
  }
}

std::optional<Interval> transfer_by_programme(const std::vector<Rational>& first,
                                              const std::vector<Rational>& second, const KeptTable& kept,
                                              size_t cells, const Progress& progress) {
  const Bits bits = kept[0][0].precision();
  std::vector<Arrival> plan = allowed_cells(first, second, kept, cells);
  propose(plan, first, second, kept, progress);
  std::vector<Interval> leaving(first.size(), Interval(bits)), arriving(second.size(), Interval(bits));
  for (const Arrival& cell : plan)
    leaving[cell.from] += kept[cell.from][cell.to] * Interval(exact(cell.mass), bits);
  // A value of which nothing was proposed to leave goes where most of it is kept.
  for (Arrival& cell : plan) {
    if (leaving[cell.from].certainly_positive()) continue;
    cell.mass = 1;
    leaving[cell.from] = kept[cell.from][cell.to];
  }
  for (const Arrival& cell : plan) {
    arriving[cell.to] +=
        Interval(exact(cell.mass), bits) * Interval(first[cell.from], bits) / leaving[cell.from];
  }
  Interval most(bits);
  for (size_t x = 0; x < first.size(); ++x) {
    if (first[x] > 0 && !leaving[x].certainly_positive()) return std::nullopt;  // it has nowhere to go
    if (second[x] == 0) continue;
    Interval here = arriving[x] / Interval(second[x], bits);
    if (upper_less(most, here)) most = std::move(here);
  }
  return most;
}

}  // namespace fugu::inline in_compose
