#include "fugu/calibrate/rows.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include "fugu/calibrate/row_glance.h"
#include "fugu/core/search.h"
#include "fugu/transport/coupling.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr size_t kPairs = 64;  // between two reports of progress

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
  // Mass that is moved this far costs at most epsilon at that scale.
  int64_t enough() const { return enough_; }

  // Raises the scale as far as the rows and columns of this pair need.
  void add(const Distribution& from, const Distribution& to) {
    const Coupling plan = monotone_coupling(from, to);
    kept_ = farthest_kept(from, to, task_.scenario.delta.value());
    steps_.clear();
    for (const Cell& cell : plan.cells)
      steps_.push_back(std::llabs(from.atoms()[cell.from] - to.atoms()[cell.to]));
    masses_ = plan.approximate_masses();
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
  // The farthest that mass which is not spared travels; 0 when all of it is.
  int64_t farthest(const Cells& cells) const {
    int64_t far = 0;
    for (size_t k = cells.begin; k < cells.end; ++k) {
      if (steps_[k] <= kept_) far = std::max(far, steps_[k]);
    }
    return far;
  }
  Rational distance(int64_t steps) const { return Rational(task_.scenario.lattice.step * steps); }
  Scale theorem_1(int64_t steps) const {
    return task_.family.scale_for(distance(steps), task_.scenario.epsilon.value(), Rational(0));
  }

  void raise(const Cells& cells) {
    const int64_t far = farthest(cells);
    if (far <= enough_) return;  // even the farthest cell is cheap enough at the present scale
    const double value = mean_cost(cells, scale_);
    // Doubles are off by a few units in the last place for each cell; this margin is thousands of times that.
    if (value < epsilon_ - 1e-11 * (1 + epsilon_ + static_cast<double>(cells.end - cells.begin))) return;
    if (holds(cells, scale_)) return;
    const Scale known = theorem_1(far);
    const bool one_distance = std::all_of(steps_.begin() + static_cast<long>(cells.begin),
                                          steps_.begin() + static_cast<long>(cells.end),
                                          [&](int64_t steps) { return steps == far; });
    // With one distance the condition is Theorem 1's, where equality is attained and no digits could decide
    // it.
    set(one_distance ? known : solve(cells, known));
  }

  void set(Scale scale) {
    if (scale <= scale_) return;
    scale_ = scale;
    // Distances up to this cost at most epsilon; found by halving on the family's own rounding.
    auto cheap = [&](int64_t steps) { return theorem_1(steps) <= scale_; };
    int64_t low = enough_, high = std::max<int64_t>(1, 2 * low);
    while (cheap(high)) high = 2 * (low = high);
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (cheap(middle) ? low : high) = middle;
    }
    enough_ = low;
  }

  // The mean cost in doubles: log sum share e^cost over what is kept, or -log of the harmonic sum over the
  // share that is kept; relative to the farthest or the nearest cell, so that nothing overflows.
  double mean_cost(const Cells& cells, Scale scale) const {
    const bool up = mean_ == Mean::kArithmetic;
    auto cost = [&](size_t k) {
      if (steps_[k] == 0) return 0.0;
      return scale.value == 0 ? HUGE_VAL
                              : -task_.family.log_weight(step_ * static_cast<double>(steps_[k]), scale);
    };
    double anchor = up ? 0 : HUGE_VAL;
    for (size_t k = cells.begin; k < cells.end; ++k) {
      if (up && steps_[k] <= kept_) anchor = std::max(anchor, cost(k));
      if (!up) anchor = std::min(anchor, cost(k));
    }
    if (std::isinf(anchor)) return HUGE_VAL;
    double total = 0, kept = 0, sum = 0;
    for (size_t k = cells.begin; k < cells.end; ++k) {
      total += masses_[k];
      if (steps_[k] <= kept_) kept += masses_[k];
      if (!up || steps_[k] <= kept_) sum += masses_[k] * std::exp(up ? cost(k) - anchor : anchor - cost(k));
    }
    return up ? anchor + std::log(sum / total) : anchor - std::log(sum / kept);
  }

  // The same question decided with intervals; "cannot tell" counts as no.
  bool holds(const Cells& cells, Scale scale) const {
    const bool up = mean_ == Mean::kArithmetic;
    if (scale.value == 0 && up) return farthest(cells) == 0;
    const Rational& epsilon = task_.scenario.epsilon.value();
    auto decision = decide_with_more_bits(
        [&](Bits bits) -> std::optional<bool> {
          Interval sum(bits), total(bits), kept(bits);
          for (size_t k = cells.begin; k < cells.end; ++k) {
            Interval mass(cells.plan.numerator(k), bits);
            total += mass;
            if (steps_[k] <= kept_) kept += mass;
            if (up && steps_[k] > kept_) continue;  // spared
            if (steps_[k] != 0 && scale.value == 0)
              continue;  // infinite cost: nothing of it in the harmonic mean
            if (steps_[k] != 0) {
              Interval weight = exp(task_.family.log_weight(distance(steps_[k]), scale, bits));
              up ? mass /= weight : mass *= weight;
            }
            sum += mass;
          }
          const Interval limit =
              up ? total * exp(Interval(epsilon, bits)) : kept * exp(Interval(Rational(-epsilon), bits));
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
      auto [a, b] = boost::math::tools::toms748_solve(excess, low, high,
                                                      boost::math::tools::eps_tolerance<double>(52), steps);
      guess = std::exp((a + b) / 2);
    }
    return Scale{
        smallest_accepted([&](double value) { return holds(cells, Scale{value}); }, guess, known.value)};
  }

  const Task& task_;
  Mean mean_;
  double epsilon_, step_;
  Scale scale_{0};
  int64_t enough_ = 0;          // mass moved this far costs at most epsilon at scale_
  int64_t kept_ = 0;            // mass that moves further in the present plan is spared: it goes into delta
  std::vector<int64_t> steps_;  // of the present plan's cells
  std::vector<double> masses_;
};

}  // namespace

Scale least_scale_for_rows(const Task& task, Mean mean) {
  RowSolver solver(task, mean);
  const auto pairs = task.scenario.pairs.list(task.scenario.secrets.size());
  const double all = static_cast<double>(pairs.size() * task.scenario.priors.size());
  double done = 0;
  std::mutex guard;
  std::shared_ptr<const RowGlance> glance = std::make_shared<RowGlance>(task, mean, Scale{0}, 0);
  for (const Prior& prior : task.scenario.priors) {
    const WithinSteps within(prior.by_secret);
    auto latest = [&] {
      const std::lock_guard lock(guard);
      return glance;
    };
    // Which pair raises the scale does not matter: in the end it is the largest that any of them needs.
    auto look = [&](const tbb::blocked_range<size_t>& range) {
      std::shared_ptr<const RowGlance> here = latest();
      for (size_t k = range.begin(); k < range.end(); ++k) {
        const auto [first, second] = pairs[k];
        if (here->passes(prior.by_secret, within, first, second)) continue;
        const std::lock_guard lock(guard);
        const Scale before = solver.scale();
        solver.add(prior.by_secret[first], prior.by_secret[second]);
        if (before < solver.scale())
          glance = std::make_shared<RowGlance>(task, mean, solver.scale(), solver.enough());
        here = glance;
      }
      const std::lock_guard lock(guard);
      done += static_cast<double>(range.size());
      report(task.progress, done / all, "transport plans");
    };
    tbb::parallel_for(tbb::blocked_range<size_t>(0, pairs.size(), kPairs), look);
  }
  return solver.scale();
}

}  // namespace fugu::inline in_calibrate
