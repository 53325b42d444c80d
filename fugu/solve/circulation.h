// The cheapest way for rows to change places so that no output tells the secrets apart: a circulation among
// classes of rows (docs/math.md, section 16). In doubles, a guess: the caller rounds and proves it.
//
//   CirculationProblem problem{.weights = w, .secrets = 2, .masses = {p}, .epsilon = 0.5};
//   const Circulation best = least_circulation(problem, patience);   // best.flows, best.value, best.bound
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_solve {

// At every output the mass of the first law is at most `growth` times that of the second.
struct CirculationLimit {
  size_t first, second;
  double growth;
};

// Classes are the rows whose masses are in one proportion: P_p(x|s) / w(x) is one vector over priors and
// secrets. Nothing is wrong when two classes share it; there are then only more flows than needed.
struct CirculationProblem {
  std::vector<double> weights;  // w(x) by class: > 0, sum 1
  size_t secrets = 0;
  std::vector<std::vector<double>> masses;  // by prior: P_p(x|s) at [x * secrets + s], sum 1 for each s
  double epsilon = 0;
  std::vector<std::pair<size_t, size_t>> pairs = {};  // of secrets, each way round; none: all pairs
  double least_kept = 0;                              // in [0, 1): of each class, the share that stays
  std::function<double(size_t, size_t)> cost = {};    // of x becoming y, >= 0; none: 1 for each
  // In place of epsilon and pairs. The mixture of all secrets may then be one of the "secrets".
  std::vector<CirculationLimit> limits = {};

  // Whether all that counts at an output is its largest and its least mass.
  bool is_of_all_pairs() const { return pairs.empty() && limits.empty(); }
  // The limits, or the pairs each way.
  std::vector<CirculationLimit> all_limits() const;
};

struct ClassFlow {
  uint32_t from, to;
  double amount;  // share of all rows
  friend bool operator==(const ClassFlow&, const ClassFlow&) = default;
};

struct Circulation {
  // kSolved: value and bound are within the patience's gap. kStopped: the time was over; the flows, if there
  // are any, keep the rows and cost at most what they cost. kInfeasible: least_kept asks too much.
  enum Outcome { kSolved, kInfeasible, kStopped, kFailed };
  Outcome outcome = kFailed;
  std::vector<ClassFlow> flows = {};  // by (from, to), amounts > 0; about as many as there are tight rows
  double value = kInfinite;           // sum of amount times cost; with no cost the share of changed rows
  double bound = 0;                   // below the optimum, by weak duality, whatever the solver's status
  // The largest amount by which an output's row, its balance or what it may give away is not kept, each as a
  // share of the class: at most about 1e-9.
  double residual = kInfinite;
  bool has_flows() const { return value < kInfinite; }
};

// Column generation: CLP's simplex on the flows that matter, the others priced by its multipliers. Memory is
// of the order of classes times secrets and priors, and of the flows in use; time of classes squared a round.
// Lets the exceptions of the progress callback through.
Circulation least_circulation(const CirculationProblem& problem, const Patience& patience);

}  // namespace fugu::inline in_solve
