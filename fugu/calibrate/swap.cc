// Values that trade places, of several columns whole rows (docs/math.md, section 17): classes of values, a
// linear programme, integers, and a proof of every output, stratum by stratum.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/optimum.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/solve/circulation.h"
#include "fugu/transport/row_exchange.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr uint64_t kMostSwapped = uint64_t{1} << 60;  // rows
constexpr size_t kMostExactRows = 300;  // up to which rows with a cost of their own are one class each
constexpr double kMargins[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};

// One stratum's part of the question.
struct SwapPart {
  Scenario scenario;            // with its priors alone; the first is the table's own
  std::vector<int64_t> points;  // atoms
  std::vector<uint64_t> counts;
  uint64_t rows = 0;
};

std::vector<SwapPart> parts_of(const Scenario& scenario) {
  std::vector<SwapPart> result;
  for (const Prior* own : scenario.own_priors()) {
    SwapPart& part = result.emplace_back(SwapPart{scenario, union_support(own->by_secret), {}});
    std::erase_if(part.scenario.priors, [&](const Prior& prior) { return prior.known != own->known; });
    for (const Prior& prior : part.scenario.priors) {
      const auto atoms = union_support(prior.by_secret);
      if (!std::includes(part.points.begin(), part.points.end(), atoms.begin(), atoms.end())) {
        throw usage(fmt::format("--method swap: the prior \"{}\" has values that do not occur", prior.name),
                    "values trade places only with values that occur: take --method exact");
      }
    }
    for (const Integer& count : scenario.population(part.points, own->known)) {
      if (count + part.rows > kMostSwapped)
        throw usage("--method swap: the masses have too many digits",
                    "give counts, or weights of fewer digits");
      part.counts.push_back(static_cast<uint64_t>(count));
      part.rows += part.counts.back();
    }
  }
  return result;
}

// By point: its masses under every prior and secret beside how often it occurs, in lowest terms. Points of
// one proportion are one class.
std::vector<std::vector<Integer>> proportions_of(const SwapPart& part) {
  const auto& priors = part.scenario.priors;
  const size_t secrets = part.scenario.secrets.size();
  std::vector<std::vector<Integer>> result;
  for (uint64_t count : part.counts)
    result.emplace_back(1 + priors.size() * secrets, Integer(0)).front() = count;
  for (size_t p = 0; p < priors.size(); ++p) {
    for (size_t s = 0; s < secrets; ++s) {
      const Distribution& law = priors[p].by_secret[s];
      for (size_t k = 0, x = 0; k < law.size(); ++k, ++x) {
        while (part.points[x] != law.atoms()[k]) ++x;
        result[x][1 + p * secrets + s] = law.weights().at(k);
      }
    }
  }
  for (std::vector<Integer>& row : result) {
    Integer common(row.front());
    for (const Integer& one : row) common = gcd(common, one);
    for (Integer& one : row) one /= common;
  }
  return result;
}

// What similarity is judged by: numbers by how far they are, others by whether they differ.
std::vector<SimilarColumn> columns_of(const SwapPart& part) {
  const Scenario& scenario = part.scenario;
  const size_t columns = std::max<size_t>(scenario.axes.size(), 1);
  std::vector<SimilarColumn> result(columns);
  for (size_t c = 0; c < columns; ++c) {
    result[c].is_number = !scenario.shape(c).is_categorical();
    for (int64_t atom : part.points)
      result[c].values.push_back(scenario.is_joint() ? scenario.points[static_cast<size_t>(atom)][c] : atom);
  }
  return result;
}

struct SwapFound {
  SwapStratum swap;
  double bound = 0;  // below what every swap of these values costs, of the stratum's rows
  bool unfinished = false;
};

class SwapSearch {
 public:
  SwapSearch(const SwapPart& part, const ErrorMeasure& measure, const OptimumOptions& options,
             const Patience& patience)
      : part_(part), measure_(measure), options_(options), patience_(patience), columns_(columns_of(part)) {
    find_classes();
    find_masses();
    if (options.by_columns && part.scenario.is_joint())
      distances_ = class_distances(columns_, classes_, weights_.size());
  }

  SwapFound run() const {
    SwapFound result;
    for (double margin : kMargins) {
      const Circulation found = least_circulation(problem(margin), patience_);
      if (margin == kMargins[0]) result.bound = found.bound;
      if (found.outcome == Circulation::kInfeasible) {
        throw Error(ErrorKind::kGuarantee,
                    "--least-kept: at this epsilon not so many of every kind of row can stay",
                    "lower --least-kept, or raise --epsilon");
      }
      result.unfinished = found.outcome == Circulation::kStopped;
      if (!found.has_flows()) break;
      result.swap = spread(found.flows);
      if (prove(part_.scenario, Swap{{result.swap}}, patience_.progress).holds) return result;
      if (result.unfinished) break;
    }
    throw Error(ErrorKind::kGuarantee, "--method swap: no flows were found that could be proved",
                "raise --epsilon or --time-limit, or take --method exact");
  }

 private:
  bool is_own_class() const {
    if (part_.scenario.is_joint()) return options_.by_columns && part_.points.size() <= kMostExactRows;
    return measure_.kind != ErrorMeasure::kZeroOne;
  }

  void find_classes() {
    size_t count = 0;
    if (is_own_class()) {
      for (; count < part_.points.size(); ++count) classes_.push_back(static_cast<uint32_t>(count));
    } else {
      std::map<std::vector<Integer>, uint32_t> seen;
      for (const auto& proportion : proportions_of(part_))
        classes_.push_back(seen.emplace(proportion, static_cast<uint32_t>(seen.size())).first->second);
      count = seen.size();
    }
    weights_.assign(count, 0);
    for (size_t x = 0; x < classes_.size(); ++x)
      weights_[classes_[x]] += static_cast<double>(part_.counts[x]) / static_cast<double>(part_.rows);
  }

  void find_masses() {
    const size_t secrets = part_.scenario.secrets.size();
    for (const Prior& prior : part_.scenario.priors) {
      std::vector<double>& masses = masses_.emplace_back(weights_.size() * secrets, 0);
      for (size_t s = 0; s < secrets; ++s) {
        const Distribution& law = prior.by_secret[s];
        const std::vector<double> mass = law.approximate_masses();
        for (size_t k = 0, x = 0; k < law.size(); ++k, ++x) {
          while (part_.points[x] != law.atoms()[k]) ++x;
          masses[classes_[x] * secrets + s] += mass[k];
        }
      }
    }
  }

  CirculationProblem problem(double margin) const {
    const Scenario& scenario = part_.scenario;
    CirculationProblem problem{.weights = weights_,
                               .secrets = scenario.secrets.size(),
                               .masses = masses_,
                               .epsilon = static_cast<double>(scenario.epsilon.value()) * (1 - margin),
                               .least_kept = options_.least_kept};
    if (!scenario.pairs.is_all()) {
      for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) problem.pairs.emplace_back(a, b);
    }
    if (!distances_.empty()) {
      problem.cost = [this](size_t from, size_t to) { return distances_[from * weights_.size() + to]; };
    } else if (is_own_class()) {
      problem.cost = [this](size_t from, size_t to) {
        return static_cast<double>(measure_.of(part_.points[from], part_.points[to], part_.scenario.lattice));
      };
    }
    return problem;
  }

  SwapStratum spread(const std::vector<ClassFlow>& flows) const {
    std::vector<ClassShare> shares;
    for (const ClassFlow& flow : flows) shares.push_back({flow.from, flow.to, flow.amount});
    RowExchange exchange = exchange_rows({part_.counts, classes_, columns_}, shares, patience_.progress);
    SwapStratum result{part_.scenario.priors.front().known, part_.points, std::move(exchange.totals), {}};
    for (const RowFlow& flow : exchange.flows) result.flows.push_back({flow.from, flow.to, flow.weight});
    return result;
  }

  const SwapPart& part_;
  const ErrorMeasure& measure_;
  const OptimumOptions& options_;
  const Patience& patience_;
  const std::vector<SimilarColumn> columns_;
  std::vector<uint32_t> classes_;            // by point
  std::vector<double> weights_;              // by class
  std::vector<std::vector<double>> masses_;  // by prior: [class * secrets + secret]
  std::vector<double> distances_;            // between classes, where columns count
};

void check_swappable(const Scenario& scenario) {
  if (!scenario.delta.is_zero())
    throw usage("--method swap: values that trade places keep a pure epsilon",
                "leave out --delta, or take --method exact");
  if (scenario.confidence) {
    throw usage("--method swap: values that trade places take the table's frequencies as the truth",
                "with --confidence take exact, optimal, channel or sensitivity");
  }
  if (scenario.has_laws() || scenario.blur() != 0)
    throw usage("--method swap: a law that a model states has no rows", "take --method exact");
}

}  // namespace

ErrorMeasure measure_of_swap(const Scenario& scenario, const OptimumOptions& optimum) {
  if (scenario.is_joint()) return {.kind = ErrorMeasure::kZeroOne};
  if (optimum.measure_said) return optimum.measure;
  return {.kind = scenario.shape(0).is_categorical() ? ErrorMeasure::kZeroOne : ErrorMeasure::kSquared};
}

Found optimal_swap(const Task& task) {
  const Scenario& scenario = task.scenario;
  check_swappable(scenario);
  const ErrorMeasure measure = measure_of_swap(scenario, task.optimum);
  if (scenario.is_joint() && task.optimum.measure_said && task.optimum.measure.kind != ErrorMeasure::kZeroOne)
    throw usage("--loss: of several columns whole rows trade places", "give --cost rows or --cost columns");
  const TimeLimit limit = time_limit_of(task);
  const std::vector<SwapPart> parts = parts_of(scenario);
  uint64_t rows = 0;
  for (const SwapPart& part : parts) rows += part.rows;
  Swap swap;
  Found found;
  double bound = 0;
  for (size_t t = 0; t < parts.size(); ++t) {
    if (measure.kind == ErrorMeasure::kTable && !measure.covers(parts[t].points, parts[t].points))
      throw Error(ErrorKind::kData, "--loss: the table lacks a value",
                  "give a line and a column for each value");
    const Progress watched = [&](double fraction, std::string_view what) {
      report(task.progress, (static_cast<double>(t) + fraction) / static_cast<double>(parts.size()), what);
    };
    SwapFound one = SwapSearch(parts[t], measure, task.optimum, Patience{watched, limit.search}).run();
    bound += one.bound * static_cast<double>(parts[t].rows) / static_cast<double>(rows);
    found.unfinished = found.unfinished || one.unfinished;
    swap.strata.push_back(std::move(one.swap));
  }
  found.mechanism = std::move(swap);
  const double error = mean_error(scenario, found.mechanism, measure);
  if (!task.optimum.by_columns || !scenario.is_joint()) {
    if (measure.kind == ErrorMeasure::kSquared) found.bound = bound;
    found.note =
        measure.kind == ErrorMeasure::kZeroOne
            ? fmt::format("{:.4f} % of the rows change; no way to trade places changes less than {:.4f} %",
                          100 * error, 100 * std::min(bound, error))
            : fmt::format("the {} error is {}; no way to trade places has less than {}", measure.name(),
                          for_people(error, 7), for_people(std::min(bound, error), 7));
  }
  if (found.unfinished) found.note += fmt::format("; {}", kTimeIsOver);
  return found;
}

}  // namespace fugu::inline in_calibrate
