#include "fugu/calibrate/rows.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <optional>

#include "fugu/calibrate/search.h"
#include "fugu/transport/coupling.h"

namespace fugu {
namespace {

// One row or column of one plan: the cells [begin, end), which share an atom.
struct Cells {
  const Coupling& plan;
  size_t begin, end;
};

class RowSolver {
 public:
  RowSolver(const Task& task, Mean mean)
      : task_(task),
        mean_(mean),
        epsilon_(static_cast<double>(task.scenario.epsilon.value())),
        step_(static_cast<double>(task.scenario.lattice.step)) {}

  Scale scale() const { return scale_; }

  // Raises the scale as far as the rows and columns of this pair need.
  void add(const Distribution& from, const Distribution& to) {
    const Coupling plan = monotone_coupling(from, to);
    steps_.clear();
    for (const Cell& cell : plan.cells) steps_.push_back(std::llabs(from.atoms()[cell.from] - to.atoms()[cell.to]));
    masses_.clear();
    if (plan.masses.is_small()) {
      for (uint64_t mass : plan.masses.small()) masses_.push_back(static_cast<double>(mass));
    } else {
      for (size_t k = 0; k < plan.cells.size(); ++k) masses_.push_back(static_cast<double>(plan.mass(k)));
    }
    // The coupling is monotone, so the cells of a row, and of a column, stand together.
    auto rows = [&](auto atom) {
      for (size_t begin = 0, end = 0; begin < plan.cells.size(); begin = end) {
        while (end < plan.cells.size() && atom(plan.cells[end]) == atom(plan.cells[begin])) ++end;
        raise({plan, begin, end});
      }
    };
    rows([](const Cell& cell) { return cell.from; });
    rows([](const Cell& cell) { return cell.to; });
  }

 private:
  int64_t farthest(const Cells& cells) const {
    return *std::max_element(steps_.begin() + static_cast<long>(cells.begin),
                             steps_.begin() + static_cast<long>(cells.end));
  }
  Rational distance(int64_t steps) const { return Rational(task_.scenario.lattice.step * steps); }

  void raise(const Cells& cells) {
    const int64_t far = farthest(cells);
    if (far <= enough_) return;  // even the farthest cell is cheap enough at the present scale
    const double value = mean_cost(cells, scale_);
    // Doubles are off by a few units in the last place for each cell; this margin is thousands of times that.
    if (value < epsilon_ - 1e-11 * (1 + epsilon_ + static_cast<double>(cells.end - cells.begin))) return;
    if (holds(cells, scale_)) return;
    const Scale known = task_.family.scale_for(distance(far), task_.scenario.epsilon.value());
    const bool one_distance = std::all_of(steps_.begin() + static_cast<long>(cells.begin),
                                          steps_.begin() + static_cast<long>(cells.end),
                                          [&](int64_t steps) { return steps == far; });
    // With one distance the condition is Theorem 1's, where equality is attained and no digits could decide it.
    set(one_distance ? known : solve(cells, known));
  }

  void set(Scale scale) {
    if (scale <= scale_) return;
    scale_ = scale;
    // Distances up to this cost at most epsilon; found by halving on the family's own rounding.
    auto cheap = [&](int64_t steps) {
      return task_.family.scale_for(distance(steps), task_.scenario.epsilon.value()) <= scale_;
    };
    int64_t low = enough_, high = std::max<int64_t>(1, 2 * low);
    while (cheap(high)) high = 2 * (low = high);
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (cheap(middle) ? low : high) = middle;
    }
    enough_ = low;
  }

  // The mean cost in doubles: log sum share e^cost, or -log sum share e^-cost, relative to the farthest or the nearest.
  double mean_cost(const Cells& cells, Scale scale) const {
    double total = 0, sum = 0;
    const bool up = mean_ == Mean::kArithmetic;
    double anchor = up ? 0 : HUGE_VAL;
    auto cost = [&](size_t k) {
      if (steps_[k] == 0) return 0.0;
      return scale.value == 0 ? HUGE_VAL : task_.family.cost(step_ * static_cast<double>(steps_[k]), scale);
    };
    for (size_t k = cells.begin; k < cells.end; ++k) anchor = up ? std::max(anchor, cost(k)) : std::min(anchor, cost(k));
    if (std::isinf(anchor)) return HUGE_VAL;
    for (size_t k = cells.begin; k < cells.end; ++k) {
      total += masses_[k];
      sum += masses_[k] * std::exp(up ? cost(k) - anchor : anchor - cost(k));
    }
    return up ? anchor + std::log(sum / total) : anchor - std::log(sum / total);
  }

  // The same question decided with intervals; "cannot tell" counts as no.
  bool holds(const Cells& cells, Scale scale) const {
    const bool up = mean_ == Mean::kArithmetic;
    if (scale.value == 0 && up) return farthest(cells) == 0;
    auto decision = decide_with_more_bits(
        [&](Bits bits) -> std::optional<bool> {
          Interval sum(bits), total(bits);
          for (size_t k = cells.begin; k < cells.end; ++k) {
            Interval mass(cells.plan.masses.at(k), bits);
            total += mass;
            if (steps_[k] != 0 && scale.value == 0) continue;  // infinite cost: nothing stays of it in the harmonic mean
            if (steps_[k] != 0) {
              Interval cost = task_.family.cost(distance(steps_[k]), scale, bits);
              mass *= exp(up ? std::move(cost) : Interval(bits) - cost);
            }
            sum += mass;
          }
          Interval limit = total * exp(Interval(Rational(up ? task_.scenario.epsilon.value()
                                                            : Rational(-task_.scenario.epsilon.value())), bits));
          const Interval& small = up ? sum : limit;
          const Interval& large = up ? limit : sum;
          if (certainly_at_most(small, large)) return true;
          if (certainly_less(large, small)) return false;
          return std::nullopt;
        },
        128, 2048);
    return decision.value_or(false);
  }

  Scale solve(const Cells& cells, Scale known) const {
    // In the logarithm of the scale; the row fails at the present scale and holds at `known`.
    auto excess = [&](double log_scale) {
      double value = mean_cost(cells, Scale{std::exp(log_scale)});
      return std::clamp(std::log(value / epsilon_), -50.0, 50.0);
    };
    double high = std::log(known.value), low = high - std::log(2.0);
    while (excess(low) < 0 && high - low < 200) low -= std::log(2.0);
    double guess = known.value;
    if (excess(high) < 0 && excess(low) > 0) {
      std::uintmax_t steps = 60;
      auto [a, b] = boost::math::tools::toms748_solve(excess, low, high, boost::math::tools::eps_tolerance<double>(52), steps);
      guess = std::exp((a + b) / 2);
    }
    return Scale{smallest_accepted([&](double value) { return holds(cells, Scale{value}); }, guess, known.value)};
  }

  const Task& task_;
  Mean mean_;
  double epsilon_, step_;
  Scale scale_{0};
  int64_t enough_ = 0;  // mass moved this far costs at most epsilon at scale_
  std::vector<int64_t> steps_;   // of the present plan's cells
  std::vector<double> masses_;
};

}  // namespace

Scale least_scale_for_rows(const Task& task, Mean mean) {
  RowSolver solver(task, mean);
  const auto pairs = task.scenario.pairs.list(task.scenario.secrets.size());
  const double all = static_cast<double>(pairs.size() * task.scenario.priors.size());
  double done = 0;
  for (const Prior& prior : task.scenario.priors) {
    for (auto [first, second] : pairs) {
      solver.add(prior.given[first], prior.given[second]);
      report(task.progress, ++done / all, "transport plans");
    }
  }
  return solver.scale();
}

Scale relaxed_scale(const Task& task) { return least_scale_for_rows(task, Mean::kArithmetic); }
Scale harmonic_scale(const Task& task) { return least_scale_for_rows(task, Mean::kHarmonic); }

}  // namespace fugu
