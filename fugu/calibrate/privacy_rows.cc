#include "fugu/calibrate/privacy_rows.h"

#include <algorithm>
#include <cmath>

namespace fugu::inline in_calibrate {
namespace {

constexpr double kMostEpsilon = 12;

}  // namespace

ApproximateBudget approximate_budget(const Scenario& scenario, double share) {
  return {std::min(static_cast<double>(scenario.epsilon.value()), kMostEpsilon) * (1 - share),
          static_cast<double>(scenario.delta.value()) * (1 - share)};
}

bool is_capped(const Scenario& scenario) {
  return static_cast<double>(scenario.epsilon.value()) > kMostEpsilon;
}

PrivacyRows::PrivacyRows(LinearProgramme& lp, const Scenario& scenario, ApproximateBudget budget,
                         Masses masses)
    : lp_(lp),
      growth_(std::exp(budget.epsilon)),
      growth_less_1_(std::expm1(budget.epsilon)),
      delta_(budget.delta),
      all_pairs_(scenario.pairs.is_all() && budget.delta == 0 &&
                 (masses == Masses::kNamed || scenario.secrets.size() > 2)),
      form_(masses),
      used_(scenario.secrets.size(), all_pairs_) {
  if (all_pairs_) return;
  for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
    ordered_.push_back({a, b});
    ordered_.push_back({b, a});
    used_[a] = used_[b] = true;
  }
  excess_.resize(ordered_.size());
}

std::vector<std::vector<LpTerm>> PrivacyRows::named(const std::vector<std::vector<LpTerm>>& masses,
                                                    double most) {
  std::vector<std::vector<LpTerm>> result(masses.size());
  for (size_t s = 0; s < masses.size(); ++s) {
    if (!used_[s]) continue;
    const size_t name = lp_.add_variable(0, most);
    std::vector<LpTerm> row = masses[s];
    row.push_back({name, -1});
    lp_.add_row(0, 0, row);
    result[s] = {{name, 1}};
  }
  return result;
}

void PrivacyRows::add_output(const std::vector<std::vector<LpTerm>>& masses, double unit, double weight,
                             double most) {
  auto with = [](std::vector<LpTerm> row, std::initializer_list<LpTerm> more) {
    row.insert(row.end(), more);
    return row;
  };
  if (all_pairs_) {
    const size_t least = lp_.add_variable(0, most);
    for (const std::vector<LpTerm>& mass : masses) {
      if (form_ == Masses::kSpelledOut) {
        lp_.add_row(0, kInfinite, with(mass, {{least, -1}}));
        lp_.add_row(-kInfinite, 0, with(mass, {{least, -growth_}}));
      } else {
        // P_s = least + (e^epsilon - 1) above, so that both are of a size even where epsilon is small.
        const size_t above = lp_.add_variable(0, most);
        lp_.add_row(0, 0, with(mass, {{least, -1}, {above, -growth_less_1_}}));
        lp_.add_row(-kInfinite, 0, {{above, 1}, {least, -1}});
      }
    }
    return;
  }
  const auto mass = form_ == Masses::kNamed ? named(masses, most) : masses;
  for (size_t k = 0; k < ordered_.size(); ++k) {
    std::vector<LpTerm> row = mass[ordered_[k].first];
    for (const LpTerm& term : mass[ordered_[k].second])
      row.push_back({term.variable, -growth_ * term.coefficient});
    if (delta_ > 0) {
      const size_t slack = lp_.add_variable(0, 1 / weight);
      row.push_back({slack, -delta_ / unit});  // the slack is a share of delta
      excess_[k].push_back({slack, weight});
    }
    lp_.add_row(-kInfinite, 0, row);
  }
}

void PrivacyRows::finish() {
  for (const auto& slacks : excess_) {
    if (!slacks.empty()) lp_.add_row(-kInfinite, 1, slacks);
  }
}

}  // namespace fugu::inline in_calibrate
