#include "fugu/ask/plan_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "fugu/ask/lists.h"
#include "fugu/core/error.h"
#include "fugu/file/text_file.h"
#include "fugu/plan/publishable.h"

namespace fugu::inline in_ask {
namespace {

constexpr double kPlanSeconds = 600;

// A category or a number of the scenario's lattice.
int64_t read_point(const std::string& text, const Scenario& scenario, const std::string& option) {
  if (scenario.source && !scenario.source->shape().labels.empty()) {
    const auto& labels = scenario.source->shape().labels;
    const auto found = std::find(labels.begin(), labels.end(), text);
    if (found != labels.end()) return found - labels.begin() + 1;
    throw usage(fmt::format("{}: '{}' is not a category of the column", option, text),
                "use the categories of the table");
  }
  const Reading reads = scenario.source ? scenario.source->shape().reads : Reading{};
  const auto number = reads.is_plain() ? parse_number(text) : reads.number(text);
  const auto index = number ? scenario.lattice.index(*number) : std::nullopt;
  if (!index) {
    throw usage(fmt::format("{}: '{}' is not on the lattice of the values", option, text),
                "use numbers that lie on it, or give a finer --step");
  }
  return *index;
}

// The order in which the points increase. Error (usage) when one is there twice.
std::vector<size_t> sorted_order(const std::vector<int64_t>& points, const std::string& option) {
  std::vector<size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return points[a] < points[b]; });
  for (size_t k = 1; k < order.size(); ++k) {
    if (points[order[k - 1]] == points[order[k]])
      throw usage(fmt::format("{}: a value is named twice", option), "name each value once");
  }
  return order;
}

std::vector<int64_t> in_order(const std::vector<int64_t>& points, const std::vector<size_t>& order) {
  std::vector<int64_t> result;
  result.reserve(order.size());
  for (size_t k : order) result.push_back(points[k]);
  return result;
}

// A CSV table: the outputs in its first line, then a line for each value with its costs.
ErrorMeasure read_loss_table(const std::string& path, const Scenario& scenario) {
  std::istringstream text(read_text(path));
  std::vector<int64_t> inputs, outputs;
  std::vector<std::vector<Rational>> costs;
  size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const std::string place = fmt::format("--loss: {}, line {}", path, number);
    const std::vector<std::string> fields = split_list(line, place);
    if (outputs.empty()) {
      for (size_t k = 1; k < fields.size(); ++k) outputs.push_back(read_point(fields[k], scenario, place));
      if (outputs.empty())
        throw usage(place + ": there is no output", "begin with a line such as value,1,2,3");
      continue;
    }
    if (fields.size() != outputs.size() + 1) {
      throw usage(fmt::format("{}: there are {} fields, not {}", place, fields.size(), outputs.size() + 1),
                  "give the value, then one cost for each output");
    }
    inputs.push_back(read_point(fields[0], scenario, place));
    costs.emplace_back();
    for (size_t k = 1; k < fields.size(); ++k) {
      const auto cost = parse_number(fields[k]);
      if (!cost || *cost < 0)
        throw usage(fmt::format("{}: '{}' is not a cost", place, fields[k]),
                    "costs are numbers of at least 0");
      costs.back().push_back(*cost);
    }
  }
  if (inputs.empty())
    throw usage(fmt::format("--loss: {}: there are no rows", path), "give a row for each value");
  const auto rows = sorted_order(inputs, "--loss: " + path),
             columns = sorted_order(outputs, "--loss: " + path);
  ErrorMeasure measure{
      .kind = ErrorMeasure::kTable, .inputs = in_order(inputs, rows), .outputs = in_order(outputs, columns)};
  for (size_t i : rows) {
    measure.costs.emplace_back();
    for (size_t k : columns) measure.costs.back().push_back(costs[i][k]);
  }
  return measure;
}

bool names_a_measure(const std::string& loss) {
  return loss.empty() || loss == "squared" || loss == "absolute" || loss == "zero-one";
}

double read_least_kept(const std::string& text) {
  if (text.empty()) return 0;
  const auto share = parse_number(text);
  if (!share || *share < 0 || *share >= 1)
    throw usage(fmt::format("--least-kept: '{}' is not a share from 0 to below 1", text),
                "for example --least-kept 0.3");
  return static_cast<double>(*share);
}

// Of `columns:2,1,0.5`, the weights; none where all columns cost the same. Error (usage).
std::vector<double> read_column_weights(const std::string& cost) {
  if (cost.empty() || cost == "rows" || cost == "columns") return {};
  constexpr std::string_view kStart = "columns:";
  if (!cost.starts_with(kStart))
    throw usage(fmt::format("--cost: '{}' is unknown", cost), "use one of rows, columns, columns:W,…");
  std::vector<double> weights;
  for (const std::string& text : split_list(cost.substr(kStart.size()), "--cost")) {
    const auto weight = parse_number(text);
    if (!weight || *weight <= 0)
      throw usage(fmt::format("--cost: '{}' is not a weight greater than 0", text),
                  "for example --cost columns:2,1,0.5, one for each released column");
    weights.push_back(static_cast<double>(*weight));
  }
  return weights;
}

}  // namespace

DefaultMethod method_for(const Scenario& scenario, const QuestionOptions& question,
                         const PlanOptions& options) {
  if (!options.method.empty()) return {options.method, ""};
  if (!question.noise.empty()) return {"exact", "--noise asks for noise"};
  return default_method(scenario);
}

Plan make_plan(const Scenario& scenario, const QuestionOptions& question, const PlanOptions& options,
               const Progress& progress) {
  const std::string noise = one_noise(question);
  const DefaultMethod chosen = method_for(scenario, question, options);
  PlanOptions named = options;
  named.method = chosen.method;
  named.check(noise);
  Plan plan = calibrate(scenario, chosen.method, noise, progress, read_optimum(named, scenario));
  if (!chosen.why.empty())
    plan.notes.push_back(
        fmt::format("the method is {}, because none was named: {}", chosen.method, chosen.why));
  return plan;
}

void PlanOptions::check(const std::string& noise) const {
  const Method chosen = method_named(method.empty() ? "exact" : method, *family_named(noise));
  const bool optimal = chosen.name == "optimal", channel = chosen.name == "channel",
             swap = chosen.name == "swap" || method.empty();
  const std::tuple<bool, bool, const char*, const char*> meanings[] = {
      {!loss.empty(), optimal || channel || swap, "--loss", "--method optimal, channel or swap"},
      {!time_limit.empty(), optimal || channel || swap, "--time-limit", "--method optimal, channel or swap"},
      {!cost.empty(), swap, "--cost", "--method swap"},
      {!least_kept.empty(), swap, "--least-kept", "--method swap"},
      {asymmetric, optimal, "--asymmetric", "--method optimal"},
      {unbiased, channel, "--unbiased", "--method channel"},
      {!outputs.empty(), channel, "--outputs", "--method channel"}};
  for (const auto& [is_given, fits, flag, with] : meanings) {
    if (is_given && !fits)
      throw usage(fmt::format("{} cannot be used with --method {}", flag, chosen.name),
                  fmt::format("use it with {}", with));
  }
  read_column_weights(cost);
  read_least_kept(least_kept);
  read_time_limit(time_limit, kPlanSeconds);
}

OptimumOptions read_optimum(const PlanOptions& options, const Scenario& scenario) {
  OptimumOptions optimum;
  if (!names_a_measure(options.loss)) {
    try {
      optimum.measure = read_loss_table(options.loss, scenario);
    } catch (const Error& error) {  // whatever is wrong with it, the file must change
      if (error.kind() != ErrorKind::kUsage) throw;
      throw Error(ErrorKind::kData, error.message(), error.hint());
    }
    optimum.outputs = optimum.measure.outputs;
  } else if (!options.loss.empty()) {
    optimum.measure = error_measure_named(options.loss, "--loss");
  }
  optimum.measure_said = !options.loss.empty();
  optimum.by_columns = options.cost.starts_with("columns");
  optimum.weights = read_column_weights(options.cost);
  const size_t columns = std::max<size_t>(scenario.axes.size(), 1);
  if (!optimum.weights.empty() && optimum.weights.size() != columns)
    throw usage(fmt::format("--cost: {} weights for {} released columns", optimum.weights.size(), columns),
                "give one weight for each released column, in their order");
  optimum.least_kept = read_least_kept(options.least_kept);
  optimum.asymmetric = options.asymmetric;
  optimum.unbiased = options.unbiased;
  if (!options.outputs.empty()) {
    std::vector<int64_t> points;
    for (const std::string& text : split_list(options.outputs, "--outputs"))
      points.push_back(read_point(text, scenario, "--outputs"));
    optimum.outputs = in_order(points, sorted_order(points, "--outputs"));
  }
  optimum.seconds = read_time_limit(options.time_limit, kPlanSeconds);
  return optimum;
}

double read_time_limit(const std::string& text, double otherwise) {
  if (text.empty()) return otherwise;
  const auto seconds = parse_number(text);
  if (!seconds || *seconds <= 0)
    throw usage(fmt::format("--time-limit: '{}' is not a number of seconds greater than 0", text),
                "for example --time-limit 60");
  return static_cast<double>(*seconds);
}

uint64_t read_publish_min(const std::string& text) {
  return text.empty() ? kPublishMin : read_count(text, "--publish-min", "people");
}

std::string one_noise(const QuestionOptions& options) {
  const auto noises = options.noises();
  if (noises.size() > 1)
    throw usage("--noise: a plan has one noise", "give one family; fugu compare takes several");
  return noises.empty() ? "laplace" : noises.front();
}

void check_one_epsilon(const QuestionOptions& options) {
  if (options.epsilons().size() > 1)
    throw usage("--epsilon: a plan has one epsilon", "give one number; fugu compare takes several");
}

}  // namespace fugu::inline in_ask
