#include "fugu/estimate/majorant.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_estimate {
namespace {

constexpr Eigen::Index kMostCells = 40'000;  // of the response: each programme takes milliseconds
constexpr double kSharp = 0.005;             // of what h ranges over: bounds that need no more
constexpr double kCaution = 1;               // how dear a value is that is seldom released, in deviations

// The g of least mean with E[g(Y) | x] >= h(x), if all true values were as frequent; none below `base`.
std::optional<Eigen::VectorXd> majorant(const Eigen::MatrixXd& table, double rows, const Eigen::VectorXd& h,
                                        double base, const Progress& progress) {
  LinearProgramme lp;
  const Eigen::VectorXd even = table.rowwise().mean();
  const double most = 1e3 * (h.maxCoeff() - base);
  for (Eigen::Index y = 0; y < table.rows(); ++y) {
    const double share = std::max(even(y), 0.0);
    lp.add_variable(share + kCaution * std::sqrt((share + 1 / rows) / rows), most);
  }
  for (Eigen::Index x = 0; x < table.cols(); ++x) {
    std::vector<LpTerm> terms;
    for (Eigen::Index y = 0; y < table.rows(); ++y) {
      if (table(y, x) > 1e-14) terms.push_back({static_cast<size_t>(y), table(y, x)});
    }
    lp.add_row(h(x) - base, kInfinite, terms);
  }
  const LpResult result = solve(lp, {progress, {}, 1e-3});
  if (result.values.empty()) return std::nullopt;
  Eigen::VectorXd g(table.rows());
  for (Eigen::Index y = 0; y < g.size(); ++y) g(y) = base + result.values[static_cast<size_t>(y)];
  return g;
}

void choose(const Eigen::MatrixXd& table, double rows, const Undoing& undoing, const Eigen::VectorXd& h,
            const Progress& progress, Eigen::MatrixXd::ColXpr g) {
  const double range = h.maxCoeff() - h.minCoeff();
  if (range <= 0) return;
  double best = undoing.expected_above(g, h);
  for (double room : {0.0, 2.0}) {  // how far below h a g may go, in ranges
    const auto found = majorant(table, rows, h, h.minCoeff() - room * range, progress);
    if (!found) continue;
    if (const double above = undoing.expected_above(*found, h); above < best) {
      best = above;
      g = *found;
    }
  }
}

}  // namespace

void choose_majorants(const Response& response, const Observed& observed, const Undoing& undoing,
                      const Eigen::MatrixXd& wanted, const Functions& chosen, Eigen::MatrixXd& above,
                      Eigen::MatrixXd& below, const Progress& progress) {
  if (response.table().size() > kMostCells) return;
  for (Eigen::Index k = 0; k < wanted.cols(); ++k) {
    report(progress, static_cast<double>(k) / static_cast<double>(wanted.cols()), "narrowing the bounds");
    const Eigen::VectorXd h = wanted.col(k);
    if (chosen.widths[static_cast<size_t>(k)] < kSharp * (h.maxCoeff() - h.minCoeff())) continue;
    choose(response.table(), observed.rows, undoing, h, progress, above.col(k));
    choose(response.table(), observed.rows, undoing, -h, progress, below.col(k));
  }
}

}  // namespace fugu::inline in_estimate
