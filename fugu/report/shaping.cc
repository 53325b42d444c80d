#include "fugu/report/shaping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/calibrate.h"
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
  return try_out(fmt::format("--clip {}:{}", reads.text(from), reads.text(to)), scenario, lattice, column,
                 [&](int64_t value) { return std::clamp(value, low, high); });
}

// As wide as the spread.
std::optional<Trial> try_bin(const Scenario& scenario, const Column& column) {
  const auto steps = static_cast<int64_t>(std::ceil(column.spread()));
  if (scenario.source->shape().bin || steps < 2) return std::nullopt;
  ColumnShape bins;
  bins.bin = bin_of(Rational(scenario.lattice.step * steps), scenario.lattice);
  const Shape shape(bins, lattice_of(*bins.bin));
  return try_out("--bin " + to_text(bins.bin->width), scenario, lattice_of(*bins.bin), column,
                 [&](int64_t value) { return shape.index(scenario.lattice.value(value)).value(); });
}

// What to do about noise of this mean square: another method, or the flag with which exact noise and the
// change together are less, by a tenth, than exact noise is; empty where neither is known.
std::string proposal(const Scenario& scenario, const Column& column, double mean_square) {
  const Epsilon epsilon = scenario.stated().epsilon;
  const auto now = exact_error(scenario, epsilon);
  if (!now || scenario.confidence) return "";  // a confidence wants its values declared: its owner chooses
  if (*now < 0.5 * mean_square)
    return fmt::format("try another --method: the error of exact Laplace noise is {}", root(now));
  for (const auto& trial : {try_clip(scenario, column), try_bin(scenario, column)}) {
    if (!trial) continue;
    const auto noise = exact_error(trial->scenario, epsilon);
    if (noise && *noise + trial->mean_square < 0.81 * *now) {
      return fmt::format(
          "try {}: exact Laplace noise and the change itself come to about {}, without it to {}", trial->flag,
          root(*noise + trial->mean_square), root(now));
    }
  }
  return "";
}

constexpr int kRareRows = 20;

// Whether there is something to merge. What it does to the noise is for compare to show.
bool has_rare(const Source& source, const Column& column) {
  const auto rare = static_cast<size_t>(std::count_if(
      column.counts.begin(), column.counts.end(), [](const Integer& count) { return count < kRareRows; }));
  return source.shape().rare.empty() && source.shape().edges.empty() && rare > 1 &&
         rare < column.counts.size();
}

ShapingHint hint_of_several(const Scenario& scenario, const std::vector<double>& mean_squares) {
  std::vector<std::string> wide;
  for (size_t c = 0; c < mean_squares.size(); ++c) {
    const Scenario alone = released_column(scenario, c);
    const double spread = Column(alone).spread() * static_cast<double>(alone.lattice.step);
    if (std::sqrt(mean_squares[c]) > spread)
      wide.push_back(fmt::format("{} (standard deviation {})", printable(alone.source->published.front()),
                                 for_people(spread, 3)));
  }
  if (wide.empty()) return {};
  return {fmt::format("the noise exceeds the own spread of {}", fmt::join(wide, ", ")),
          scenario.rows_per_person() > 1
              ? "take fewer --rows-per-person, or try a --clip or --bin of your own, or a larger --epsilon"
              : "let whole rows trade places with --method swap, or try fewer columns together, other "
                "--noise-shares, or a larger --epsilon"};
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
  if (!scenario.source || scenario.source->published.empty() || scenario.has_laws()) return {};
  if (scenario.is_joint()) return hint_of_several(scenario, mean_squares);
  const Column column(scenario);
  const double spread = column.spread() * static_cast<double>(scenario.lattice.step);
  if (std::sqrt(mean_squares.front()) <= spread) return {};
  std::string advice;
  if (scenario.source->shape().labels.empty()) {
    advice = proposal(scenario, column, mean_squares.front());
    if (advice.empty()) advice = "try a --clip or --bin of your own, or a larger --epsilon";
  } else {
    advice = has_rare(*scenario.source, column) && !scenario.confidence
                 ? fmt::format("try --merge-rare {}", kRareRows)
                 : "try fewer categories, or a larger --epsilon";
  }
  return {
      fmt::format("the noise exceeds the column's own spread (standard deviation {})", for_people(spread, 3)),
      std::move(advice)};
}

ShapingHint shaping_hint(const Plan& plan) {
  if (!adds_noise(plan.mechanism)) return {};
  return shaping_hint(plan.scenario, column_errors(plan.scenario, plan.mechanism));
}

}  // namespace fugu::inline in_report
