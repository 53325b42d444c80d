#include "fugu/calibrate/boxed_circulation.h"

#include <cmath>
#include <map>

namespace fugu::inline in_calibrate {
namespace {

constexpr double kLeastShare = 1e-12;  // of a value's rows: what an interior point leaves of nothing

// Variables are P(y|x) / w(y), all 1 where every value becomes every other alike: so small values weigh as
// much as large ones.
class BoxedCirculation {
 public:
  BoxedCirculation(const CirculationProblem& problem, const BoxedLaws& boxed, const Patience& patience)
      : problem_(problem), boxed_(boxed), patience_(patience), size_(problem.weights.size()) {
    add_shares();
    for (size_t y = 0; y < size_; ++y) {
      patience.check("writing a linear programme");
      for (size_t p = 0; p < boxed.boxes.size(); ++p) add_output(y, p);
    }
  }

  Circulation run() {
    const LpResult solved = solve(lp_, patience_);
    Circulation result;
    result.bound = solved.bound * unit_;
    result.outcome = solved.outcome == LpResult::kInfeasible ? Circulation::kInfeasible
                     : solved.is_unfinished()                ? Circulation::kStopped
                     : solved.outcome == LpResult::kSolved   ? Circulation::kSolved
                                                             : Circulation::kFailed;
    if (!solved.values.empty() && result.outcome != Circulation::kInfeasible) fill(result, solved);
    return result;
  }

 private:
  size_t share(size_t x, size_t y) const { return x * size_ + y; }
  double weight(size_t x) const { return problem_.weights[x]; }
  double cost(size_t x, size_t y) const { return x == y ? 0 : problem_.cost ? problem_.cost(x, y) : 1; }

  // What leaves a value is all of it, and as much comes to each as it has.
  void add_shares() {
    double most = 0;
    for (size_t x = 0; x < size_; ++x) {
      for (size_t y = 0; y < size_; ++y) most = std::max(most, cost(x, y));
    }
    unit_ = most > 0 ? most : 1;
    for (size_t x = 0; x < size_; ++x) {
      for (size_t y = 0; y < size_; ++y)
        lp_.add_variable(weight(x) * weight(y) * cost(x, y) / unit_, std::min(1 / weight(x), 1 / weight(y)));
    }
    for (size_t x = 0; x < size_; ++x) {
      std::vector<LpTerm> leaves, comes;
      for (size_t y = 0; y < size_; ++y) {
        leaves.push_back({share(x, y), weight(y)});
        comes.push_back({share(y, x), weight(y)});
      }
      lp_.add_row(1, 1, leaves);
      lp_.add_row(1, 1, comes);
      if (problem_.least_kept > 0) lp_.add_row(problem_.least_kept, kInfinite, {{share(x, x), weight(x)}});
    }
  }

  // A variable that is at least the most, or at most the least, that the law of these bounds gives to y.
  size_t add_extreme(size_t y, const std::vector<MassBox>& boxes, const std::vector<MassBox>* band,
                     bool most) {
    const double sign = most ? 1 : -1, limit = 1 / weight(y);
    const size_t mass = lp_.add_variable(0, limit);
    std::vector<size_t> prices{lp_.add_variable(0, limit)};
    while (band && prices.size() < size_) prices.push_back(lp_.add_variable(0, limit));
    std::map<size_t, double> sum{{mass, -1}, {prices.back(), 1}};
    // (high - low) times what `above` exceeds `below` by, and low times the difference.
    auto add = [&](size_t above, size_t below, const MassBox& box) {
      sum[above] += box.low;
      sum[below] -= box.low;
      if (!(box.high > box.low)) return;
      const size_t beyond = lp_.add_variable(0, limit);
      sum[beyond] = sign * (box.high - box.low);
      lp_.add_row(0, kInfinite, {{beyond, 1}, {above, -sign}, {below, sign}});
    };
    for (size_t x = 0; x < size_; ++x) {
      add(share(x, y), prices[band ? x : 0], boxes[x]);
      if (band && x + 1 < size_) add(prices[x], prices[x + 1], (*band)[x]);
    }
    std::vector<LpTerm> terms;
    for (auto [variable, factor] : sum) {
      if (factor != 0) terms.push_back({variable, factor});
    }
    lp_.add_row(most ? -kInfinite : 0, most ? 0 : kInfinite, terms);
    return mass;
  }

  void add_output(size_t y, size_t prior) {
    const double growth = std::exp(problem_.epsilon);
    std::vector<size_t> most, least;
    for (size_t s = 0; s < boxed_.boxes[prior].size(); ++s) {
      const auto& boxes = boxed_.boxes[prior][s];
      most.push_back(add_extreme(y, boxes, boxed_.band(prior, s), true));
      least.push_back(add_extreme(y, boxes, boxed_.band(prior, s), false));
    }
    auto add = [&](size_t a, size_t b) { lp_.add_row(-kInfinite, 0, {{most[a], 1}, {least[b], -growth}}); };
    for (auto [a, b] : problem_.pairs) {
      add(a, b);
      add(b, a);
    }
    if (!problem_.pairs.empty()) return;
    for (size_t a = 0; a < most.size(); ++a) {
      for (size_t b = 0; b < most.size(); ++b) {
        if (a != b) add(a, b);
      }
    }
  }

  void fill(Circulation& result, const LpResult& solved) const {
    result.value = 0;
    for (size_t x = 0; x < size_; ++x) {
      for (size_t y = 0; y < size_; ++y) {
        const double part = solved.values[share(x, y)] * weight(y);
        if (x == y || part < kLeastShare) continue;
        result.flows.push_back({static_cast<uint32_t>(x), static_cast<uint32_t>(y), weight(x) * part});
        result.value += weight(x) * part * cost(x, y);
      }
    }
  }

  const CirculationProblem& problem_;
  const BoxedLaws& boxed_;
  const Patience& patience_;
  size_t size_;
  double unit_ = 1;  // of costs
  LinearProgramme lp_;
};

}  // namespace

bool fits_boxed_circulation(size_t values, size_t laws) {
  return values <= kMostBoxedCells && laws <= kMostBoxedCells && values * values * laws <= kMostBoxedCells;
}

Circulation least_boxed_circulation(const CirculationProblem& problem, const BoxedLaws& boxed,
                                    const Patience& patience) {
  return BoxedCirculation(problem, boxed, patience).run();
}

}  // namespace fugu::inline in_calibrate
