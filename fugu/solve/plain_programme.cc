#include "fugu/solve/plain_programme.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fugu::inline in_solve {
namespace {

constexpr double kRoundedRow = 1e-8;  // by which a row without variables may miss its bounds

struct InUse {
  explicit InUse(const LinearProgramme& lp)
      : variables(lp.costs.size(), false), rows(lp.lower.size(), false) {
    for (int variable : lp.term_variable) variables[static_cast<size_t>(variable)] = true;
    for (int row : lp.term_row) rows[static_cast<size_t>(row)] = true;
  }
  std::vector<bool> variables, rows;
};

std::vector<int> numbered(const std::vector<bool>& left) {
  std::vector<int> numbers;
  int next = 0;
  for (bool is_left : left) numbers.push_back(is_left ? next++ : -1);
  return numbers;
}

}  // namespace

bool is_plain(const LinearProgramme& lp) {
  const InUse in_use(lp);
  auto all = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  };
  return all(in_use.variables) && all(in_use.rows);
}

PlainProgramme::PlainProgramme(const LinearProgramme& whole) : alone_(whole.costs.size(), 0) {
  InUse in_use(whole);
  is_left_ = std::move(in_use.variables);
  row_left_ = std::move(in_use.rows);
  for (size_t j = 0; j < whole.costs.size(); ++j) {
    if (is_left_[j]) {
      programme.add_variable(whole.costs[j], whole.most[j]);
    } else if (whole.costs[j] < 0) {
      alone_[j] = whole.most[j];
      cost_ += whole.costs[j] * whole.most[j];
    }
  }
  is_unbounded_ = !std::isfinite(cost_);
  for (size_t i = 0; i < whole.lower.size(); ++i) {
    if (row_left_[i]) {
      programme.add_row(whole.lower[i], whole.upper[i], {});
    } else {
      residual_ = std::max({residual_, whole.lower[i], -whole.upper[i]});
    }
  }
  is_infeasible_ = residual_ > kRoundedRow;
  const std::vector<int> variables = numbered(is_left_), rows = numbered(row_left_);
  programme.coefficients = whole.coefficients;
  for (size_t k = 0; k < whole.coefficients.size(); ++k) {
    programme.term_variable.push_back(variables[static_cast<size_t>(whole.term_variable[k])]);
    programme.term_row.push_back(rows[static_cast<size_t>(whole.term_row[k])]);
  }
}

LpResult PlainProgramme::restored(LpResult result) const {
  result.bound += cost_;
  if (!result.prices.empty()) {
    std::vector<double> prices(row_left_.size(), 0);
    for (size_t i = 0, k = 0; i < prices.size(); ++i) {
      if (row_left_[i]) prices[i] = result.prices[k++];
    }
    result.prices = std::move(prices);
  }
  if (result.values.empty() && !is_empty()) return result;
  std::vector<double> values = alone_;
  for (size_t j = 0, k = 0; j < values.size(); ++j) {
    if (is_left_[j]) values[j] = result.values[k++];
  }
  result.values = std::move(values);
  result.value += cost_;
  result.residual = std::max(result.residual, residual_);
  return result;
}

}  // namespace fugu::inline in_solve
