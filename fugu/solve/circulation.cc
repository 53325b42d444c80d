#include "fugu/solve/circulation.h"

#include <ClpSimplex.hpp>
#include <CoinPackedVector.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "fugu/solve/merged_classes.h"
#include "fugu/solve/watched_simplex.h"

namespace fugu::inline in_solve {
namespace {

constexpr size_t kBest = 4;           // flows that are added for each receiving class, each round
constexpr double kGoodEnough = 2e-9;  // the largest residual of a point that counts as one
constexpr double kRaise = 4;          // penalties in use, each time that few flows are worth while
constexpr double kHopeless = 1e12;    // a penalty of so many costs, and still in use
constexpr size_t kWithoutStart = 80;  // classes; more of them begin with the answer of fewer

// What the rows of an output say, of any class: coefficient times P_p(.|s) summed, between the bounds.
struct RowTerm {
  size_t mass;  // prior times secrets + secret
  double coefficient;
};
struct PrivacyRow {
  std::vector<RowTerm> terms;
  double least;  // coefficient of m_y, which all masses of a prior lie above
  size_t prior;
  bool is_upper;  // row <= 0; else row >= 0
};

class Directions {
 public:
  explicit Directions(const CirculationProblem& problem)
      : width_(problem.masses.size() * problem.secrets), values_(problem.weights.size() * width_) {
    for (size_t x = 0; x < problem.weights.size(); ++x) {
      for (size_t p = 0; p < problem.masses.size(); ++p) {
        for (size_t s = 0; s < problem.secrets; ++s)
          values_[x * width_ + p * problem.secrets + s] =
              problem.masses[p][x * problem.secrets + s] / problem.weights[x];
      }
    }
  }
  size_t width() const { return width_; }
  const double* of(size_t x) const { return values_.data() + x * width_; }
  // Above what all masses of an output can have in common, as a share of it: masses are means of directions.
  double most_common() const { return *std::max_element(values_.begin(), values_.end()); }

 private:
  size_t width_;
  std::vector<double> values_;
};

std::vector<PrivacyRow> privacy_rows(const CirculationProblem& problem) {
  std::vector<PrivacyRow> rows;
  const double growth = std::exp(problem.epsilon);
  const size_t count = problem.secrets;
  const bool by_least =
      problem.is_of_all_pairs() && count > 3;  // up to three secrets, pairs have no more rows
  const auto limits = by_least ? std::vector<CirculationLimit>{} : problem.all_limits();
  for (size_t p = 0; p < problem.masses.size(); ++p) {
    for (size_t s = 0; by_least && s < count; ++s) {
      rows.push_back({{{p * count + s, 1}}, -1, p, false});
      rows.push_back({{{p * count + s, 1}}, -growth, p, true});
    }
    for (const CirculationLimit& limit : limits)
      rows.push_back({{{p * count + limit.first, 1}, {p * count + limit.second, -limit.growth}}, 0, p, true});
  }
  return rows;
}

class ColumnGeneration {
 public:
  ColumnGeneration(const CirculationProblem& problem, const Patience& patience,
                   const CirculationStart& start);
  Circulation run();
  std::vector<double> worth() const;

 private:
  // A row for each class's balance, one for what it may give away, and its privacy rows, all as shares of
  // the class. An output's inflow alone moves its masses, because outflow equals inflow.
  int balance_row(size_t x) const { return static_cast<int>(x); }
  int leave_row(size_t x) const { return static_cast<int>(size_ + x); }
  int privacy_row(size_t x, size_t r) const { return static_cast<int>(2 * size_ + x * rows_.size() + r); }
  // A column counts in the smaller of its two classes, so that no coefficient of it is large.
  double unit(size_t x, size_t y) const { return std::min(problem_.weights[x], problem_.weights[y]); }
  double cost(size_t x, size_t y) const { return problem_.cost ? problem_.cost(x, y) : 1; }
  double typical_cost() const;
  void add_rows();
  void add_artificial(const CirculationStart& start);
  void add_least();
  void add_columns(const std::vector<ClassPair>& flows);
  std::vector<ClassPair> price();
  bool raise(double factor);
  void keep_flows();
  double broken(const double* mass) const;
  double most_leave() const { return 1 - problem_.least_kept; }

  const CirculationProblem& problem_;
  const Patience& patience_;
  SolverWatch watch_;
  size_t size_;
  Directions directions_;
  std::vector<CirculationLimit> limits_;  // none: all pairs
  std::vector<PrivacyRow> rows_;
  double typical_, scale_;
  double dearest_ = 1;
  ClpSimplex model_;
  size_t artificial_ = 0, first_flow_ = 0;  // columns
  std::vector<double> penalty_, centre_;    // of the artificial columns
  std::vector<ClassPair> columns_;
  std::unordered_set<uint64_t> known_;
  Circulation best_;
};

double value_of(const PrivacyRow& row, const double* direction) {
  double sum = 0;
  for (const RowTerm& term : row.terms) sum += term.coefficient * direction[term.mass];
  return sum;
}

ColumnGeneration::ColumnGeneration(const CirculationProblem& problem, const Patience& patience,
                                   const CirculationStart& start)
    : problem_(problem),
      patience_(patience),
      watch_(patience, "looking for the cheapest exchange of rows"),
      size_(problem.weights.size()),
      directions_(problem),
      limits_(problem.is_of_all_pairs() ? std::vector<CirculationLimit>{} : problem.all_limits()),
      rows_(privacy_rows(problem)),
      typical_(typical_cost()),
      scale_(static_cast<double>(size_) / typical_) {
  model_.setLogLevel(0);
  model_.setPrimalTolerance(1e-9);
  model_.setDualTolerance(1e-9);
  model_.scaling(0);  // the rows are shares already, and the tolerance is meant of them
  add_rows();
  add_artificial(start);
  add_least();
  add_columns(start.flows);
}

double ColumnGeneration::typical_cost() const {
  double sum = 0;
  size_t count = 0;
  const size_t step = std::max<size_t>(size_ / 16, 1);
  for (size_t x = 0; problem_.cost && x < size_; x += step) {
    for (size_t y = 0; y < size_; ++y) {
      if (x == y) continue;
      sum += problem_.cost(x, y);
      ++count;
    }
  }
  return sum > 0 ? sum / static_cast<double>(count) : 1;
}

void ColumnGeneration::add_rows() {
  const size_t rows = size_ * (2 + rows_.size());
  std::vector<double> lower(rows, -COIN_DBL_MAX), upper(rows, COIN_DBL_MAX);
  for (size_t y = 0; y < size_; ++y) {
    lower[balance_row(y)] = upper[balance_row(y)] = 0;
    upper[leave_row(y)] = 1 - problem_.least_kept;
    for (size_t r = 0; r < rows_.size(); ++r) {
      (rows_[r].is_upper ? upper : lower)[privacy_row(y, r)] = -value_of(rows_[r], directions_.of(y));
    }
  }
  model_.resize(static_cast<int>(rows), 0);
  std::copy(lower.begin(), lower.end(), model_.rowLower());
  std::copy(upper.begin(), upper.end(), model_.rowUpper());
}

// Columns of no flow, at a penalty: rows of a class from nowhere and to nowhere, and rows traded against the
// average of all. With them every class can do for itself, so that there is a point to begin with; and the
// multipliers stay near what the start says, which saves many rounds.
void ColumnGeneration::add_artificial(const CirculationStart& start) {
  for (size_t y = 0; y < size_; ++y) {
    const int row = balance_row(y);
    std::vector<int> index;
    std::vector<double> change;
    for (size_t r = 0; r < rows_.size(); ++r) {
      double average = 0;
      for (const RowTerm& term : rows_[r].terms) average += term.coefficient;
      index.push_back(privacy_row(y, r));
      change.push_back(average - value_of(rows_[r], directions_.of(y)));
    }
    const double centre = start.worth.empty() ? 0 : start.worth[y];
    const double one = 1, less_one = -1;
    model_.addColumn(1, &row, &one, 0, COIN_DBL_MAX, 0);
    model_.addColumn(1, &row, &less_one, 0, COIN_DBL_MAX, 0);
    model_.addColumn(static_cast<int>(index.size()), index.data(), change.data(), 0, COIN_DBL_MAX, 0);
    centre_.insert(centre_.end(), {centre, -centre, 0});
    penalty_.insert(penalty_.end(), {start.doubt * typical_, start.doubt * typical_, 1.5 * typical_});
  }
  artificial_ = first_flow_ = 3 * size_;
  raise(1);
}

// The penalties of the artificial columns in use, by that factor; whether there are any.
bool ColumnGeneration::raise(double factor) {
  bool any = false;
  for (size_t k = 0; k < artificial_; ++k) {
    const bool used = model_.primalColumnSolution()[k] > 1e-11;
    any = any || used;
    if (used) penalty_[k] *= factor;
    model_.setObjectiveCoefficient(static_cast<int>(k),
                                   scale_ * problem_.weights[k / 3] * (centre_[k] + penalty_[k]));
  }
  return any;
}

void ColumnGeneration::add_least() {
  if (rows_.empty() || rows_.front().least == 0) return;
  for (size_t y = 0; y < size_; ++y) {
    for (size_t p = 0; p < problem_.masses.size(); ++p) {
      std::vector<int> index;
      std::vector<double> value;
      for (size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r].prior != p) continue;
        index.push_back(privacy_row(y, r));
        value.push_back(rows_[r].least);
      }
      model_.addColumn(static_cast<int>(index.size()), index.data(), value.data(), 0, COIN_DBL_MAX, 0);
      ++first_flow_;
    }
  }
}

void ColumnGeneration::add_columns(const std::vector<ClassPair>& flows) {
  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> index;
  std::vector<double> value, costs;
  for (auto [x, y] : flows) {
    if (!known_.insert(uint64_t{x} << 32 | y).second) continue;
    const double amount = unit(x, y), in = amount / problem_.weights[y], out = amount / problem_.weights[x];
    auto add = [&](int row, double coefficient) {
      if (coefficient == 0) return;
      index.push_back(row);
      value.push_back(coefficient);
    };
    add(balance_row(y), in);
    add(balance_row(x), -out);
    add(leave_row(y), in);
    for (size_t r = 0; r < rows_.size(); ++r) {
      const PrivacyRow& row = rows_[r];
      add(privacy_row(y, r), in * (value_of(row, directions_.of(x)) - value_of(row, directions_.of(y))));
    }
    starts.push_back(static_cast<CoinBigIndex>(index.size()));
    costs.push_back(scale_ * amount * cost(x, y));
    columns_.emplace_back(x, y);
  }
  const std::vector<double> zeros(costs.size(), 0), unbounded(costs.size(), COIN_DBL_MAX);
  model_.addColumns(static_cast<int>(costs.size()), zeros.data(), unbounded.data(), costs.data(),
                    starts.data(), index.data(), value.data());
}

// What each class is worth to the others.
std::vector<double> ColumnGeneration::worth() const {
  std::vector<double> result;
  for (size_t y = 0; y < size_; ++y)
    result.push_back(model_.dualRowSolution()[balance_row(y)] / problem_.weights[y] / scale_);
  return result;
}

// The flows that the multipliers call worth while, a few for each class that receives. What the multipliers
// prove goes into the bound: an output receives at most what it may give away, so that its cheapest flow
// bounds what all of its flows gain. It stands whatever the multipliers are.
std::vector<ClassPair> ColumnGeneration::price() {
  const double* prices = model_.dualRowSolution();
  const size_t width = directions_.width();
  const std::vector<double> out_price = worth();
  const double most_least = directions_.most_common();
  std::vector<double> slope(width), least_price(problem_.masses.size());
  std::vector<ClassPair> result;
  struct Candidate {
    double gain;
    uint32_t from;
    bool operator<(const Candidate& other) const { return gain > other.gain; }  // the heap's top is the worst
  };
  std::vector<Candidate> candidates;
  double bound = 0;
  for (size_t y = 0; y < size_; ++y) {
    if (y % 64 == 0 && patience_.is_over()) return {};
    const double weight = problem_.weights[y];
    std::fill(slope.begin(), slope.end(), 0.0);
    std::fill(least_price.begin(), least_price.end(), 0.0);
    double in_price = -out_price[y];
    for (size_t r = 0; r < rows_.size(); ++r) {
      const double raw = prices[privacy_row(y, r)] / scale_;
      // A row that is open on one side has a price of one sign; the other is rounding.
      const double price = rows_[r].is_upper ? std::min(raw, 0.0) : std::max(raw, 0.0);
      if (price == 0) continue;
      const double here = value_of(rows_[r], directions_.of(y));
      bound -= price * here;
      in_price += price * here / weight;
      least_price[rows_[r].prior] -= price * rows_[r].least;
      for (const RowTerm& term : rows_[r].terms) slope[term.mass] -= price * term.coefficient / weight;
    }
    for (double price : least_price) bound += std::min(price, 0.0) * most_least;
    double cheapest = 0;
    const double leave = std::min(prices[leave_row(y)], 0.0) / scale_ / weight;
    candidates.clear();
    for (size_t x = 0; x < size_; ++x) {
      if (x == y) continue;
      const double* direction = directions_.of(x);
      const double cost_here = cost(x, y);
      double reduced = cost_here + in_price + out_price[x];
      for (size_t k = 0; k < width; ++k) reduced += slope[k] * direction[k];
      cheapest = std::min(cheapest, reduced);
      dearest_ = std::max(dearest_, cost_here);
      if (reduced - leave > -1e-9 * typical_) continue;
      const double gain = (leave - reduced) * unit(x, y);
      if (candidates.size() == kBest && gain <= candidates.front().gain) continue;
      if (candidates.size() == kBest) {
        std::pop_heap(candidates.begin(), candidates.end());
        candidates.pop_back();
      }
      candidates.push_back({gain, static_cast<uint32_t>(x)});
      std::push_heap(candidates.begin(), candidates.end());
    }
    bound += cheapest * most_leave() * weight;
    for (const Candidate& candidate : candidates) {
      if (!known_.contains(uint64_t{candidate.from} << 32 | y))
        result.emplace_back(candidate.from, static_cast<uint32_t>(y));
    }
  }
  if (std::isfinite(bound)) best_.bound = std::max(best_.bound, bound);
  return result;
}

// Keeps the master's point, if it is one without the artificial columns and better than what there is.
void ColumnGeneration::keep_flows() {
  Circulation here;
  here.value = 0;
  std::vector<double> in(size_, 0), out(size_, 0), moved(size_ * directions_.width(), 0);
  for (size_t k = 0; k < columns_.size(); ++k) {
    auto [x, y] = columns_[k];
    const double amount = model_.primalColumnSolution()[first_flow_ + k] * unit(x, y);
    if (!(amount > 1e-12 * unit(x, y))) continue;
    here.flows.push_back({x, y, amount});
    here.value += amount * cost(x, y);
    out[x] += amount;
    in[y] += amount;
    for (size_t m = 0; m < directions_.width(); ++m)
      moved[y * directions_.width() + m] += amount * (directions_.of(x)[m] - directions_.of(y)[m]);
  }
  here.residual = 0;
  for (size_t y = 0; y < size_; ++y) {
    const double weight = problem_.weights[y];
    std::vector<double> mass(directions_.of(y), directions_.of(y) + directions_.width());
    for (size_t m = 0; m < mass.size(); ++m) mass[m] += moved[y * mass.size() + m] / weight;
    here.residual = std::max({here.residual, std::fabs(in[y] - out[y]) / weight,
                              out[y] / weight - (1 - problem_.least_kept), broken(mass.data())});
  }
  if (here.residual > kGoodEnough || here.value >= best_.value) return;
  std::sort(here.flows.begin(), here.flows.end(), [](const ClassFlow& a, const ClassFlow& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  here.bound = best_.bound;
  best_ = std::move(here);
}

// By how much the masses of an output are further apart than e^epsilon, or than a limit allows.
double ColumnGeneration::broken(const double* mass) const {
  const double growth = std::exp(problem_.epsilon);
  double worst = 0;
  for (size_t p = 0; p < problem_.masses.size(); ++p, mass += problem_.secrets) {
    for (const CirculationLimit& limit : limits_)
      worst = std::max(worst, mass[limit.first] - limit.growth * mass[limit.second]);
    if (!limits_.empty()) continue;
    const auto [low, high] = std::minmax_element(mass, mass + problem_.secrets);
    worst = std::max(worst, *high - growth * *low);
  }
  return worst;
}

Circulation ColumnGeneration::run() {
  WatchedSimplex handler(watch_);
  model_.passInEventHandler(&handler);
  const double seconds = patience_.deadline.seconds_left();
  bool is_late = false;
  for (;;) {
    model_.primal(0);
    watch_.rethrow();
    const bool stopped = patience_.is_over();
    const std::vector<ClassPair> found = stopped ? std::vector<ClassPair>() : price();
    keep_flows();
    best_.outcome = Circulation::kStopped;
    if (patience_.is_over()) return best_;
    best_.outcome = Circulation::kSolved;
    if (best_.has_flows() && best_.value - best_.bound <= patience_.good_gap * best_.value) return best_;
    if (best_.bound > (1 + 1e-6) * most_leave() * dearest_) return {.outcome = Circulation::kInfeasible};
    // The last of the time is for a point without artificial columns, if there is none yet.
    const bool late = patience_.deadline.seconds_left() < 0.4 * seconds && !best_.has_flows();
    bool raised = false;
    if (late && !is_late) {
      raised = raise(1000);
    } else if (found.size() <= size_ / 4) {
      raised = raise(kRaise);
    }
    is_late = late;
    const bool hopeless = *std::max_element(penalty_.begin(), penalty_.end()) > kHopeless * typical_;
    if ((found.empty() && !raised) || hopeless) {
      best_.outcome = best_.has_flows() ? Circulation::kSolved : Circulation::kFailed;
      return best_;
    }
    add_columns(found);
  }
}

struct Solved {
  Circulation circulation;
  std::vector<double> worth;
};
Solved solve_from_coarse(const CirculationProblem& problem, const Patience& patience, double gap) {
  CirculationStart start;
  if (problem.weights.size() > kWithoutStart) {
    const MergedClasses merged(problem);
    const Solved coarse = solve_from_coarse(merged.problem, patience, 1e-3);
    if (coarse.circulation.has_flows()) start = merged.start(coarse.circulation.flows, coarse.worth);
  }
  const Patience here{patience.progress, patience.deadline, gap};
  ColumnGeneration generation(problem, here, start);
  Circulation circulation = generation.run();
  return {std::move(circulation), generation.worth()};
}

}  // namespace

std::vector<CirculationLimit> CirculationProblem::all_limits() const {
  if (!limits.empty()) return limits;
  const double growth = std::exp(epsilon);
  std::vector<CirculationLimit> result;
  auto add = [&](size_t a, size_t b) {
    result.push_back({a, b, growth});
    result.push_back({b, a, growth});
  };
  for (auto [a, b] : pairs) add(a, b);
  for (size_t a = 0; pairs.empty() && a < secrets; ++a) {
    for (size_t b = a + 1; b < secrets; ++b) add(a, b);
  }
  return result;
}

Circulation least_circulation(const CirculationProblem& problem, const Patience& patience) {
  Circulation result = solve_from_coarse(problem, patience, patience.good_gap).circulation;
  result.bound = std::min(result.bound, result.value);  // above it by rounding at most
  return result;
}

}  // namespace fugu::inline in_solve
