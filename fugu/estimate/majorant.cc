#include "fugu/estimate/majorant.h"

#include <algorithm>
#include <cmath>

#include "fugu/solve/linear_programme.h"

namespace fugu {
namespace {

constexpr Eigen::Index kMostCells = 40'000;  // of the response: each programme takes milliseconds
constexpr double kSharp = 0.005;             // of what h ranges over: bounds that need no more
constexpr double kCaution = 1;               // how dear a value is that is seldom released, in deviations

class Majorants {
 public:
  Majorants(const Response& response, const Observed& observed, const Progress& progress)
      : table_(response.table()),
        observed_(observed),
        progress_(progress),
        fitted_(table_ * observed.likely) {}

  // Above the mean of h, as sure as the other bounds.
  double above(const Eigen::VectorXd& h) const {
    double best = h.maxCoeff();
    const double range = h.maxCoeff() - h.minCoeff();
    if (range <= 0) return best;
    for (double room : {0.0, 2.0}) {  // how far below h a g may go, in ranges
      best = std::min(best, bound_with(h, h.minCoeff() - room * range));
    }
    return best;
  }

 private:
  double bound_with(const Eigen::VectorXd& h, double base) const {
    LinearProgramme lp;
    const double most = 1e3 * (h.maxCoeff() - base);
    for (Eigen::Index y = 0; y < table_.rows(); ++y) {
      const double share = std::max(fitted_(y), 0.0);
      lp.add_variable(share + kCaution * std::sqrt((share + 1 / observed_.rows) / observed_.rows), most);
    }
    for (Eigen::Index x = 0; x < table_.cols(); ++x) {
      std::vector<LpTerm> terms;
      for (Eigen::Index y = 0; y < table_.rows(); ++y) {
        if (table_(y, x) > 1e-14) terms.push_back({static_cast<size_t>(y), table_(y, x)});
      }
      lp.add_row(h(x) - base, kInfinite, terms);
    }
    const LpResult result = solve(lp, {progress_, {}, 1e-3});
    if (result.values.empty()) return kInfinite;
    Eigen::VectorXd g(table_.rows());
    for (Eigen::Index y = 0; y < g.size(); ++y) g(y) = base + result.values[static_cast<size_t>(y)];
    // What the solver left undone is added to all of g: then it is above h without a doubt.
    const Eigen::VectorXd means = table_.transpose() * g;
    g.array() += std::max(0.0, (h - means).maxCoeff());
    return observed_.released.dot(g) + uncertainty(table_, observed_, g);
  }

  const Eigen::MatrixXd& table_;
  const Observed& observed_;
  const Progress& progress_;
  Eigen::VectorXd fitted_;
};

}  // namespace

void narrow_bounds(const Response& response, const Observed& observed, const Eigen::MatrixXd& wanted,
                   std::vector<Bounded>& bounds, const Progress& progress) {
  if (response.table().size() > kMostCells) return;
  const Majorants majorants(response, observed, progress);
  for (size_t k = 0; k < bounds.size(); ++k) {
    report(progress, static_cast<double>(k) / static_cast<double>(bounds.size()), "narrowing the bounds");
    const Eigen::VectorXd h = wanted.col(static_cast<Eigen::Index>(k));
    if (bounds[k].high - bounds[k].low < kSharp * (h.maxCoeff() - h.minCoeff())) continue;
    bounds[k].high = std::min(bounds[k].high, majorants.above(h));
    bounds[k].low = std::max(bounds[k].low, -majorants.above(-h));
  }
}

}  // namespace fugu
