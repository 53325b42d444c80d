#include "fugu/report/shaping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/ask/lists.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/methods.h"
#include "fugu/core/json_read.h"
#include "fugu/scenario/bags.h"
#include "fugu/scenario/shape.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

std::optional<double> exact_error(Scenario scenario, const Epsilon& epsilon) {
  try {
    scenario.promise({epsilon, scenario.stated().delta}, scenario.lambda());
    scenario.confidence.reset();
    return calibrate(scenario, "exact", "laplace").mse;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string root(const std::optional<double>& mean_square) {
  return mean_square ? compact(std::sqrt(*mean_square), 4) : "-";
}

std::string share(uint64_t rows, uint64_t all) {
  return fmt::format("{} ({})", counted(rows, "row"),
                     percent(static_cast<double>(rows) / static_cast<double>(all)));
}

// How often each value of one column occurs, in order.
struct Column {
  std::vector<int64_t> values;
  std::vector<Integer> counts;
  Integer total{0};

  explicit Column(const Scenario& scenario) {
    values = scenario.own_support();
    counts = scenario.population(values);
    for (const Integer& count : counts) total += count;
  }

  // In steps of the lattice.
  double spread() const {
    Rational sum(0), squares(0);
    for (size_t k = 0; k < values.size(); ++k) {
      const Rational value(values[k] - values.front());
      sum += value * counts[k];
      squares += value * value * counts[k];
    }
    const Rational mean = sum / Rational(total);
    return std::sqrt(static_cast<double>(Rational(squares / Rational(total) - mean * mean)));
  }

  int64_t quantile(const Rational& q) const {
    Integer below(0);
    for (size_t k = 0; k < values.size(); ++k) {
      below += counts[k];
      if (Rational(below) >= q * Rational(total)) return values[k];
    }
    return values.back();
  }
};

// "--bin age=10".
std::string flag_for(const Scenario& scenario, const std::string& flag, const std::string& value) {
  return flag + " " + shell_word(scenario.source->published.front() + "=" + value);
}

// Something to try: where each value would come to lie, and the scenario that this makes.
struct Trial {
  std::string flag;
  Scenario scenario;
  double mean_square = 0;  // of the change; 0 for categories
};

template <class Map>
Trial try_out(std::string flag, const Scenario& scenario, const Lattice& onto, const Column& column,
              Map map) {
  Trial trial{std::move(flag), scenario};
  trial.scenario.lattice = onto;
  for (Prior& prior : trial.scenario.priors) {
    for (Distribution& given : prior.by_secret) {
      std::vector<int64_t> atoms;
      std::vector<Rational> masses;
      for (size_t k = 0; k < given.size(); ++k) {
        atoms.push_back(map(given.atoms()[k]));
        masses.emplace_back(given.weights().at(k));
      }
      given = Distribution::from_masses(atoms, masses);
    }
  }
  Rational sum(0);
  for (size_t k = 0; k < column.values.size(); ++k) {
    const Rational change = onto.value(map(column.values[k])) - scenario.lattice.value(column.values[k]);
    sum += change * change * column.counts[k];
  }
  trial.mean_square = static_cast<double>(Rational(sum / Rational(column.total)));
  return trial;
}

// The value with two digits: a bound that people would write. From 100 on it is nobody's own value but by
// chance; a smaller one may be.
Rational with_two_digits(const Rational& value) {
  if (value == 0) return value;
  Rational unit(1);
  const Rational size = abs(value);
  while (size >= 100 * unit) unit *= 10;
  while (size < 10 * unit) unit /= 10;
  return round_half_up(value / unit) * unit;
}

// The same of a date: the first unit of its year.
Rational first_of_year(const Rational& value, const DateReading& reads) {
  const int64_t day = first_day_of(static_cast<int64_t>(floor(value)), reads.unit);
  return Rational(unit_of_day(first_day_of(unit_of_day(day, DateUnit::kYear), DateUnit::kYear), reads.unit));
}

// The middle nine tenths, about.
std::optional<Trial> try_clip(const Scenario& scenario, const Column& column) {
  const Lattice& lattice = scenario.lattice;
  const Reading& reads = scenario.source->shape().reads;
  auto end = [&](const Rational& q) {
    const Rational value = lattice.value(column.quantile(q));
    return reads.date ? first_of_year(value, *reads.date) : with_two_digits(value);
  };
  const Rational from = end(Rational(1, 20)), to = end(Rational(19, 20));
  const auto nearest_from = lattice.nearest(from), nearest_to = lattice.nearest(to);
  if (!nearest_from || !nearest_to) return std::nullopt;
  const int64_t low = *nearest_from, high = *nearest_to;
  if (low >= high || (low <= column.values.front() && high >= column.values.back())) return std::nullopt;
  const std::string range = fmt::format("{}:{}", reads.text(from), reads.text(to));
  return try_out(flag_for(scenario, "--clip", range), scenario, lattice, column,
                 [&](int64_t value) { return std::clamp(value, low, high); });
}

// The greatest of 1, 2, 5, 10, … that is at most so many.
int64_t round_steps(double most) {
  int64_t steps = 1;
  for (int64_t unit = 1; static_cast<double>(unit) <= most; unit *= 10) {
    for (int64_t times : {1, 2, 5})
      if (static_cast<double>(unit * times) <= most) steps = unit * times;
  }
  return steps;
}

// About as wide as the spread.
std::optional<Trial> try_bin(const Scenario& scenario, const Column& column) {
  const int64_t steps = round_steps(column.spread());
  if (scenario.source->shape().bin || steps < 2) return std::nullopt;
  ColumnShape bins;
  bins.bin = bin_of(Rational(scenario.lattice.step * steps), scenario.lattice);
  const Shape shape(bins, lattice_of(*bins.bin));
  return try_out(flag_for(scenario, "--bin", to_text(bins.bin->width)), scenario, lattice_of(*bins.bin),
                 column, [&](int64_t value) { return shape.index(scenario.lattice.value(value)).value(); });
}

// The error of the method that is taken when none is named, and whether values trade places by it.
struct DefaultError {
  double mean_square = 0;
  bool swaps = false;
};
std::optional<DefaultError> default_error(const Scenario& scenario) {
  try {
    const std::string method = default_method(scenario).method;
    return DefaultError{calibrate(scenario, method, "laplace").mse, method == "swap"};
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Noise that a plan or a comparison has.
struct NoiseNow {
  std::vector<double> mean_squares;  // by released column
  bool is_exact_laplace = false;     // what exact_error() would find
};

// What to do about this noise: another method, or the flag with which the default method's change and that of
// the flag together are least, and less by a tenth than exact noise is; empty where neither is known.
std::string proposal(const Scenario& scenario, const Column& column, const NoiseNow& noise) {
  if (scenario.confidence) return "";  // it wants its values declared: its owner chooses
  const double mean_square = noise.mean_squares.front();
  const auto now = noise.is_exact_laplace ? mean_square : exact_error(scenario, scenario.stated().epsilon);
  if (!now) return "";
  if (*now < 0.5 * mean_square)
    return fmt::format("try another --method: the error of exact Laplace noise is {}", root(now));
  double least = 0.81 * *now;
  std::string advice;
  for (const auto& trial : {try_clip(scenario, column), try_bin(scenario, column)}) {
    if (!trial || trial->mean_square >= least) continue;
    const auto error = default_error(trial->scenario);
    if (!error || error->mean_square + trial->mean_square >= least) continue;
    least = error->mean_square + trial->mean_square;
    advice = fmt::format("try {}{} and the change itself come to about {}, without it to {}", trial->flag,
                         error->swaps ? " --method swap: trading places" : ": exact Laplace noise",
                         root(least), root(now));
  }
  return advice;
}

constexpr int kRareRows = 20;

// Whether there is something to merge. What it does to the noise is for compare to show.
bool has_rare(const Source& source, const Column& column) {
  const auto rare = static_cast<size_t>(std::count_if(
      column.counts.begin(), column.counts.end(), [](const Integer& count) { return count < kRareRows; }));
  return source.shape().rare.empty() && source.shape().edges.empty() && rare > 1 &&
         rare < column.counts.size();
}

constexpr const char* kAskCompare = "; fugu compare says what to try";

ShapingHint hint_of_several(const Scenario& scenario, const std::vector<double>& mean_squares) {
  std::vector<std::string> wide, names;
  for (size_t c = 0; c < mean_squares.size(); ++c) {
    const Scenario alone = released_column(scenario, c);
    const double spread = Column(alone).spread() * static_cast<double>(alone.lattice.step);
    if (std::sqrt(mean_squares[c]) <= spread) continue;
    names.push_back(printable(alone.source->published.front()));
    wide.push_back(fmt::format("{} (standard deviation {})", names.back(), compact(spread, 3)));
  }
  if (wide.empty()) return {};
  return {fmt::format("the noise exceeds the spread of {}{}", fmt::join(names, ", "), kAskCompare),
          fmt::format("the noise exceeds the spread of {}", fmt::join(wide, ", ")),
          scenario.rows_per_person() > 1
              ? "use fewer --rows-per-person, or try --clip, --bin or a larger --epsilon"
              : "let whole rows trade places with --method swap, or try fewer columns together, other "
                "--noise-shares, or a larger --epsilon"};
}

ShapingHint hint_of(const Scenario& scenario, const NoiseNow& noise) {
  if (!scenario.source || scenario.source->published.empty() || scenario.has_laws()) return {};
  if (scenario.is_joint()) return hint_of_several(scenario, noise.mean_squares);
  const Column column(scenario);
  const double spread = column.spread() * static_cast<double>(scenario.lattice.step);
  if (std::sqrt(noise.mean_squares.front()) <= spread) return {};
  std::string advice;
  if (scenario.source->shape().labels.empty()) {
    advice = proposal(scenario, column, noise);
    if (advice.empty()) advice = "try --clip, --bin or a larger --epsilon";
  } else {
    advice = has_rare(*scenario.source, column) && !scenario.confidence
                 ? fmt::format("try --merge-rare {}", kRareRows)
                 : "try fewer categories, or a larger --epsilon";
  }
  const std::string what = "the noise exceeds the column's own spread";
  return {what + kAskCompare, fmt::format("{} (standard deviation {})", what, compact(spread, 3)),
          std::move(advice)};
}

// Whether this is the noise that exact_error() would calibrate: of its claim by its method and family.
bool is_exact_laplace(const Plan& plan) {
  return plan.method == "exact" && plan.scenario.is_plain() && !plan.scenario.has_boxes() &&
         plan.noise().reach() == 0;
}

}  // namespace

std::vector<ShapedError> shaped_errors(const Scenario& scenario, const BeforeShaping& before,
                                       const std::vector<Epsilon>& epsilons) {
  std::vector<ShapedError> errors;
  for (const Epsilon& epsilon : epsilons) {
    ShapedError error{epsilon, exact_error(scenario, epsilon), std::nullopt, std::nullopt};
    if (before.unshaped) error.unshaped = exact_error(*before.unshaped, epsilon);
    if (error.noise && before.effect.mean_square)
      error.both = *error.noise + static_cast<double>(*before.effect.mean_square);
    errors.push_back(std::move(error));
  }
  return errors;
}

std::string shaping_text(const BeforeShaping& before, const std::vector<ShapedError>& errors) {
  const ShapingEffect& effect = before.effect;
  std::string out = "Values are shaped first (errors are root mean squares):\n";
  for (const ShapingStep& step : effect.steps) {
    out += fmt::format("  {} changes {}", step.flag, share(step.rows_changed, effect.rows));
    if (step.mean_square) out += fmt::format(", by {}", root(static_cast<double>(*step.mean_square)));
    out += ".\n";
  }
  const bool categories =
      !effect.mean_square && before.unshaped && before.unshaped->source->shape().labels.empty();
  for (const ShapedError& error : errors) {
    std::string line =
        fmt::format("Exact Laplace noise at epsilon {}: {}", error.epsilon.text(), root(error.noise));
    if (categories) line += " categories";
    if (error.both) line += fmt::format(", with the shaping {}", root(error.both));
    out += fmt::format("  {}; without shaping {}.\n", line, root(error.unshaped));
  }
  return out;
}

Json shaping_to_json(const BeforeShaping& before, const std::vector<ShapedError>& errors) {
  auto square = [](const std::optional<Rational>& value) {
    return value ? Json::number(static_cast<double>(*value)) : Json::null();
  };
  auto number = [](const std::optional<double>& value) {
    return value ? Json::number(*value) : Json::null();
  };
  auto count = [](uint64_t value) { return Json::number(static_cast<long long>(value)); };
  const ShapingEffect& effect = before.effect;
  Json steps = Json::array(), exact = Json::array();
  for (const ShapingStep& step : effect.steps) {
    Json entry = Json::object();
    entry.add("flag", Json::string(step.flag));
    entry.add("rows_changed", count(step.rows_changed));
    entry.add("mse", square(step.mean_square));
    steps.if_array()->push_back(std::move(entry));
  }
  for (const ShapedError& error : errors) {
    Json entry = Json::object();
    entry.add("epsilon", number_to_json(error.epsilon.value()));
    entry.add("mse", number(error.noise));
    entry.add("mse_with_shaping", number(error.both));
    entry.add("mse_unshaped", number(error.unshaped));
    exact.if_array()->push_back(std::move(entry));
  }
  Json json = Json::object();
  json.add("steps", std::move(steps));
  json.add("rows_changed", count(effect.rows_changed));
  json.add("mse", square(effect.mean_square));
  json.add("exact", std::move(exact));
  return json;
}

std::string ShapingHint::text() const {
  return what.empty() ? "" : fmt::format("hint: {}:\n      {}\n", what, advice);
}
std::string ShapingHint::sentence() const { return what.empty() ? "" : fmt::format("{}: {}", what, advice); }

ShapingHint shaping_hint(const Scenario& scenario, const std::vector<double>& mean_squares) {
  return hint_of(scenario, {.mean_squares = mean_squares});
}

ShapingHint shaping_hint(const Plan& plan) {
  if (!adds_noise(plan.mechanism)) return {};
  return hint_of(plan.scenario, {.mean_squares = column_errors(plan.scenario, plan.mechanism),
                                 .is_exact_laplace = !plan.scenario.is_joint() && is_exact_laplace(plan)});
}

}  // namespace fugu::inline in_report
