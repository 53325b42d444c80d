// What each output says of the secrets: the verifier's own bounds (docs/math.md, section 5), output by
// output.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fugu/core/json_read.h"
#include "fugu/law/boxes.h"
#include "fugu/proof/boxed_kernel.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/proof/kernel.h"
#include "fugu/report/picture.h"
#include "fugu/report/shown_values.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/domain.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/show/wording.h"
#include "fugu/verify/stated.h"

namespace fugu::inline in_report {
namespace {

constexpr Bits kFirstBits = 128, kLastBits = 1024;
constexpr size_t kMostRows = 400;          // of one column
constexpr int64_t kDenseSpan = 4'000;      // steps: up to there every lattice point is an output of its own
constexpr int64_t kWidestSum = 1'000'000;  // outputs that are summed over

// Bounds of a secret's mass at each output; both the same where no law is chosen against it.
struct PriorMasses {
  std::vector<int64_t> outputs;
  Interval tail;
  std::vector<Masses> secrets;
};

// The lattice points from the first to the last, where these are not too many; else the points themselves.
std::vector<int64_t> filled(std::vector<int64_t> points, int64_t most) {
  if (points.back() - points.front() > most) return points;
  std::vector<int64_t> all;
  for (int64_t y = points.front(); y <= points.back(); ++y) all.push_back(y);
  return all;
}

// Against every law that the counts allow, values that trade places are the channel that they are.
MechanismBounds bounds_to_draw(const Scenario& scenario, const Mechanism& mechanism, Bits bits) {
  return scenario.has_boxes() ? bounds_of(spelled_out(mechanism), bits) : bounds_of(mechanism, bits);
}

// The masses of every prior, one prior at a time: they may be large.
class MassesOf {
 public:
  // With `every` all outputs between the outermost are there, so that sums can be taken.
  MassesOf(const Scenario& scenario, const Mechanism& mechanism, Bits bits, bool every)
      : scenario_(scenario), bounds_(bounds_to_draw(scenario, mechanism, bits)), every_(every) {
    if (scenario.has_boxes()) {
      boxes_ = boxes_of(scenario);
    } else if (!scenario.is_joint() && !std::holds_alternative<Swap>(mechanism)) {
      atoms_ = filled(with_categories(scenario.values(), scenario), every ? kWidestSum : kDenseSpan);
    }
  }

  PriorMasses of(size_t prior) const {
    const BoxedLaws* boxed = boxes_ ? &*boxes_ : nullptr;
    const auto kernel = atoms_.empty() ? kernel_of(scenario_, scenario_.priors[prior], boxed, bounds_, every_)
                                       : column_kernel(atoms_, bounds_);
    PriorMasses result{kernel->outputs(), kernel->tail(), {}};
    for (size_t s = 0; s < scenario_.secrets.size(); ++s)
      result.secrets.push_back(kernel->of(law_of(scenario_, prior, s, boxed), false));
    return result;
  }

 private:
  const Scenario& scenario_;
  MechanismBounds bounds_;
  bool every_;
  std::optional<BoxedLaws> boxes_;
  std::vector<int64_t> atoms_;
};

// The worst at one output.
struct LossAt {
  double loss = 0;
  bool proved = true;  // at most epsilon, by intervals
  size_t prior = 0;
  SecretPair pair{0, 1};
  bool worse_than(const LossAt& other) const { return loss > other.loss; }
};

// The pairs, in both orders, whose ratio may be the largest at output k. Of all pairs only the largest masses
// against the smallest; the second of each where both are one secret's.
std::vector<SecretPair> leading_pairs(const Scenario& scenario, const PriorMasses& masses, size_t k,
                                      const std::vector<SecretPair>& listed) {
  if (!scenario.pairs.is_all()) return listed;
  const auto& secrets = masses.secrets;
  uint32_t high = 0, low = 0;
  for (uint32_t s = 1; s < secrets.size(); ++s) {
    if (upper_less(secrets[high].most(k), secrets[s].most(k))) high = s;
    if (lower_less(secrets[s].least(k), secrets[low].least(k))) low = s;
  }
  if (high != low) return {{high, low}};
  const uint32_t other = high == 0 ? 1 : 0;
  uint32_t second_high = other, second_low = other;
  for (uint32_t s = 0; s < secrets.size(); ++s) {
    if (s == high) continue;
    if (upper_less(secrets[second_high].most(k), secrets[s].most(k))) second_high = s;
    if (lower_less(secrets[s].least(k), secrets[second_low].least(k))) second_low = s;
  }
  return {{high, second_low}, {second_high, low}};
}

std::vector<SecretPair> both_orders(const Scenario& scenario) {
  std::vector<SecretPair> result;
  if (scenario.pairs.is_all()) return result;
  for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
    result.emplace_back(a, b);
    result.emplace_back(b, a);
  }
  return result;
}

LossAt loss_at(const PriorMasses& masses, size_t k, const std::vector<SecretPair>& pairs, size_t prior,
               const Interval& limit) {
  LossAt worst{-1, true, prior, {0, 1}};
  for (auto [i, j] : pairs) {
    const Interval &high = masses.secrets[i].most(k), &low = masses.secrets[j].least(k);
    LossAt here{0, true, prior, {i, j}};
    if (low.is_zero()) {
      if (!high.is_zero()) here = {std::numeric_limits<double>::infinity(), false, prior, {i, j}};
    } else {
      const Interval ratio = high / low;
      here.loss = std::max(0.0, log(ratio).upper());
      here.proved = certainly_at_most(ratio, limit);
    }
    if (here.worse_than(worst)) worst = here;
  }
  return worst;
}

using Rows = std::map<int64_t, LossAt>;  // by output

// For each column: the worst at each of its outputs, whatever those of the other columns are.
std::vector<Rows> worst_losses(const Plan& plan, Bits bits) {
  const Scenario& scenario = plan.scenario;
  const Interval limit = exp(Interval(scenario.epsilon.value(), bits));
  const MassesOf masses_of(scenario, plan.mechanism, bits, false);
  const auto listed = both_orders(scenario);
  std::vector<Rows> columns(std::max<size_t>(1, scenario.axes.size()));
  auto keep = [](Rows& rows, int64_t output, const LossAt& here) {
    const auto [row, fresh] = rows.try_emplace(output, here);
    if (!fresh && here.worse_than(row->second)) row->second = here;
  };
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const PriorMasses masses = masses_of.of(p);
    std::optional<ProductGrid> grid;
    const bool whole_rows = std::holds_alternative<Swap>(plan.mechanism);
    if (scenario.is_joint() && !whole_rows) grid.emplace(scenario, scenario.priors[p]);
    for (size_t k = 0; k < masses.outputs.size(); ++k) {
      const LossAt here = loss_at(masses, k, leading_pairs(scenario, masses, k, listed), p, limit);
      const auto point = grid                  ? grid->point(k)
                         : scenario.is_joint() ? scenario.points[static_cast<size_t>(masses.outputs[k])]
                                               : std::vector<int64_t>{masses.outputs[k]};
      for (size_t axis = 0; axis < columns.size(); ++axis) keep(columns[axis], point[axis], here);
    }
  }
  return columns;
}

bool all_proved(const std::vector<Rows>& columns) {
  for (const Rows& rows : columns) {
    for (const auto& [output, row] : rows) {
      if (!row.proved) return false;
    }
  }
  return true;
}

// What a recipient sees of held values: those beyond an end are that end. A ratio of sums is at most the
// largest ratio, so the worst of them bounds it.
Rows held(const Rows& rows, const Scenario& column, const Mechanism& mechanism) {
  if (!column.clamps() || !adds_noise(mechanism)) return rows;
  const auto [low, high] = column.range();
  Rows result;
  for (const auto& [output, row] : rows) {
    const auto [at, fresh] = result.try_emplace(std::clamp(output, low, high), row);
    if (!fresh && row.worse_than(at->second)) at->second = row;
  }
  return result;
}

// The worst of each stretch of outputs, where they are many.
std::vector<std::pair<int64_t, LossAt>> thinned(const Rows& rows) {
  const size_t stretch = (rows.size() + kMostRows - 1) / kMostRows;
  std::vector<std::pair<int64_t, LossAt>> result;
  size_t k = 0;
  for (const auto& row : rows) {
    if (k++ % stretch == 0) {
      result.push_back(row);
    } else if (row.second.worse_than(result.back().second)) {
      result.back() = row;
    }
  }
  return result;
}

void add_output(Json& row, const Scenario& column, int64_t output) {
  row.add("output", Json::number(static_cast<double>(column.lattice.value(output))));
  row.add("label", Json::string(printable(column.value_text(output))));
}

Json loss_rows(const Plan& plan, const Scenario& column, const Rows& rows, std::vector<std::string>& notes) {
  const Scenario& scenario = plan.scenario;
  const Rows seen = held(rows, column, plan.mechanism);
  Json outputs = Json::array();
  for (const auto& [output, at] : thinned(seen)) {
    Json row = Json::object();
    add_output(row, column, output);
    row.add("loss", Json::number(at.proved ? at_most(at.loss, scenario.epsilon.value()) : at.loss));
    row.add("pair", Json::strings({printable(scenario.secrets[at.pair.first]),
                                   printable(scenario.secrets[at.pair.second])}));
    row.add("prior", Json::string(printable(scenario.priors[at.prior].name)));
    outputs.if_array()->push_back(std::move(row));
  }
  if (seen.size() > kMostRows) {
    notes.push_back(fmt::format("Each point is the worst of up to {} neighbouring outputs.",
                                (seen.size() + kMostRows - 1) / kMostRows));
  }
  return outputs;
}

void add_column(Json& columns, const Scenario& column, const Mechanism& mechanism, Json outputs) {
  Json json = Json::object();
  json.add("column", *column_to_json(column, ShownValues({0})).find("column"));
  json.add("categorical", Json::boolean(is_categorical(column)));
  json.add("step", Json::number(static_cast<double>(column.lattice.step)));
  // Beyond the outermost outputs the loss is that of the outermost.
  json.add("constant_beyond", Json::boolean(!column.clamps() && adds_noise(mechanism)));
  json.add("outputs", std::move(outputs));
  columns.if_array()->push_back(std::move(json));
}

// The budget of the limit that the witness is of.
const Epsilon& witness_budget(const Plan& plan, std::optional<Epsilon>& own) {
  const Scenario& scenario = plan.scenario;
  if (scenario.is_plain()) return scenario.epsilon;
  auto name = [&](uint32_t s) { return s < scenario.secrets.size() ? scenario.secrets[s] : kMixture; };
  for (const Limit& limit : scenario.limits()) {
    if (std::pair(name(limit.first), name(limit.second)) == plan.witness.pair) own = limit.epsilon;
  }
  return own ? *own : scenario.epsilon;
}

Json pure_columns(const Plan& plan, std::vector<std::string>& notes) {
  if (!plan.scenario.is_plain()) {
    notes.emplace_back(
        "This chart shows one epsilon for the odds between secrets. Here each limit was proved by itself, "
        "and this is the tightest.");
    return Json::array();
  }
  if (std::holds_alternative<JointNoise>(plan.mechanism) && !grid_is_small(plan.scenario)) {
    notes.emplace_back(
        "There are too many outputs to look at each: the loss is bounded by how far apart values lie.");
    return Json::array();
  }
  auto rows = worst_losses(plan, kFirstBits);
  for (Bits bits = 2 * kFirstBits; !all_proved(rows) && bits <= kLastBits; bits *= 2)
    rows = worst_losses(plan, bits);
  const std::vector<Scenario> columns = columns_of(plan.scenario);
  Json json = Json::array();
  for (size_t c = 0; c < columns.size(); ++c)
    add_column(json, columns[c], plan.mechanism, loss_rows(plan, columns[c], rows[c], notes));
  if (columns.size() > 1) {
    notes.emplace_back(
        "For each column you see the worst loss of its output, whatever the other columns are.");
  }
  return json;
}

// The place of the witness: where the hockey-stick is largest, first secret over second.
PairAt witness_pair(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  auto secret = [&](const std::string& name) {
    return static_cast<uint32_t>(std::find(scenario.secrets.begin(), scenario.secrets.end(), name) -
                                 scenario.secrets.begin());
  };
  const auto prior = std::find_if(scenario.priors.begin(), scenario.priors.end(),
                                  [&](const Prior& one) { return one.name == plan.witness.prior; });
  return {static_cast<size_t>(prior - scenario.priors.begin()),
          {secret(plan.witness.pair.first), secret(plan.witness.pair.second)}};
}

struct Excess {
  int64_t output;
  Interval sum;
};

// What each output adds to the hockey-stick; what lies beyond the outermost is theirs.
std::vector<Excess> excesses(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const PairAt at = witness_pair(plan);
  const PriorMasses masses = MassesOf(scenario, plan.mechanism, 2 * kFirstBits, true).of(at.prior);
  const Interval growth = exp(Interval(scenario.epsilon.value(), 2 * kFirstBits));
  const Interval one(Integer(1), 2 * kFirstBits);
  std::vector<Excess> result;
  for (size_t k = 0; k < masses.outputs.size(); ++k) {
    Interval sum = positive_part(masses.secrets[at.pair.first].most(k) -
                                 growth * masses.secrets[at.pair.second].least(k));
    if (k == 0 || k + 1 == masses.outputs.size()) {
      const Interval beyond = sum * (masses.tail / (one - masses.tail));
      sum += beyond;
      if (masses.outputs.size() == 1) sum += beyond;
    }
    result.push_back({masses.outputs[k], std::move(sum)});
  }
  return result;
}

// Sums over what is seen as one output, then over stretches of outputs where they are many.
std::vector<Excess> gathered(const std::vector<Excess>& all, const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const bool holds = scenario.clamps() && adds_noise(plan.mechanism);
  const auto [low, high] = scenario.range();
  std::map<int64_t, Interval> seen;
  for (const Excess& excess : all) {
    const int64_t output = holds ? std::clamp(excess.output, low, high) : excess.output;
    const auto [at, fresh] = seen.try_emplace(output, excess.sum);
    if (!fresh) at->second += excess.sum;
  }
  const size_t stretch = (seen.size() + kMostRows - 1) / kMostRows;
  std::vector<Excess> result;
  size_t k = 0;
  for (const auto& [output, sum] : seen) {
    if (k++ % stretch == 0) {
      result.push_back({output, sum});
    } else {
      result.back().sum += sum;
    }
  }
  return result;
}

bool too_wide(const Plan& plan) {
  const Noise* noise = std::get_if<Noise>(&plan.mechanism);
  const auto atoms = plan.scenario.values();
  return noise && atoms.back() - atoms.front() + 2 * noise->reach() > kWidestSum;
}

Json excess_columns(const Plan& plan, Json& json, std::vector<std::string>& notes) {
  if (too_wide(plan)) {
    notes.emplace_back("There are too many outputs to show what each adds.");
    return Json::null();
  }
  const auto all = excesses(plan);
  Interval total(2 * kFirstBits);
  for (const Excess& excess : all) total += excess.sum;
  json.add("total", Json::number(total.upper()));
  const auto shown = gathered(all, plan);
  Json outputs = Json::array();
  for (const Excess& excess : shown) {
    Json row = Json::object();
    add_output(row, plan.scenario, excess.output);
    row.add("excess", Json::number(excess.sum.upper()));
    outputs.if_array()->push_back(std::move(row));
  }
  if (shown.size() < all.size() && !plan.scenario.clamps())
    notes.emplace_back("Each point is the sum over neighbouring outputs, named by the first.");
  Json columns = Json::array();
  add_column(columns, plan.scenario, plan.mechanism, std::move(outputs));
  return columns;
}

Json witness_to_json(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  const Witness& witness = plan.witness;
  Json json = Json::object();
  json.add("prior", Json::string(printable(witness.prior)));
  json.add("pair", Json::strings({printable(witness.pair.first), printable(witness.pair.second)}));
  json.add("output", scenario.is_joint()
                         ? point_to_json(scenario, witness.point)
                         : Json::number(static_cast<double>(scenario.lattice.value(witness.output))));
  json.add("label", Json::string(printable(scenario.is_joint() ? point_text(scenario, witness.point)
                                                               : scenario.value_text(witness.output))));
  json.add("loss", witness.loss ? Json::number(*witness.loss) : Json::null());
  json.add("delta", witness.delta ? Json::number(*witness.delta) : Json::null());
  return json;
}

}  // namespace

Json loss_picture(const Plan& plan) {
  const bool pure = plan.scenario.delta.is_zero();
  std::vector<std::string> notes;
  Json json = Json::object();
  json.add("picture", Json::string("loss"));
  json.add("kind", Json::string(pure ? "loss" : "excess"));
  std::optional<Epsilon> own;
  json.add("epsilon", Json::number(static_cast<double>(witness_budget(plan, own).value())));
  json.add("delta", Json::number(static_cast<double>(plan.scenario.delta.value())));
  json.add("witness", witness_to_json(plan));
  Json columns = pure ? pure_columns(plan, notes) : excess_columns(plan, json, notes);
  json.add("columns", std::move(columns));
  if (plan.scenario.closeness && plan.scenario.closeness->by == Closeness::By::kBudget) {
    notes.push_back(
        fmt::format("Under the priors themselves the budget is {}: the rest of epsilon {} is for beliefs "
                    "near them.",
                    plan.scenario.epsilon.text(), plan.scenario.stated().epsilon.text()));
  }
  json.add("notes", Json::strings(notes));
  return json;
}

}  // namespace fugu::inline in_report
