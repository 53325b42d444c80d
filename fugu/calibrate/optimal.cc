// The additive noise of least error (docs/math.md, section 7): free weights up to a reach, geometric tails.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "fugu/calibrate/box_loss.h"
#include "fugu/calibrate/laplace_tail.h"
#include "fugu/calibrate/optimum.h"
#include "fugu/calibrate/privacy_rows.h"
#include "fugu/core/error.h"
#include "fugu/core/search.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kGain = 5e-4;  // a longer reach or another tail that gains less is not looked for
// The tails are those of a wider Laplace than attains the budget: that Laplace has room to spare and the same
// tails, so that mixing with it repairs what the solver's rounding broke, in one shape.
constexpr double kLeastFactor = 1.05, kFirstFactor = 1.25;
constexpr size_t kMostNoiseRounds = 40;     // of cutting planes
constexpr double kWorthANoiseRound = 1e-7;  // of the Laplace's mass: less is left to the repair
constexpr int kMostProgrammes = 40;         // that one search solves
constexpr double kMostProducts = 4e9;       // in one iteration of the solver: some seconds

// Under one prior, at one output, the largest mass over the least.
struct TightPair {
  size_t prior;
  int64_t output;
  size_t high, low;
  friend auto operator<=>(const TightPair&, const TightPair&) = default;
};

// Under one prior, by output, secret and variable: what the variable adds to the mass, in units of the
// largest mass that the Laplace has there.
struct OutputMasses {
  std::vector<int64_t> outputs;
  size_t secrets, variables;
  std::vector<double> terms;
  const double* of(size_t output, size_t secret) const {
    return terms.data() + (output * secrets + secret) * variables;
  }
};

// One answer of a programme: v by variable.
struct Guess {
  Tail tail;
  int64_t reach = 0;
  std::vector<double> values;
  double value = kInfinite;  // of the error, in data units
  double bound = 0;
  double tail_share = 1;  // of the error: from beyond the reach
};

class Search {
 public:
  Search(const Task& task, Scale laplace_scale, const Deadline& deadline)
      : task_(task),
        scenario_(task.scenario),
        // The bound is coarse here, with weights that range over many orders.
        patience_{.progress = task.progress, .deadline = deadline, .good_gap = 1e-3},
        symmetric_(!task.optimum.asymmetric),
        power_(task.optimum.measure.kind == ErrorMeasure::kAbsolute ? 1 : 2),
        step_(static_cast<double>(scenario_.lattice.step)),
        scale_(laplace_scale) {
    if (scenario_.has_boxes()) boxes_.emplace(scenario_);
    for (const Prior& prior : scenario_.priors) {
      supports_.push_back(boxes_ ? boxes_->domain() : union_support(prior.by_secret));
    }
  }

  // The least error found; nullopt when no programme could be solved.
  std::optional<Guess> run() {
    Guess best;
    if (!in_time(patience_.deadline, [&] { return improve(best); })) stopped_ = kTimeIsOver;
    return best.values.empty() ? std::nullopt : std::optional(std::move(best));
  }

  // What ended the search before it could find no better; null where nothing did.
  const char* ended_by() const { return stopped_ ? stopped_ : too_large_ ? kTooLarge : nullptr; }

  // What would be drawn.
  Noise noise_of(const Guess& guess, const std::vector<double>& values) const;

 private:
  // Whether any was found.
  bool improve(Guess& best) {
    double factor = kFirstFactor;
    grow(best, first_reach(), factor);
    // Another tail cannot gain more than the tails cost.
    if (best.values.empty() || best.tail_share < kGain) return !best.values.empty();
    for (double by : {1.5, 1.1}) {
      for (bool moved = true; moved && !over();) {
        moved = false;
        for (double next : {factor * by, factor / by}) {
          if (next < kLeastFactor || over()) continue;
          Guess other = solve_at(best.reach, next);
          if (other.value >= best.value * (1 - kGain)) continue;
          best = std::move(other);
          factor = next;
          moved = true;
          break;
        }
      }
    }
    grow(best, best.reach + best.reach / 2 + 1, factor);
    return true;
  }
  int64_t first_reach() const {
    return static_cast<int64_t>(
        std::ceil(std::max({8.0, 2 * scale_.value / step_, 2.0 * static_cast<double>(task_.farthest)})));
  }
  bool over() const { return stopped_ || programmes_ >= kMostProgrammes; }

  void grow(Guess& best, int64_t reach, double factor) {
    while (!over()) {
      if (!fits(reach)) too_large_ = true;
      if (too_large_) return;
      Guess longer = solve_at(reach, factor);
      const bool gains = longer.value < best.value * (1 - kGain);
      if (longer.value < best.value) best = std::move(longer);
      if (!gains) return;
      reach += reach / 2 + 1;
    }
  }

  std::vector<int64_t> outputs(const std::vector<int64_t>& support, int64_t reach) const;
  bool fits(int64_t reach) const;
  Tail tail_at(double factor) const;
  size_t variable(int64_t z, int64_t reach) const {
    return static_cast<size_t>(symmetric_ ? std::min(std::llabs(z), static_cast<long long>(reach))
                                          : std::clamp(z, -reach, reach) + reach);
  }
  size_t add_weights(LinearProgramme& lp, const Tail& tail, int64_t reach, double laplace_error) const;
  void add_privacy(LinearProgramme& lp, const Tail& tail, int64_t reach, size_t p);
  Guess solve_at(int64_t reach, double factor);
  LpResult solve_with_cuts(LinearProgramme& lp, const Tail& tail, int64_t reach);
  bool compares_extremes() const {
    return !boxes_ && scenario_.delta.is_zero() && scenario_.pairs.is_all() && scenario_.is_plain() &&
           scenario_.secrets.size() > 2;
  }
  OutputMasses masses_of(const Tail& tail, int64_t reach, size_t variables, size_t p);
  LpResult solve_with_extremes(LinearProgramme& lp, const Tail& tail, int64_t reach);

  const Task& task_;
  const Scenario& scenario_;
  Patience patience_;
  bool symmetric_;
  int power_;
  double step_;
  Scale scale_;  // of exact Laplace
  int programmes_ = 0;
  const char* stopped_ = nullptr;  // why, in words
  bool too_large_ = false;
  std::optional<BoxLoss> boxes_;                // where laws have bounds
  std::vector<std::vector<int64_t>> supports_;  // by prior
  std::set<TightPair> tight_;                   // in the last programme's answer
  int64_t tight_reach_ = -1;                    // of that programme
};

// Where the masses of two secrets can have another ratio than next door (docs/math.md, section 5). With delta
// every output counts, and the outermost stand for the tails beyond.
std::vector<int64_t> Search::outputs(const std::vector<int64_t>& support, int64_t reach) const {
  std::vector<int64_t> result;
  const bool pure = scenario_.delta.is_zero();
  if (!pure) {
    for (int64_t y = support.front() - reach; y <= support.back() + reach; ++y) result.push_back(y);
    return result;
  }
  for (int64_t atom : support) {
    const int64_t first = result.empty() ? atom - reach : std::max(atom - reach, result.back() + 1);
    for (int64_t y = first; y <= atom + reach; ++y) result.push_back(y);
  }
  return {result.begin() + 1, result.end() - 1};  // at the outermost the tails alone decide
}

bool Search::fits(int64_t reach) const {
  double coefficients = 0;
  for (size_t p = 0; p < supports_.size(); ++p) {
    const auto& support = supports_[p];
    const double span = static_cast<double>(support.back() - support.front()) + 1,
                 wide = 2.0 * static_cast<double>(reach);
    const double count = scenario_.delta.is_zero()
                             ? std::min(span + wide, static_cast<double>(support.size()) * (wide + 1))
                             : span + wide;
    // Each secret has a row, or with delta, or a list of pairs, each pair one in either direction.
    const auto& given = scenario_.priors[p].by_secret;
    auto atoms = [&](size_t s) { return static_cast<double>(given[s].size()); };
    double terms = 0;
    if (scenario_.is_of_belief()) {
      const double all = static_cast<double>(support.size());
      for (size_t s = 0; s < given.size(); ++s) terms += 2 * std::min(atoms(s) + all, wide);
    } else if (scenario_.delta.is_zero() && scenario_.pairs.is_all() && scenario_.is_plain()) {
      for (size_t s = 0; s < given.size(); ++s) terms += std::min(atoms(s), wide);
    } else {
      for (auto [a, b] : scenario_.pairs.list(given.size())) terms += 2 * std::min(atoms(a) + atoms(b), wide);
    }
    coefficients += count * terms;
  }
  // Each of some thirty iterations multiplies every row with itself.
  const double products = coefficients * 2 * static_cast<double>(reach);
  return coefficients <= kMostCoefficients && products <= kMostProducts;
}

Tail Search::tail_at(double factor) const {
  const Scale wider{scale_.value * factor};
  const double log_ratio = -step_ / wider.value;
  return {Laplace().at(wider, scenario_.lattice, 0).tail, std::exp(log_ratio), log_ratio};
}

// A variable for each weight, as a multiple of the Laplace's, with what it costs; all of them make a law.
size_t Search::add_weights(LinearProgramme& lp, const Tail& tail, int64_t reach, double laplace_error) const {
  const auto far = static_cast<double>(reach);
  const double edge = tail.laplace(reach);
  std::vector<LpTerm> whole, mean;
  const int64_t first = symmetric_ ? 0 : -reach;
  for (int64_t z = first; z <= reach; ++z) {
    const bool at_edge = std::llabs(z) == reach;
    const double sides = symmetric_ && z != 0 ? 2 : 1;
    const double mass = sides * (at_edge ? edge * tail_sum(tail.ratio, far, 0) : tail.laplace(z));
    const double cost =
        sides * (at_edge ? edge * tail_sum(tail.ratio, far, power_)
                         : tail.laplace(z) * std::pow(std::fabs(static_cast<double>(z)), power_));
    const double relative = cost / laplace_error;
    const size_t v = lp.add_variable(relative, relative > 0 ? std::min(1 / mass, 1 / relative) : 1 / mass);
    whole.push_back({v, mass});
    const double moment =
        at_edge ? edge * tail_sum(tail.ratio, far, 1) : tail.laplace(z) * std::fabs(static_cast<double>(z));
    mean.push_back({v, z < 0 ? -moment : moment});
  }
  lp.add_row(1, kInfinite, whole);  // less would be cheaper: it is 1
  if (!symmetric_) lp.add_row(0, 0, mean);
  return whole.size();
}

// What the outputs under one prior may give away.
void Search::add_privacy(LinearProgramme& lp, const Tail& tail, int64_t reach, size_t p) {
  std::vector<double> sums(lp.costs.size());
  const Prior& prior = scenario_.priors[p];
  std::vector<std::vector<double>> masses;
  masses.reserve(prior.by_secret.size());
  for (const Distribution& secret : prior.by_secret) masses.push_back(secret.approximate_masses());
  PrivacyRows rows(lp, scenario_, prior, 0, PrivacyRows::Masses::kSpelledOut);
  for (int64_t y : outputs(supports_[p], reach)) {
    patience_.check("writing a linear programme");
    std::vector<std::vector<LpTerm>> by_secret(prior.by_secret.size());
    double unit = 0;
    for (size_t s = 0; s < prior.by_secret.size(); ++s) {
      const auto atoms = prior.by_secret[s].atoms();
      std::vector<size_t> touched;
      double total = 0;
      for (size_t k = 0; k < atoms.size(); ++k) {
        const double part = masses[s][k] * tail.laplace(y - atoms[k]);
        const size_t v = variable(y - atoms[k], reach);
        if (sums[v] == 0) touched.push_back(v);
        sums[v] += part;
        total += part;
      }
      for (size_t v : touched) {
        by_secret[s].push_back({v, sums[v]});
        sums[v] = 0;
      }
      unit = std::max(unit, total);
    }
    for (auto& terms : by_secret) {
      for (LpTerm& term : terms) term.coefficient /= unit;
    }
    const bool outermost = y == supports_[p].front() - reach || y == supports_[p].back() + reach;
    rows.add_output(by_secret, unit, outermost ? 1 / (1 - tail.ratio) : 1, 1 / unit);
  }
  rows.finish();
}

Guess Search::solve_at(int64_t reach, double factor) {
  Guess guess{tail_at(factor), reach, {}};
  const Tail& tail = guess.tail;
  if (!(tail.ratio > 0)) return guess;
  ++programmes_;
  const double laplace_error = 2 * tail.laplace(0) * tail.ratio * tail_sum(tail.ratio, 1, power_);

  LinearProgramme lp;
  const size_t variables = add_weights(lp, tail, reach, laplace_error);
  const bool by_extremes = compares_extremes();
  for (size_t p = 0; !by_extremes && p < scenario_.priors.size(); ++p) add_privacy(lp, tail, reach, p);
  LpResult result = by_extremes ? solve_with_extremes(lp, tail, reach)
                    : boxes_    ? solve_with_cuts(lp, tail, reach)
                                : solve(lp, patience_);
  if (result.is_unfinished()) stopped_ = why_unfinished(result);
  if (result.outcome != LpResult::kSolved || result.values.empty()) return guess;
  guess.tail_share = 0;
  for (size_t edge_variable : {variable(-reach, reach), variable(reach, reach)})
    guess.tail_share += lp.costs[edge_variable] * result.values[edge_variable] / result.value;
  const double in_data_units = laplace_error * std::pow(step_, power_);
  guess.value = result.value * in_data_units;
  guess.bound = std::max(result.bound, 0.0) * in_data_units;
  result.values.resize(variables);
  guess.values = std::move(result.values);
  return guess;
}

// Cutting planes, as for channels: the laws that the answer fails are added until none is worth a round.
LpResult Search::solve_with_cuts(LinearProgramme& lp, const Tail& tail, int64_t reach) {
  const double growth = std::exp(approximate_budget(scenario_, 0).epsilon);
  const auto& domain = boxes_->domain();
  for (size_t round = 0;; ++round) {
    LpResult result = solve(lp, patience_);
    if (result.outcome != LpResult::kSolved || result.values.empty()) return result;
    bool complete = true;
    for (int64_t y : outputs(domain, reach)) {
      patience_.check("looking for laws");
      std::vector<double> kernel, laplace;
      double unit = 0;
      for (int64_t x : domain) {
        laplace.push_back(tail.laplace(y - x));
        kernel.push_back(laplace.back() * result.values[variable(y - x, reach)]);
        unit = std::max(unit, laplace.back());
      }
      for (const BoxCut& cut : boxes_->cuts(kernel, 1e-9)) {
        if (cut.excess < kWorthANoiseRound * unit) continue;
        std::vector<LpTerm> row;
        for (size_t k = 0; k < domain.size(); ++k) {
          row.push_back(
              {variable(y - domain[k], reach), (cut.first[k] - growth * cut.second[k]) * laplace[k] / unit});
        }
        lp.add_row(-kInfinite, 0, row);
        complete = false;
      }
    }
    if (complete || round == kMostNoiseRounds) return result;
  }
}

OutputMasses Search::masses_of(const Tail& tail, int64_t reach, size_t variables, size_t p) {
  const Prior& prior = scenario_.priors[p];
  OutputMasses result{outputs(supports_[p], reach), prior.by_secret.size(), variables, {}};
  result.terms.assign(result.outputs.size() * result.secrets * variables, 0.0);
  std::vector<std::vector<double>> masses;
  masses.reserve(result.secrets);
  for (const Distribution& secret : prior.by_secret) masses.push_back(secret.approximate_masses());
  for (size_t k = 0; k < result.outputs.size(); ++k) {
    patience_.check("writing a linear programme");
    const int64_t y = result.outputs[k];
    double* const begin = result.terms.data() + k * result.secrets * variables;
    double unit = 0;
    for (size_t s = 0; s < result.secrets; ++s) {
      const auto atoms = prior.by_secret[s].atoms();
      double total = 0;
      for (size_t a = 0; a < atoms.size(); ++a) {
        const double part = masses[s][a] * tail.laplace(y - atoms[a]);
        begin[s * variables + variable(y - atoms[a], reach)] += part;
        total += part;
      }
      unit = std::max(unit, total);
    }
    for (size_t t = 0; t < result.secrets * variables; ++t) begin[t] /= unit;
  }
  return result;
}

// Of an output only its largest and its least mass count, and which they are is known once there is an
// answer: the programme with the pairs found so far, then those that its answer fails, until none is. A
// programme with fewer pairs is still a bound.
LpResult Search::solve_with_extremes(LinearProgramme& lp, const Tail& tail, int64_t reach) {
  constexpr double kFails = 1e-8;  // of the Laplace's mass: as much as a solver may leave
  constexpr double kTight = 0.02;  // within which a row is handed on to the next programme
  const size_t variables = lp.costs.size();
  const double growth = std::exp(approximate_budget(scenario_, 0).epsilon);
  std::vector<OutputMasses> all;
  for (size_t p = 0; p < scenario_.priors.size(); ++p) all.push_back(masses_of(tail, reach, variables, p));
  std::set<TightPair> chosen;
  auto add = [&](size_t p, size_t k, size_t high, size_t low) {
    if (high == low || !chosen.insert({p, all[p].outputs[k], high, low}).second) return false;
    const double *first = all[p].of(k, high), *second = all[p].of(k, low);
    std::vector<LpTerm> row;
    for (size_t v = 0; v < variables; ++v) row.push_back({v, first[v] - growth * second[v]});
    lp.add_row(-kInfinite, 0, row);
    return true;
  };
  // Calls visit(prior, output, masses) for each of them.
  auto each_output = [&](const std::vector<double>& values, auto visit) {
    std::vector<double> mass;
    for (size_t p = 0; p < all.size(); ++p) {
      for (size_t k = 0; k < all[p].outputs.size(); ++k) {
        mass.assign(all[p].secrets, 0.0);
        for (size_t s = 0; s < mass.size(); ++s)
          mass[s] = std::inner_product(values.begin(), values.end(), all[p].of(k, s), 0.0);
        visit(p, k, mass);
      }
    }
  };
  auto extremes = [](const std::vector<double>& mass) {
    const auto [low, high] = std::minmax_element(mass.begin(), mass.end());
    return std::pair(static_cast<size_t>(high - mass.begin()), static_cast<size_t>(low - mass.begin()));
  };
  // To begin with, the pairs that were tight; where no programme has looked, those of the Laplace.
  each_output(std::vector<double>(variables, 1.0), [&](size_t p, size_t k, const std::vector<double>& mass) {
    const int64_t y = all[p].outputs[k];
    for (auto tight = tight_.lower_bound({p, y, 0, 0});
         tight != tight_.end() && tight->prior == p && tight->output == y; ++tight)
      add(p, k, tight->high, tight->low);
    const bool was_there = y > supports_[p].front() - tight_reach_ && y < supports_[p].back() + tight_reach_;
    const auto [high, low] = extremes(mass);
    if (!was_there || tight_reach_ < 0) add(p, k, high, low);
  });
  for (size_t round = 0;; ++round) {
    LpResult result = solve(lp, patience_);
    if (result.outcome != LpResult::kSolved || result.values.empty()) return result;
    bool complete = true;
    std::set<TightPair> tight;
    each_output(result.values, [&](size_t p, size_t k, const std::vector<double>& mass) {
      const auto [high, low] = extremes(mass);
      if (mass[high] - growth * mass[low] > kFails && add(p, k, high, low)) complete = false;
      for (auto row = chosen.lower_bound({p, all[p].outputs[k], 0, 0});
           row != chosen.end() && row->prior == p && row->output == all[p].outputs[k]; ++row) {
        if (mass[row->high] > growth * mass[row->low] * (1 - kTight)) tight.insert(*row);
      }
    });
    if (!complete && round < kMostNoiseRounds) continue;
    tight_ = std::move(tight);
    tight_reach_ = reach;
    return result;
  }
}

Noise Search::noise_of(const Guess& guess, const std::vector<double>& values) const {
  Noise noise;
  noise.family = "optimal";
  noise.tail = guess.tail.dyadic;
  constexpr double kLeast = 1e-30;  // of what must not vanish
  const int64_t reach = guess.reach;
  auto value_at = [&](int64_t z) {
    const double value = values[variable(z, reach)];
    return std::llabs(z) == reach || z == 0 ? std::max(value, kLeast) : value;
  };
  const double last = std::log2(std::min(value_at(reach), value_at(-reach))) +
                      guess.tail.log_ratio * static_cast<double>(reach) / std::log(2.0);
  const auto scale_bits = static_cast<uint64_t>(std::max(96.0, 64 - std::floor(last)));
  const Bits bits = static_cast<Bits>(scale_bits + 64);
  const Interval ratio(guess.tail.dyadic.value(), bits);
  noise.weights.clear();
  for (int64_t z = -reach; z <= reach; ++z) {
    const Interval weight =
        pow(ratio, static_cast<uint64_t>(std::llabs(z))) * Interval(exact(value_at(z)), bits);
    noise.weights.push_back(weight.is_zero() ? Integer(0) : weight.ceil_scaled(scale_bits));
  }
  if (!symmetric_) centre(noise);
  return noise;
}

// The least share of the wider Laplace, which is v = 1, that makes what the programme found provable.
std::optional<Noise> repair(const Task& task, const Search& search, const Guess& guess,
                            const Deadline& deadline) {
  auto mixed = [&](double weight) {
    std::vector<double> values = guess.values;
    for (double& value : values) value = (1 - weight) * value + weight;
    return search.noise_of(guess, values);
  };
  // Without time nothing more is accepted.
  auto accepted = [&](double weight) {
    auto proved = [&] {
      report(task.progress, 0.9, "proving the noise");
      return prove(task.scenario, mixed(weight), task.progress).holds;
    };
    return in_time(deadline, proved).value_or(false);
  };
  double known = 0x1p-50;
  while (!accepted(known)) {
    if (known >= 0.5 || deadline.is_over()) return std::nullopt;
    known *= 16;
  }
  return mixed(known == 0x1p-50 ? known : smallest_accepted(accepted, known / 4, known, 4));
}

}  // namespace

Found optimal_noise(const Task& asked) {
  check_confidence(asked);
  const ErrorMeasure& measure = asked.optimum.measure;
  if (measure.kind == ErrorMeasure::kZeroOne || measure.kind == ErrorMeasure::kTable) {
    throw Error(ErrorKind::kUsage, fmt::format("--loss: {} is for channels", measure.name()),
                "use squared or absolute, or --method channel");
  }
  const TimeLimit limit = time_limit_of(asked);
  const Progress watched = limit.last.watched(asked.progress);
  const Task task{asked.scenario, asked.family, watched, asked.farthest, asked.optimum};
  const auto laplace_scale = in_time(limit.last, [&] { return exact_scale(task); });
  if (!laplace_scale) {
    const bool robust = asked.scenario.has_boxes() || !asked.scenario.is_plain();
    return {.mechanism = asked.drawn(robust ? sensitivity_scale(asked) : kantorovich_scale(asked)),
            .note = fmt::format("{}: this is Laplace noise by {} instead", kTimeIsOver,
                                robust ? "sensitivity" : "kantorovich"),
            .unfinished = true};
  }
  if (laplace_scale->value == 0) return {no_noise("optimal"), {}, 0.0};
  const Noise laplace = task.drawn(*laplace_scale);
  auto instead = [&](std::string_view why, bool unfinished) {
    return Found{.mechanism = laplace, .note = std::string(why), .unfinished = unfinished};
  };

  Search search(task, *laplace_scale, limit.search);
  const auto guess = search.run();
  const std::string ended = search.ended_by() ? search.ended_by() : "";
  if (!guess) {
    return instead((ended.empty() ? "the linear programme could not be solved" : ended) +
                       ": this is exact Laplace instead",
                   true);
  }
  const auto noise = repair(task, search, *guess, limit.last);
  if (!noise) {
    return instead(
        fmt::format("{}: this is exact Laplace instead",
                    limit.last.is_over() ? kTimeIsOver : "the linear programme's answer could not be proved"),
        true);
  }
  if (mean_error(task.scenario, *noise, measure) >= mean_error(task.scenario, laplace, measure))
    return instead((ended.empty() ? "" : ended + ": ") + "nothing better than exact Laplace was found",
                   !ended.empty());
  if (ended.empty()) return {*noise, {}, guess->bound};
  return {*noise, ended + ": this is the best that was proved until then", {}, true};
}

}  // namespace fugu::inline in_calibrate
