// The channel of least error (docs/math.md, section 8).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fugu/calibrate/box_loss.h"
#include "fugu/calibrate/channel_tables.h"
#include "fugu/calibrate/optimum.h"
#include "fugu/calibrate/privacy_rows.h"
#include "fugu/calibrate/unbiased.h"
#include "fugu/core/error.h"
#include "fugu/solve/by_columns.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr size_t kMostRounds = 60;  // of cutting planes
constexpr double kCloseEnough = 1e-4;
constexpr double kMoment = 5;           // seconds
constexpr double kWorthARound = 1e-9;   // of a mass: less is left to the repair
constexpr size_t kManyShares = 20'000;  // of inputs at outputs, from which a part of them is solved for first
constexpr size_t kNearOutputs = 8, kSpreadOutputs = 8;  // of an input, to begin with

class ChannelSearch {
 public:
  // `task` ends with the limit, by its progress; `progress` does not.
  ChannelSearch(const Task& task, const TimeLimit& limit, const Progress& progress)
      : task_(task), scenario_(task.scenario), patience_{progress, limit.search}, last_(limit.last) {
    std::vector<Distribution> all;
    for (const Prior& prior : scenario_.priors)
      all.insert(all.end(), prior.by_secret.begin(), prior.by_secret.end());
    inputs_ = union_support(all);
    if (scenario_.has_boxes()) inputs_ = boxes_.emplace(scenario_).domain();
    outputs_ = task.optimum.outputs;
    if (outputs_.empty() && task.optimum.unbiased) outputs_ = unbiased_outputs(scenario_, inputs_);
    // The values that occur: so that another prior can only make the error larger.
    if (outputs_.empty()) {
      outputs_ = scenario_.own_support();
      const auto [low, high] = scenario_.range();
      if (scenario_.clamps()) std::erase_if(outputs_, [&](int64_t y) { return y < low || y > high; });
    }
    check();
    double people = 0;
    const auto population = scenario_.population(inputs_);
    const auto longest = msb(*std::max_element(population.begin(), population.end()));
    const unsigned spare = longest > 900 ? static_cast<unsigned>(longest) - 900 : 0;  // for doubles
    for (const Integer& count : population)
      population_.push_back(static_cast<double>(Integer(count >> spare)));
    for (double count : population_) people += count;
    for (double& share : population_) share /= people;
    costs_ = costs_of(task.optimum.measure, scenario_.lattice, inputs_, outputs_);
  }

  Found run() {
    if (in_time(last_, [&] { return needs_nothing(); }).value_or(false))
      return {identity_channel(inputs_), {}, 0.0};
    if (task_.optimum.unbiased) {
      check_unbiased_outputs(scenario_, inputs_, outputs_);
      partner_ = unbiased_partner(scenario_, inputs_, outputs_);
    }
    const LpResult first = solve_for(0);
    if (first.outcome == LpResult::kInfeasible) {
      throw Error(ErrorKind::kGuarantee, "no unbiased channel with these outputs attains the budget",
                  "let --outputs reach farther beyond the values, or raise --epsilon");
    }
    if (!is_capped(scenario_)) bound_ = std::max(0.0, first.bound * unit_);
    if (!first.values.empty()) consider(repair(table_of(first)));
    if (!task_.optimum.unbiased) consider(constant());
    // Where this is not known to be the least, tighter budgets may come out better: their channels serve too.
    const Deadline moment = Deadline::in(kMoment);
    for (double share : {1e-9, 1e-7, 1e-5, 1e-3, 0.1, 0.5, 0.9}) {
      // A few parts in a million are worth a moment, no more.
      const bool close = best_ && error_ <= bound_ * (1 + kCloseEnough);
      if (is_least() || first.is_unfinished() || patience_.is_over()) break;
      if (close && moment.is_over()) break;
      const LpResult result = solve_for(share);
      if (result.outcome == LpResult::kInfeasible || result.values.empty()) break;
      consider(repair(table_of(result)));
    }
    if (!task_.optimum.unbiased && error_ > 1.1 * bound_) {
      // Exact Laplace noise, its outcome moved to the nearest output: a channel that is always there.
      if (const auto scale = in_time(last_, [&] { return exact_scale(task_); }))
        consider(repair(folded_laplace(*scale, scenario_.lattice, inputs_, outputs_)));
    }
    if (!best_ && !partner_.empty()) consider(unbiased_fallback(scenario_, inputs_, outputs_));
    if (!best_) {
      throw Error(
          ErrorKind::kGuarantee, "no unbiased channel could be proved",
          "let --outputs reach farther beyond the values, give a longer --time-limit, or raise --epsilon");
    }
    Found found{*best_, {}, bound_};
    if (is_least()) return found;
    found.unfinished = first.is_unfinished() || patience_.is_over();
    found.note = found.unfinished ? fmt::format("{}: this is the best that was proved until then",
                                                first.is_unfinished() ? why_unfinished(first) : kTimeIsOver)
                                  : fmt::format("{}: that lies between {} and {}", kNotKnownLeast,
                                                for_people(bound_, 6), for_people(error_, 6));
    return found;
  }

 private:
  // Keeps the better one, by the exact error of its integers.
  void consider(std::optional<Channel> channel) {
    if (!channel) return;
    const double error = mean_error(scenario_, *channel, task_.optimum.measure);
    if (best_ && !(error < error_)) return;
    best_ = std::move(channel);
    error_ = error;
  }
  bool is_least() const { return best_ && error_ - bound_ <= 1e-6 * error_; }

  LpResult solve_for(double share) {
    auto result = in_time(patience_.deadline, [&] {
      if (boxes_) return solve_with_cuts(share);
      // Without bias nobody knows beforehand with which part there is a channel at all.
      if (task_.optimum.unbiased || inputs_.size() * outputs_.size() < kManyShares)
        return solve(programme(share), patience_);
      if (chosen_.empty()) chosen_ = first_columns();
      return solve_by_columns(programme(share), {inputs_.size(), outputs_.size()}, chosen_, patience_);
    });
    return result.value_or(LpResult{.outcome = LpResult::kStopped});
  }

  void check() const {
    const ErrorMeasure& measure = task_.optimum.measure;
    if (!measure.covers(inputs_, outputs_)) {
      throw Error(ErrorKind::kData, "--loss: the table lacks a value or an output",
                  "give it a row for each value and a column for each output");
    }
    const auto [low, high] = scenario_.range();
    if (scenario_.clamps() && (outputs_.front() < low || outputs_.back() > high)) {
      throw Error(ErrorKind::kUsage,
                  "--outputs: released values are held within the range of the data, or of --clip",
                  "name outputs within it, or give --range free");
    }
    double coefficients = static_cast<double>(inputs_.size()) * static_cast<double>(outputs_.size());
    for (const Prior& prior : scenario_.priors) {
      for (const Distribution& secret : prior.by_secret)
        coefficients += static_cast<double>(secret.size()) * static_cast<double>(outputs_.size());
    }
    if (!scenario_.delta.is_zero() || !scenario_.pairs.is_all() || !scenario_.is_plain()) {
      coefficients += 6.0 * static_cast<double>(scenario_.pair_count() * scenario_.priors.size()) *
                      static_cast<double>(outputs_.size());
    }
    if (coefficients > kMostCoefficients) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format("--method channel: the linear programme would have {} coefficients, more than {}",
                      for_people(coefficients, 3), for_people(kMostCoefficients, 3)),
          "give a coarser --step or fewer --outputs; --method exact has no such limit");
    }
  }

  // Whether every value may be released as it is, and nothing can be better than that.
  bool needs_nothing() const {
    return task_.optimum.measure.kind != ErrorMeasure::kTable &&
           std::includes(outputs_.begin(), outputs_.end(), inputs_.begin(), inputs_.end()) &&
           prove(scenario_, no_noise("none"), task_.progress).holds;  // at once
  }

  size_t variable(size_t input, size_t output) const { return input * outputs_.size() + output; }

  // With a budget that is tighter by that share.
  LinearProgramme programme(double share) {
    LinearProgramme lp;
    // Costs in units of what the best constant output costs.
    unit_ = std::numeric_limits<double>::max();
    for (size_t k = 0; k < outputs_.size(); ++k) unit_ = std::min(unit_, column_cost(k));
    if (!(unit_ > 0)) unit_ = 1;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      patience_.check("writing a linear programme");
      for (size_t k = 0; k < outputs_.size(); ++k) lp.add_variable(population_[i] * costs_[i][k] / unit_, 1);
    }
    const double span = static_cast<double>(outputs_.back() - outputs_.front()) + 1;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      patience_.check("writing a linear programme");
      std::vector<LpTerm> whole, mean;
      for (size_t k = 0; k < outputs_.size(); ++k) {
        whole.push_back({variable(i, k), 1});
        mean.push_back({variable(i, k), static_cast<double>(outputs_[k] - inputs_[i]) / span});
      }
      lp.add_row(1, 1, whole);
      if (task_.optimum.unbiased) lp.add_row(0, 0, mean);
    }
    for (const Prior& prior : scenario_.priors) {
      PrivacyRows rows(lp, scenario_, prior, share, PrivacyRows::Masses::kNamed);
      std::vector<std::vector<double>> masses;
      masses.reserve(prior.by_secret.size());
      for (const Distribution& secret : prior.by_secret) masses.push_back(secret.approximate_masses());
      for (size_t k = 0; k < outputs_.size(); ++k) {
        patience_.check("writing a linear programme");
        std::vector<std::vector<LpTerm>> terms(prior.by_secret.size());
        for (size_t s = 0; s < prior.by_secret.size(); ++s) {
          const auto atoms = prior.by_secret[s].atoms();
          for (size_t a = 0; a < atoms.size(); ++a)
            terms[s].push_back({variable(row_of(atoms[a]), k), masses[s][a]});
        }
        rows.add_output(terms, 1, 1, 1);
      }
      rows.finish();
    }
    return lp;
  }

  // The outputs that cost an input least, some of all, and the one that is best on average, which makes a
  // channel by itself.
  std::vector<bool> first_columns() const {
    std::vector<bool> chosen(inputs_.size() * outputs_.size(), false);
    const size_t best = best_output(), apart = std::max<size_t>(1, outputs_.size() / kSpreadOutputs);
    std::vector<size_t> order(outputs_.size());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      std::iota(order.begin(), order.end(), size_t{0});
      const size_t near = std::min(kNearOutputs, order.size());
      std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(near), order.end(),
                        [&](size_t a, size_t b) { return costs_[i][a] < costs_[i][b]; });
      for (size_t k = 0; k < near; ++k) chosen[variable(i, order[k])] = true;
      for (size_t k = i % apart; k < outputs_.size(); k += apart) chosen[variable(i, k)] = true;
      chosen[variable(i, best)] = true;
    }
    return chosen;
  }

  static std::vector<double> column(const ChannelTable& table, size_t k) {
    std::vector<double> result;
    for (const auto& row : table) result.push_back(row[k]);
    return result;
  }

  // Cutting planes: the programme with the laws found so far, then the laws that its answer fails, until what
  // is lacking is not worth another round. A programme with fewer laws is still a bound.
  LpResult solve_with_cuts(double share) {
    LinearProgramme lp = programme(share);
    const double growth = std::exp(approximate_budget(scenario_, share).epsilon);
    for (size_t round = 0;; ++round) {
      LpResult result = solve(lp, patience_);
      if (result.values.empty() || result.outcome == LpResult::kInfeasible) return result;
      const ChannelTable table = table_of(result);
      bool complete = true;
      for (size_t k = 0; k < outputs_.size(); ++k) {
        for (const BoxCut& cut : boxes_->cuts(column(table, k), 1e-9)) {
          if (cut.excess < kWorthARound) continue;
          std::vector<LpTerm> row;
          for (size_t i = 0; i < inputs_.size(); ++i)
            row.push_back({variable(i, k), cut.first[i] - growth * cut.second[i]});
          lp.add_row(-kInfinite, 0, row);
          complete = false;
        }
      }
      if (complete || round == kMostRounds) return result;
      if (patience_.is_over()) result.outcome = LpResult::kStopped;
      if (result.is_unfinished()) return result;
    }
  }

  size_t row_of(int64_t value) const {
    return static_cast<size_t>(std::lower_bound(inputs_.begin(), inputs_.end(), value) - inputs_.begin());
  }

  size_t best_output() const {
    size_t best = 0;
    for (size_t k = 1; k < outputs_.size(); ++k) {
      if (column_cost(k) < column_cost(best)) best = k;
    }
    return best;
  }

  double column_cost(size_t k) const {
    double cost = 0;
    for (size_t i = 0; i < inputs_.size(); ++i) cost += population_[i] * costs_[i][k];
    return cost;
  }

  // Rows that add up to 1.
  ChannelTable table_of(const LpResult& result) const {
    ChannelTable table;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const auto begin = result.values.begin() + static_cast<std::ptrdiff_t>(variable(i, 0));
      std::vector<double> row(begin, begin + static_cast<std::ptrdiff_t>(outputs_.size()));
      double sum = 0;
      for (double share : row) sum += share;
      if (!(sum > 0)) row.assign(row.size(), sum = 1);
      for (double& share : row) share /= sum;
      table.push_back(std::move(row));
    }
    return table;
  }

  // What each output must gain, whatever the input, so that no two masses are further apart than the budget
  // allows: by e^epsilon, or with delta by so much more that the excess of a pair adds up to delta.
  std::vector<double> lacking(const ChannelTable& table) const {
    std::vector<double> result(outputs_.size(), 0), excess(outputs_.size());
    if (boxes_) {
      for (size_t k = 0; k < result.size(); ++k) result[k] = boxes_->lacking(column(table, k));
      return result;
    }
    const double delta = static_cast<double>(scenario_.delta.value());
    const std::vector<ApproximateLimit> limits = approximate_limits(scenario_);
    for (const Prior& prior : scenario_.priors) {
      ChannelTable mass(prior.by_secret.size(), std::vector<double>(outputs_.size(), 0));
      for (size_t s = 0; s < prior.by_secret.size(); ++s) {
        const std::vector<double> masses = prior.by_secret[s].approximate_masses();
        for (size_t a = 0; a < masses.size(); ++a) {
          const auto& row = table[row_of(prior.by_secret[s].atoms()[a])];
          for (size_t k = 0; k < row.size(); ++k) mass[s][k] += masses[a] * row[k];
        }
      }
      add_mixture(mass, approximate_shares(scenario_, prior));
      for (const ApproximateLimit& limit : limits) {
        const auto &high = mass[limit.first], &low = mass[limit.second];
        const double growth = std::exp(limit.epsilon);
        double sum = 0;
        for (size_t k = 0; k < excess.size(); ++k)
          sum += excess[k] = std::max(0.0, high[k] - growth * low[k]);
        if (sum <= delta) continue;
        const double too_much = 1 - delta / sum;
        for (size_t k = 0; k < result.size(); ++k)
          result[k] = std::max(result[k], too_much * excess[k] / (growth - 1));
      }
    }
    return result;
  }

  // The partner to mix with: the same for every input, so that it tells nothing.
  std::vector<double> ignoring_row(const ChannelTable& table, double& lack) const {
    std::vector<double> row(outputs_.size(), 0);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      for (size_t k = 0; k < row.size(); ++k) row[k] += table[i][k] / static_cast<double>(inputs_.size());
    }
    lack = 0;
    const std::vector<double> needed = lacking(table);
    for (double share : needed) lack += share;
    if (lack > 0) {
      for (size_t k = 0; k < row.size(); ++k) row[k] = 0.001 * row[k] + 0.999 * needed[k] / lack;
    }
    return row;
  }

  Channel channel_of(const ChannelTable& table) const {
    return fugu::channel_of(table, inputs_, outputs_, task_.optimum.unbiased, task_.progress);
  }

  bool holds(const Channel& channel) const {
    report(task_.progress, 0.9, "proving the channel");
    return prove(scenario_, channel, task_.progress).holds;
  }

  // With the least share of the partner that makes the table provable, as far as there is time.
  std::optional<Channel> repair(const ChannelTable& table) const {
    std::optional<Channel> accepted;
    in_time(last_, [&] { return repair(table, accepted); });
    return accepted;
  }

  // Whether there is any; each that is proved takes the place of the one before.
  bool repair(const ChannelTable& table, std::optional<Channel>& accepted) const {
    auto holds_now = [&](Channel channel) {
      if (!holds(channel)) return false;
      accepted = std::move(channel);
      return true;
    };
    // Without a partner, as it is or not at all.
    if (task_.optimum.unbiased && partner_.empty()) return holds_now(channel_of(table));
    ChannelTable partner;
    double weight = 0;
    if (task_.optimum.unbiased) {
      partner = partner_;
    } else {
      partner.assign(inputs_.size(), ignoring_row(table, weight));
      weight *= 1.0011;
    }
    auto mixed = [&](double by) {
      ChannelTable sum = table;
      for (size_t i = 0; i < sum.size(); ++i) {
        for (size_t k = 0; k < sum[i].size(); ++k) sum[i][k] = (1 - by) * sum[i][k] + by * partner[i][k];
      }
      return channel_of(sum);
    };
    double refused = 0;
    while (!holds_now(mixed(weight))) {
      refused = weight;
      if (weight >= 1) return false;
      weight = std::min(1.0, std::max(weight * 4, 1e-15));
    }
    // Down to what is not worth another proof.
    while (refused > 0 && weight > 1.2 * refused) {
      const double middle = std::sqrt(weight * refused);
      (holds_now(mixed(middle)) ? weight : refused) = middle;
    }
    return true;
  }

  // Always the one output that is best on average: it tells nothing at all.
  Channel constant() const {
    return {inputs_, {outputs_[best_output()]}, std::vector(inputs_.size(), std::vector<Integer>{1})};
  }

  const Task& task_;
  const Scenario& scenario_;
  Patience patience_;  // of the programmes
  Deadline last_;      // of their repair
  std::vector<int64_t> inputs_, outputs_;
  std::vector<double> population_;  // shares, by input
  ChannelTable costs_;
  std::optional<Channel> best_;
  double error_ = kInfinite, bound_ = 0;  // of the best; below every channel's
  std::optional<BoxLoss> boxes_;          // where laws have bounds
  ChannelTable partner_;                  // of the repair, where the channel is to be unbiased
  double unit_ = 1;
  std::vector<bool> chosen_;  // shares that a programme was solved with, where they are many
};

}  // namespace

Found optimal_channel(const Task& task) {
  check_confidence(task);
  if (task.optimum.unbiased && task.scenario.clamps()) {
    throw Error(ErrorKind::kUsage, "--unbiased: released values are held within the range of the data",
                "categories have no mean; for numbers give --range free");
  }
  if (task.optimum.unbiased && !task.scenario.is_plain()) {
    throw Error(ErrorKind::kUsage, "--unbiased: it is for one epsilon and the odds between secrets",
                "leave out --unbiased, or promise one epsilon for the odds");
  }
  const TimeLimit limit = time_limit_of(task);
  const Progress watched = limit.last.watched(task.progress);
  const Task timed{task.scenario, task.family, watched, task.farthest, task.optimum};
  return ChannelSearch(timed, limit, task.progress).run();
}

}  // namespace fugu::inline in_calibrate
