// Values that trade places, of several columns whole rows (docs/math.md, section 16): classes of values, a
// linear programme, integers, and a proof of every output, stratum by stratum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "fugu/calibrate/boxed_circulation.h"
#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/optimum.h"
#include "fugu/calibrate/privacy_rows.h"
#include "fugu/calibrate/swap_blocks.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/scenario/domain.h"
#include "fugu/solve/blocks.h"
#include "fugu/solve/circulation.h"
#include "fugu/transport/row_exchange.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr uint64_t kMostSwapped = uint64_t{1} << 60;  // rows
constexpr size_t kMostExactRows = 300;  // up to which rows with a cost of their own are one class each
constexpr double kMargins[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
constexpr double kLeastBlockMargin = 1e-7;   // a proof of that many rows takes long: rather the first time
constexpr double kLeastPooledMargin = 1e-7;  // before it there is hope without
constexpr size_t kMostPooled = 1000;         // classes: each then flows to each

// One stratum's part of the question.
struct SwapPart {
  Scenario scenario;            // with its priors alone; the first is the table's own
  std::vector<int64_t> points;  // atoms
  std::vector<uint64_t> counts;
  uint64_t rows = 0;
};

std::vector<SwapPart> parts_of(const Scenario& scenario) {
  std::vector<SwapPart> result;
  Scenario bare = scenario;
  bare.priors.clear();
  for (const Prior* own : scenario.own_priors()) {
    SwapPart& part = result.emplace_back(SwapPart{bare, union_support(own->by_secret), {}});
    std::ranges::copy_if(scenario.priors, std::back_inserter(part.scenario.priors),
                         [&](const Prior& prior) { return prior.known == own->known; });
    for (const Prior& prior : part.scenario.priors) {
      const auto atoms = union_support(prior.by_secret);
      if (!std::includes(part.points.begin(), part.points.end(), atoms.begin(), atoms.end())) {
        throw usage(fmt::format("--method swap: the prior \"{}\" has values that do not occur", prior.name),
                    "values trade places only with values that occur: use --method exact");
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

// By point its class: points are of one where their masses under every prior and secret, beside how often
// they occur, are in one proportion. Classes are numbered by their first points. `Whole` holds every mass.
template <class Whole>
std::vector<uint32_t> classes_by_proportion(const SwapPart& part) {
  const auto& priors = part.scenario.priors;
  const size_t secrets = part.scenario.secrets.size(), width = 1 + priors.size() * secrets;
  const size_t size = part.points.size();
  std::vector<Whole> cells(size * width, Whole(0));
  for (size_t x = 0; x < size; ++x) cells[x * width] = part.counts[x];
  for (size_t r = 1; r < width; ++r) {
    const Distribution& law = priors[(r - 1) / secrets].by_secret[(r - 1) % secrets];
    for (size_t k = 0, x = 0; k < law.size(); ++k, ++x) {
      while (part.points[x] != law.atoms()[k]) ++x;
      cells[x * width + r] = static_cast<Whole>(law.weights().at(k));
    }
  }
  using std::gcd;  // of Integers there is one beside them
  for (size_t x = 0; x < size; ++x) {
    Whole common = cells[x * width];
    for (size_t r = 1; r < width; ++r) common = gcd(common, cells[x * width + r]);
    for (size_t r = 0; r < width; ++r) cells[x * width + r] /= common;
  }
  auto row = [&](uint32_t x) { return std::span(cells).subspan(x * width, width); };
  std::vector<uint32_t> order(size), first(size), result(size);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
    const auto a = row(x), b = row(y);
    const auto differ = std::mismatch(a.begin(), a.end(), b.begin());
    return differ.first == a.end() ? x < y : *differ.first < *differ.second;
  });
  for (size_t k = 0; k < size; ++k) {
    const bool same = k > 0 && std::ranges::equal(row(order[k - 1]), row(order[k]));
    first[order[k]] = same ? first[order[k - 1]] : order[k];
  }
  uint32_t classes = 0;
  for (size_t x = 0; x < size; ++x) result[x] = first[x] == x ? classes++ : result[first[x]];
  return result;
}

std::vector<uint32_t> classes_by_proportion(const SwapPart& part) {
  for (const Prior& prior : part.scenario.priors) {
    for (const Distribution& law : prior.by_secret) {
      if (!law.weights().is_small()) return classes_by_proportion<Integer>(part);
    }
  }
  return classes_by_proportion<uint64_t>(part);
}

// What similarity is judged by: numbers by how far they are, others by whether they differ.
std::vector<SimilarColumn> columns_of(const SwapPart& part, const std::vector<double>& weights) {
  const Scenario& scenario = part.scenario;
  const size_t columns = std::max<size_t>(scenario.axes.size(), 1);
  std::vector<SimilarColumn> result(columns);
  for (size_t c = 0; c < columns; ++c) {
    result[c].is_number = !scenario.shape(c).is_categorical();
    if (!weights.empty()) result[c].weight = weights[c];
    for (int64_t atom : part.points)
      result[c].values.push_back(scenario.is_joint() ? scenario.points[static_cast<size_t>(atom)][c] : atom);
  }
  return result;
}

struct SwapFound {
  SwapStratum swap;
  double bound = 0;  // below what every swap of these values costs, of the stratum's rows
  bool unfinished = false;
  size_t in_blocks = 0;  // classes, where they were too many for one programme
};

class SwapSearch {
 public:
  SwapSearch(const SwapPart& part, const ErrorMeasure& measure, const OptimumOptions& options,
             const Patience& patience)
      : part_(part),
        measure_(measure),
        options_(options),
        patience_(patience),
        rows_{part.counts, {}, columns_of(part, options.weights)} {
    if (part.scenario.has_boxes()) boxes_ = boxes_of(part.scenario);
    find_classes();
    find_masses();
    if (counts_columns() && !is_large())
      distances_ = class_distances(rows_.columns, rows_.classes, weights_.size());
  }

  SwapFound run() const {
    SwapFound result;
    if (!is_large()) {
      if (run_at_once(result)) return result;
      result.unfinished = true;
    }
    run_in_blocks(result);
    return result;
  }

 private:
  bool run_at_once(SwapFound& result) const {
    for (double margin : kMargins) {
      const Circulation found = boxes_ ? least_boxed_circulation(problem(margin), *boxes_, patience_)
                                       : least_circulation(problem(margin), patience_);
      // It bounds what a little less than epsilon costs, which is a little more: the note rounds it down.
      if (margin == kMargins[0] && !is_capped(part_.scenario)) result.bound = found.bound;
      if (found.outcome == Circulation::kInfeasible) throw not_so_many("");
      result.unfinished = found.outcome == Circulation::kStopped;
      if (!found.has_flows()) return false;
      const std::vector<ClassShare> shares = shares_of(found);
      if (boxes_) return with_least_pool(result, shares);
      if (is_proved(result, exchange_rows(rows_, shares, patience_.progress))) return true;
      if (margin >= kLeastPooledMargin && weights_.size() <= kMostPooled &&
          is_proved(result, exchange_rows(rows_, with_some_pooled(shares), patience_.progress)))
        return true;
      if (result.unfinished) return false;
    }
    throw not_proved();
  }

  static std::vector<ClassShare> shares_of(const Circulation& found) {
    std::vector<ClassShare> shares;
    for (const ClassFlow& flow : found.flows) shares.push_back({flow.from, flow.to, flow.amount});
    return shares;
  }

  // The same but for a part of the rows, one of a million, which may become any row. Where the rows of a
  // group come to an output only by what rounding left of a flow, they come there alike whatever their
  // secret.
  std::vector<ClassShare> with_some_pooled(std::vector<ClassShare> shares, double pooled = 1e-6) const {
    for (ClassShare& share : shares) share.share *= 1 - pooled;
    for (uint32_t from = 0; from < weights_.size(); ++from) {
      for (uint32_t to = 0; to < weights_.size(); ++to) {
        if (from != to) shares.push_back({from, to, pooled * weights_[from] * weights_[to]});
      }
    }
    return shares;
  }

  // Against every law that the counts allow: what cutting planes left is mended by as large a pool as it
  // takes. A pool of all rows tells nothing, whatever the law.
  bool with_least_pool(SwapFound& result, const std::vector<ClassShare>& shares) const {
    for (double pooled = 1e-9;; pooled = std::min(1.0, 4 * pooled)) {
      if (is_proved(result, exchange_rows(rows_, with_some_pooled(shares, pooled), patience_.progress)))
        return true;
      if (pooled > 1e-6 && options_.least_kept > 0) throw not_so_many("");
      if (pooled == 1) throw not_proved();
    }
  }

  void run_in_blocks(SwapFound& result) const {
    result.in_blocks = weights_.size();
    if (!is_own_class() && !counts_columns()) result.bound = std::max(result.bound, least_change(problem(0)));
    for (double margin : kMargins) {
      if (margin < kLeastBlockMargin) continue;
      BlockExchange found = exchange_in_blocks(problem(margin), rows_, counts_columns(),
                                               most_classes_of_block(weights_.size(), laws()), patience_);
      if (found.outcome == Circulation::kInfeasible) throw not_so_many(", where rows trade places in blocks");
      result.unfinished = result.unfinished || found.outcome == Circulation::kStopped;
      if (is_proved(result, std::move(found.exchange))) return;
    }
    throw not_proved();
  }

  static Error not_so_many(std::string_view where) {
    return Error(
        ErrorKind::kGuarantee,
        fmt::format("--least-kept: at this epsilon not so many of every kind of row can stay{}", where),
        "lower --least-kept, or raise --epsilon");
  }
  static Error not_proved() {
    return Error(ErrorKind::kGuarantee, "--method swap: no flows were found that could be proved",
                 "raise --epsilon or --time-limit, make a column that somebody may know --known, or take "
                 "--method exact");
  }

  // Whether the linear programme of all classes would take too long: by their number, never by the clock.
  bool is_large() const { return !boxes_ && weights_.size() > most_classes_at_once(laws()); }
  // How many laws give mass to a class, on average.
  size_t laws() const {
    const size_t secrets = width(), classes = weights_.size();
    size_t present = 0;
    for (const std::vector<double>& masses : masses_) {
      for (size_t a = 0; a < classes; ++a) {
        const auto begin = masses.begin() + static_cast<std::ptrdiff_t>(a * secrets);
        present += std::any_of(begin, begin + static_cast<std::ptrdiff_t>(secrets),
                               [](double mass) { return mass > 0; });
      }
    }
    return secrets * ((present + classes - 1) / classes);
  }
  // Laws of a prior: the mixture is one more than the secrets.
  size_t width() const { return part_.scenario.secrets.size() + (part_.scenario.is_of_belief() ? 1 : 0); }
  bool counts_columns() const { return options_.by_columns && part_.scenario.is_joint(); }

  bool is_own_class() const {
    if (boxes_) return true;
    if (part_.scenario.is_joint()) return options_.by_columns && part_.points.size() <= kMostExactRows;
    return measure_.kind != ErrorMeasure::kZeroOne;
  }

  void find_classes() {
    if (is_own_class()) {
      rows_.classes.resize(part_.points.size());
      std::iota(rows_.classes.begin(), rows_.classes.end(), 0);
    } else {
      rows_.classes = classes_by_proportion(part_);
    }
    weights_.assign(1 + *std::max_element(rows_.classes.begin(), rows_.classes.end()), 0);
    for (size_t x = 0; x < rows_.classes.size(); ++x)
      weights_[rows_.classes[x]] += static_cast<double>(part_.counts[x]) / static_cast<double>(part_.rows);
  }

  void find_masses() {
    const size_t laws = width();
    for (const Prior& prior : part_.scenario.priors) {
      std::vector<double>& masses = masses_.emplace_back(weights_.size() * laws, 0);
      const std::vector<double> shares = approximate_shares(part_.scenario, prior);
      for (size_t s = 0; s < prior.by_secret.size(); ++s) {
        const Distribution& law = prior.by_secret[s];
        const std::vector<double> mass = law.approximate_masses();
        for (size_t k = 0, x = 0; k < law.size(); ++k, ++x) {
          while (part_.points[x] != law.atoms()[k]) ++x;
          masses[rows_.classes[x] * laws + s] += mass[k];
          if (!shares.empty()) masses[rows_.classes[x] * laws + shares.size()] += shares[s] * mass[k];
        }
      }
    }
  }

  CirculationProblem problem(double margin) const {
    const Scenario& scenario = part_.scenario;
    CirculationProblem problem{.weights = weights_,
                               .secrets = width(),
                               .masses = masses_,
                               .epsilon = approximate_budget(scenario, margin).epsilon,
                               .least_kept = options_.least_kept};
    if (!scenario.is_plain()) {
      for (const ApproximateLimit& limit : approximate_limits(scenario, margin))
        problem.limits.push_back({limit.first, limit.second, limit.growth});
    } else if (!scenario.pairs.is_all()) {
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

  bool is_proved(SwapFound& result, RowExchange exchange) const {
    Swap swap{{{part_.scenario.priors.front().known, part_.points, std::move(exchange.totals), {}}}};
    std::vector<SwapFlow>& flows = swap.strata.front().flows;
    flows.reserve(exchange.flows.size());
    for (const RowFlow& flow : exchange.flows) flows.push_back({flow.from, flow.to, flow.weight});
    Mechanism mechanism = std::move(swap);
    const bool holds = prove(part_.scenario, mechanism, patience_.progress).holds;
    result.swap = std::move(std::get<Swap>(mechanism).strata.front());
    return holds;
  }

  const SwapPart& part_;
  const ErrorMeasure& measure_;
  const OptimumOptions& options_;
  const Patience& patience_;
  ExchangedRows rows_;
  std::optional<BoxedLaws> boxes_;           // where laws have bounds
  std::vector<double> weights_;              // by class
  std::vector<std::vector<double>> masses_;  // by prior: [class * secrets + secret]
  std::vector<double> distances_;            // between classes, where columns count
};

void check_swappable_within_boxes(const Scenario& scenario) {
  const std::vector<int64_t> domain =
      scenario.confidence ? domain_of(scenario, ErrorKind::kUsage) : scenario.values();
  if (domain != scenario.own_support()) {
    throw usage("--method swap: with a confidence every value that can occur must occur in the table",
                "declare fewer values: a wider --bin, a narrower --clip, a shorter --order; or use --method "
                "exact or channel");
  }
  if (!fits_boxed_circulation(domain.size(), scenario.secrets.size() * scenario.priors.size())) {
    throw usage(
        fmt::format("--method swap: with a confidence {} values of {} secrets under {} priors are too many",
                    domain.size(), scenario.secrets.size(), scenario.priors.size()),
        fmt::format("the square of the values, times secrets, times priors, may be {}: declare fewer values "
                    "(a wider --bin or --step), or use --method exact",
                    kMostBoxedCells));
  }
}

void check_swappable(const Scenario& scenario) {
  if (!scenario.delta.is_zero())
    throw usage("--method swap: values that trade places keep a pure epsilon",
                "leave out --delta, or use --method exact");
  if (scenario.has_boxes()) check_swappable_within_boxes(scenario);
  if (scenario.source && scenario.source->weight) {
    throw usage(
        "--method swap: rows that trade places would keep weighted frequencies, and are released without "
        "weights",
        "leave out --weight, or use --method exact");
  }
  if (scenario.has_laws() || scenario.blur() != 0)
    throw usage("--method swap: a law that a model states has no rows", "use --method exact");
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
  size_t in_blocks = 0;
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
    in_blocks = std::max(in_blocks, one.in_blocks);
    swap.strata.push_back(std::move(one.swap));
  }
  found.mechanism = std::move(swap);
  const double error = mean_error(scenario, found.mechanism, measure);
  bound = std::max(0.0, bound * (1 - 1e-7) - 1e-9);
  if (!task.optimum.by_columns || !scenario.is_joint()) {
    if (measure.kind == ErrorMeasure::kSquared && in_blocks == 0) found.bound = bound;
    if (measure.kind == ErrorMeasure::kZeroOne) {
      found.note =
          fmt::format("{:.4f} % of the rows change; no way to trade places changes less than {:.4f} %",
                      100 * error, std::floor(1e6 * std::min(bound, error)) / 1e4);
    } else if (in_blocks == 0) {
      found.note = fmt::format("the {} error is {}; no way to trade places has less than {}", measure.name(),
                               for_people(error, 7), for_people(std::min(bound, error), 7));
    }
  }
  if (task.optimum.by_columns && scenario.is_joint())
    found.note = "changed columns are made few (--cost columns), not changed rows";
  if (in_blocks > 0) {
    if (!found.note.empty()) found.note += "; ";
    found.note += fmt::format(
        "{} ({}): rows trade places in blocks, and the least "
        "that must change is not known any better",
        kInBlocks, in_blocks);
  }
  if (found.unfinished) found.note += fmt::format("; {}", kTimeIsOver);
  return found;
}

}  // namespace fugu::inline in_calibrate
