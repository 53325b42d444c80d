#include "fugu/calibrate/privacy_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fugu::inline in_calibrate {

ApproximateBudget approximate_budget(const Scenario& scenario, double share) {
  return {std::min(static_cast<double>(scenario.epsilon.value()), kMostEpsilon) * (1 - share),
          static_cast<double>(scenario.delta.value()) * (1 - share)};
}

bool is_capped(const Scenario& scenario) {
  return static_cast<double>(scenario.epsilon.value()) > kMostEpsilon;
}

PrivacyRows::PrivacyRows(LinearProgramme& lp, const Scenario& scenario, const Prior& prior, double share,
                         Masses masses)
    : lp_(lp),
      growth_(std::exp(approximate_budget(scenario, share).epsilon)),
      growth_less_1_(std::expm1(approximate_budget(scenario, share).epsilon)),
      delta_(approximate_budget(scenario, share).delta),
      all_pairs_(scenario.pairs.is_all() && scenario.is_plain() && delta_ == 0 &&
                 (masses == Masses::kNamed || scenario.secrets.size() > 2)),
      form_(masses),
      shares_(approximate_shares(scenario, prior)),
      used_(scenario.secrets.size(), all_pairs_ || !shares_.empty()) {
  if (all_pairs_) return;
  limits_ = approximate_limits(scenario, share);
  for (const ApproximateLimit& limit : limits_) {
    if (limit.first < used_.size()) used_[limit.first] = true;
    if (limit.second < used_.size()) used_[limit.second] = true;
  }
  excess_.resize(limits_.size());
}

std::vector<LpTerm> PrivacyRows::mixture(const std::vector<std::vector<LpTerm>>& masses) const {
  std::map<size_t, double> sum;
  for (size_t s = 0; s < shares_.size(); ++s) {
    for (const LpTerm& term : masses[s]) sum[term.variable] += shares_[s] * term.coefficient;
  }
  std::vector<LpTerm> result;
  for (auto [variable, coefficient] : sum) result.push_back({variable, coefficient});
  return result;
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
  auto mass = form_ == Masses::kNamed ? named(masses, most) : masses;
  if (!shares_.empty()) {
    std::vector<LpTerm> sum = mixture(mass);
    if (form_ == Masses::kNamed) {
      const size_t name = lp_.add_variable(0, most);
      lp_.add_row(0, 0, with(std::move(sum), {{name, -1}}));
      sum = {{name, 1}};
    }
    mass.push_back(std::move(sum));
  }
  for (size_t k = 0; k < limits_.size(); ++k) {
    std::vector<LpTerm> row = mass[limits_[k].first];
    for (const LpTerm& term : mass[limits_[k].second])
      row.push_back({term.variable, -limits_[k].growth * term.coefficient});
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
