#include "fugu/solve/by_columns.h"

#include <algorithm>
#include <cmath>

namespace fugu::inline in_solve {
namespace {

constexpr size_t kMostRounds = 100;
constexpr size_t kMostOfAGroup = 12;  // shares that a round adds

// The programme with the chosen shares alone.
class Part {
 public:
  Part(const LinearProgramme& lp, const std::vector<bool>& chosen) {
    std::vector<int> number(lp.costs.size(), -1);
    for (size_t j = 0; j < lp.costs.size(); ++j) {
      if (j < chosen.size() && !chosen[j]) continue;
      number[j] = static_cast<int>(programme.add_variable(lp.costs[j], lp.most[j]));
      whole_.push_back(j);
    }
    programme.lower = lp.lower;
    programme.upper = lp.upper;
    for (size_t k = 0; k < lp.coefficients.size(); ++k) {
      const int variable = number[static_cast<size_t>(lp.term_variable[k])];
      if (variable < 0) continue;
      programme.term_row.push_back(lp.term_row[k]);
      programme.term_variable.push_back(variable);
      programme.coefficients.push_back(lp.coefficients[k]);
    }
  }

  std::vector<double> restored(const std::vector<double>& values, size_t variables) const {
    std::vector<double> result(variables, 0);
    for (size_t k = 0; k < values.size(); ++k) result[whole_[k]] = values[k];
    return result;
  }

  LinearProgramme programme;

 private:
  std::vector<size_t> whole_;  // by variable of the part
};

// What each variable costs at these prices of the rows.
std::vector<double> reduced_costs(const LinearProgramme& lp, const std::vector<double>& prices) {
  std::vector<double> reduced = lp.costs;
  for (size_t k = 0; k < lp.coefficients.size(); ++k)
    reduced[static_cast<size_t>(lp.term_variable[k])] -=
        lp.coefficients[k] * prices[static_cast<size_t>(lp.term_row[k])];
  return reduced;
}

double bound_of(const LinearProgramme& lp, const ShareGroups& shares, const std::vector<double>& prices,
                const std::vector<double>& reduced) {
  double bound = 0;
  for (size_t i = 0; i < prices.size(); ++i) {
    if (prices[i] != 0) bound += prices[i] * (prices[i] > 0 ? lp.lower[i] : lp.upper[i]);
  }
  for (size_t g = 0; g < shares.groups; ++g) {
    const auto first = reduced.begin() + static_cast<std::ptrdiff_t>(g * shares.size);
    bound += *std::min_element(first, first + static_cast<std::ptrdiff_t>(shares.size));
  }
  for (size_t j = shares.groups * shares.size; j < reduced.size(); ++j)
    bound += std::min(reduced[j], 0.0) * lp.most[j];
  return std::isfinite(bound) ? bound : -kInfinite;
}

// Chooses the shares of each group that cost less than nothing, the cheapest first. Whether there is any.
bool choose_more(const ShareGroups& shares, const std::vector<double>& reduced, double worth,
                 std::vector<bool>& chosen) {
  bool any = false;
  std::vector<size_t> cheap;
  for (size_t g = 0; g < shares.groups; ++g) {
    cheap.clear();
    for (size_t j = g * shares.size; j < (g + 1) * shares.size; ++j) {
      if (!chosen[j] && reduced[j] < -worth) cheap.push_back(j);
    }
    const size_t count = std::min(cheap.size(), kMostOfAGroup);
    std::partial_sort(cheap.begin(), cheap.begin() + static_cast<std::ptrdiff_t>(count), cheap.end(),
                      [&](size_t a, size_t b) { return reduced[a] < reduced[b]; });
    for (size_t k = 0; k < count; ++k) chosen[cheap[k]] = any = true;
  }
  return any;
}

}  // namespace

LpResult solve_by_columns(const LinearProgramme& lp, const ShareGroups& shares, std::vector<bool>& chosen,
                          const Patience& patience) {
  LpResult best;
  double bound = -kInfinite;
  for (size_t round = 0; round < kMostRounds; ++round) {
    if (round > 0 && patience.is_over()) {  // what there is, is a point of the whole programme
      best.outcome = LpResult::kStopped;
      break;
    }
    patience.check("solving a part of a linear programme");
    const Part part(lp, chosen);
    LpResult result = solve(part.programme, patience);
    if (result.values.empty() || result.prices.empty()) {
      if (best.values.empty()) return result;
      best.outcome = result.outcome;
      break;
    }
    const std::vector<double> reduced = reduced_costs(lp, result.prices);
    bound = std::max(bound, bound_of(lp, shares, result.prices, reduced));
    result.values = part.restored(result.values, lp.costs.size());
    const bool unfinished = result.is_unfinished();
    best = std::move(result);
    best.bound = bound;
    const double gap = patience.good_gap * std::max(std::fabs(best.value), 1e-12);
    if (unfinished || best.value - bound <= gap) break;
    if (!choose_more(shares, reduced, gap / 4 / static_cast<double>(shares.groups), chosen)) break;
  }
  return best;
}

}  // namespace fugu::inline in_solve
