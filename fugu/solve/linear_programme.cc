#include "fugu/solve/linear_programme.h"

#include <ClpInterior.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fugu/solve/plain_programme.h"
#include "fugu/solve/watched_cholesky.h"
#include "fugu/solve/watched_simplex.h"

namespace fugu::inline in_solve {
namespace {

constexpr double kGoodResidual = 1e-8;
constexpr double kFairResidual = 1e-6;          // beyond it an answer counts as none
constexpr size_t kSimplexCoefficients = 20000;  // up to which the simplex is quick

constexpr double kSecondsToLoad = 4e-7;  // for each coefficient: CLP copies and scales them

// CLP would stop the whole process on others.
bool is_sane(const LinearProgramme& lp) {
  auto small = [](double value) { return std::fabs(value) < 1e15; };
  auto bound = [&](double value) { return std::isinf(value) || small(value); };
  return std::all_of(lp.costs.begin(), lp.costs.end(), small) &&
         std::all_of(lp.coefficients.begin(), lp.coefficients.end(), small) &&
         std::all_of(lp.lower.begin(), lp.lower.end(), bound) &&
         std::all_of(lp.upper.begin(), lp.upper.end(), bound);
}

constexpr double kRunAway = 1e13;    // norms of the point and of the prices
constexpr double kVanished = 1e-20;  // their mean product
constexpr int kGetsNowhere = 30;     // iterations in which the gap is not even halved

// Ends where it is lost: a little later CLP would stop the whole process.
class WatchedInterior : public ClpInterior {
 public:
  WatchedInterior() {
    Handler handler(*this);
    passInEventHandler(&handler);
  }

 private:
  class Handler : public ClpEventHandler {
   public:
    explicit Handler(WatchedInterior& interior) : interior_(interior) {}
    int event(Event) override { return interior_.is_lost() ? 0 : -1; }
    ClpEventHandler* clone() const override { return new Handler(*this); }

   private:
    WatchedInterior& interior_;
  };

  // Also where a number is none.
  bool is_lost() {
    ++since_;
    if (complementarityGap_ < 0.5 * gap_) {
      gap_ = complementarityGap_;
      since_ = 0;
    }
    const bool goes_on = solutionNorm_ < kRunAway && objectiveNorm_ < kRunAway && mu_ < kRunAway &&
                         mu_ > kVanished && since_ < kGetsNowhere;
    return !goes_on;
  }

  double gap_ = kInfinite;
  int since_ = 0;  // iterations
};

class Solver {
 public:
  Solver(const LinearProgramme& lp, const Patience& patience)
      : lp_(lp),
        patience_(patience),
        watch_(patience, "solving a linear programme"),
        matrix_(true, lp.term_row.data(), lp.term_variable.data(), lp.coefficients.data(),
                static_cast<CoinBigIndex>(lp.coefficients.size())),
        zeros_(lp.costs.size(), 0),
        unbounded_(lp.costs.size(), COIN_DBL_MAX) {
    matrix_.setDimensions(static_cast<int>(lp.lower.size()), static_cast<int>(lp.costs.size()));
    for (double bound : lp.lower) row_lower_.push_back(std::isinf(bound) ? -COIN_DBL_MAX : bound);
    for (double bound : lp.upper) row_upper_.push_back(std::isinf(bound) ? COIN_DBL_MAX : bound);
    dualise_ = dual_is_cheaper();
  }

  LpResult run() {
    // Only the simplex ends by itself where costs fall without end.
    if (std::any_of(lp_.costs.begin(), lp_.costs.end(), [](double cost) { return cost < 0; })) {
      best_.bound = -kInfinite;
      consider(simplex());
      return finish();
    }
    for (double tolerance : {1e-9, 1e-8, 1e-7}) {
      consider(interior(tolerance));
      if (is_good() || cut_ != Cut::kNot || !watch_.go_on()) return finish();
    }
    // Large programmes would take the simplex very long; what there is must do, if it is any good.
    if (best_.residual > kFairResidual || lp_.coefficients.size() < kSimplexCoefficients) consider(simplex());
    return finish();
  }

 private:
  bool is_good() const {
    const double gap = best_.value - best_.bound;
    return best_.residual < kGoodResidual &&
           gap <= patience_.good_gap * std::max(std::fabs(best_.value), 1e-12);
  }

  LpResult finish() {
    watch_.rethrow();
    if (best_.outcome == LpResult::kInfeasible) return best_;
    best_.outcome = is_good()                        ? LpResult::kSolved
                    : !watch_.go_on()                ? LpResult::kStopped
                    : cut_ == Cut::kSize             ? LpResult::kTooLarge
                    : cut_ == Cut::kTime             ? LpResult::kTooLong
                    : best_.residual < kFairResidual ? LpResult::kSolved
                                                     : LpResult::kFailed;
    watch_.rethrow();
    return best_;
  }

  // Every bound is a bound; of the points the one that breaks the rows least, then the cheaper one.
  void consider(LpResult result) {
    if (result.outcome == LpResult::kInfeasible) {
      if (best_.residual > kGoodResidual) best_ = std::move(result);
      return;
    }
    if (result.prices.empty() || (!best_.prices.empty() && result.bound < best_.bound))
      result.prices = std::move(best_.prices);
    result.bound = std::max(result.bound, best_.bound);  // that of no prices is 0
    best_.bound = result.bound;
    const bool good = result.residual < kGoodResidual, was_good = best_.residual < kGoodResidual;
    const bool better =
        good == was_good ? (good ? result.value < best_.value : result.residual < best_.residual) : good;
    if (best_.values.empty() || better) {
      best_ = std::move(result);
    } else {
      best_.prices = std::move(result.prices);
    }
  }

  template <class Model>
  void load(Model& model) {
    model.setLogLevel(0);
    model.loadProblem(matrix_, zeros_.data(), unbounded_.data(), lp_.costs.data(), row_lower_.data(),
                      row_upper_.data());
  }

  LpResult interior(double tolerance) {
    WatchedInterior model;
    model.setLogLevel(0);
    if (dualise_) {
      load_dual(model);
    } else {
      load(model);
    }
    model.setCholesky(new WatchedCholesky([this] { return watch_.go_on(); }, patience_.deadline, cut_));
    model.setPrimalTolerance(tolerance);
    model.setDualTolerance(tolerance);
    const bool began = model.primalDual() >= 0;
    if (!began && cut_ != Cut::kNot) return {};
    if (!dualise_) return measure(model.primalColumnSolution(), model.dualRowSolution());
    std::vector<double> values(lp_.costs.size()), prices(lp_.lower.size());
    for (size_t j = 0; j < values.size(); ++j) values[j] = -model.dualRowSolution()[j];
    for (size_t i = 0; i < prices.size(); ++i) prices[i] = sign(i) * model.primalColumnSolution()[i];
    return measure(values.data(), prices.data());
  }

  // The dual programme: a variable for each row, its price (less its price where the row has only an upper
  // bound), and a row for each variable, which holds its cost.
  double sign(size_t row) const { return std::isinf(lp_.lower[row]) ? -1 : 1; }
  void load_dual(ClpInterior& model) {
    CoinPackedMatrix transposed;
    transposed.reverseOrderedCopyOf(matrix_);
    transposed.transpose();
    std::vector<double> lower, upper, costs, signs;
    for (size_t i = 0; i < lp_.lower.size(); ++i) {
      lower.push_back(lp_.lower[i] == lp_.upper[i] ? -COIN_DBL_MAX : 0);
      upper.push_back(COIN_DBL_MAX);
      costs.push_back(-sign(i) * (sign(i) > 0 ? lp_.lower[i] : lp_.upper[i]));
      signs.push_back(sign(i));
    }
    double* elements = transposed.getMutableElements();
    for (int column = 0; column < transposed.getNumCols(); ++column) {
      const CoinBigIndex first = transposed.getVectorFirst(column);
      for (CoinBigIndex k = first; k < first + transposed.getVectorSize(column); ++k)
        elements[k] *= signs[static_cast<size_t>(column)];
    }
    const std::vector<double> no_bound(lp_.costs.size(), -COIN_DBL_MAX);
    model.loadProblem(transposed, lower.data(), upper.data(), costs.data(), no_bound.data(),
                      lp_.costs.data());
  }

  // The interior point method squares the matrix, row by row of a variable or variable by variable of a row:
  // the side with the fewer products is taken.
  bool dual_is_cheaper() const {
    std::vector<double> in_row(lp_.lower.size(), 0), of_variable(lp_.costs.size(), 0);
    for (size_t k = 0; k < lp_.coefficients.size(); ++k) {
      ++in_row[static_cast<size_t>(lp_.term_row[k])];
      ++of_variable[static_cast<size_t>(lp_.term_variable[k])];
    }
    auto squares = [](const std::vector<double>& counts) {
      return std::inner_product(counts.begin(), counts.end(), counts.begin(), 0.0);
    };
    return squares(in_row) < squares(of_variable);
  }

  LpResult simplex() {
    ClpSimplex model;
    load(model);
    WatchedSimplex handler(watch_);
    model.passInEventHandler(&handler);
    model.setPrimalTolerance(1e-9);
    model.setDualTolerance(1e-9);
    model.dual();
    if (model.isProvenPrimalInfeasible()) {
      LpResult result;
      result.outcome = LpResult::kInfeasible;
      return result;
    }
    return measure(model.primalColumnSolution(), model.dualRowSolution());
  }

  // What the point and the prices are worth, without trust in the solver's status.
  LpResult measure(const double* values, const double* prices) const {
    LpResult result;
    result.values.assign(values, values + lp_.costs.size());
    for (double& value : result.values) value = std::isfinite(value) ? std::max(value, 0.0) : 0.0;
    std::vector<double> rows(lp_.lower.size(), 0), reduced = lp_.costs;
    result.prices.resize(lp_.lower.size());
    for (size_t i = 0; i < rows.size(); ++i) result.prices[i] = price(prices, i);
    for (size_t k = 0; k < lp_.coefficients.size(); ++k) {
      const auto row = static_cast<size_t>(lp_.term_row[k]),
                 variable = static_cast<size_t>(lp_.term_variable[k]);
      rows[row] += lp_.coefficients[k] * result.values[variable];
      reduced[variable] -= lp_.coefficients[k] * result.prices[row];
    }
    result.value = 0;
    result.residual = 0;
    for (size_t j = 0; j < lp_.costs.size(); ++j) {
      result.value += lp_.costs[j] * result.values[j];
      if (reduced[j] < 0) result.bound += reduced[j] * lp_.most[j];
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      result.residual = std::max({result.residual, lp_.lower[i] - rows[i], rows[i] - lp_.upper[i]});
      const double price_here = result.prices[i];
      if (price_here != 0) result.bound += price_here * (price_here > 0 ? lp_.lower[i] : lp_.upper[i]);
    }
    if (!std::isfinite(result.bound)) result.bound = -kInfinite;
    return result;
  }

  // A row that is open on one side has a price of one sign; the other is rounding.
  double price(const double* prices, size_t row) const {
    const double value = prices[row];
    if (!std::isfinite(value) || std::isinf(value > 0 ? lp_.lower[row] : lp_.upper[row])) return 0;
    return value;
  }

  const LinearProgramme& lp_;
  const Patience& patience_;
  SolverWatch watch_;
  CoinPackedMatrix matrix_;
  std::vector<double> zeros_, unbounded_, row_lower_, row_upper_;
  bool dualise_ = false;
  Cut cut_ = Cut::kNot;  // the interior point method: not for want of a better point
  LpResult best_;
};

}  // namespace

size_t LinearProgramme::add_variable(double cost, double upper_bound) {
  costs.push_back(cost);
  most.push_back(upper_bound);
  return costs.size() - 1;
}

void LinearProgramme::add_row(double low, double high, const std::vector<LpTerm>& terms) {
  const auto row = static_cast<int>(lower.size());
  lower.push_back(low);
  upper.push_back(high);
  std::vector<LpTerm> sorted = terms;
  std::sort(sorted.begin(), sorted.end(),
            [](const LpTerm& a, const LpTerm& b) { return a.variable < b.variable; });
  for (size_t k = 0; k < sorted.size();) {
    const size_t variable = sorted[k].variable;
    double sum = 0;
    for (; k < sorted.size() && sorted[k].variable == variable; ++k) sum += sorted[k].coefficient;
    if (sum == 0) continue;
    term_row.push_back(row);
    term_variable.push_back(static_cast<int>(variable));
    coefficients.push_back(sum);
  }
}

LpResult solve(const LinearProgramme& lp, const Patience& patience) {
  if (patience.deadline.seconds_left() < kSecondsToLoad * static_cast<double>(lp.coefficients.size()))
    return {.outcome = patience.is_over() ? LpResult::kStopped : LpResult::kTooLong};
  if (!is_sane(lp)) return {};
  if (is_plain(lp)) return Solver(lp, patience).run();
  const PlainProgramme plain(lp);
  if (plain.is_infeasible()) return {.outcome = LpResult::kInfeasible};
  if (plain.is_unbounded()) return {.outcome = LpResult::kFailed};
  if (plain.is_empty())
    return plain.restored({.outcome = LpResult::kSolved, .value = 0, .bound = 0, .residual = 0});
  return plain.restored(Solver(plain.programme, patience).run());
}

}  // namespace fugu::inline in_solve
