// The law of what is done to a value, as far out as it is worth drawing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/plan/swap_facts.h"
#include "fugu/report/picture.h"
#include "fugu/report/shown_values.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

constexpr double kBeyond = 1e-3;     // what is not drawn has about this probability
constexpr int64_t kMostPoints = 60;  // to each side
constexpr size_t kMostChannel = 60;  // inputs and outputs of a channel that is drawn

// Probabilities in doubles: for the eye, nothing rests on them.
class NoiseLaw {
 public:
  explicit NoiseLaw(const Noise& noise)
      : noise_(noise),
        total_(total_weight(noise)),
        log_tail_(std::log1p(-static_cast<double>(Rational(1 - noise.tail.value())))) {}

  double at(int64_t z) const {
    const int64_t reach = noise_.reach();
    const int64_t inner = std::clamp(z, -reach, reach);
    const auto weight =
        static_cast<double>(Rational(noise_.weights[static_cast<size_t>(inner + reach)]) / total_);
    return z == inner ? weight : weight * std::exp(log_tail_ * static_cast<double>(std::llabs(z) - reach));
  }

  // How far out to draw.
  int64_t extent() const {
    const int64_t reach = noise_.reach();
    double inside = at(0);
    int64_t z = 0;
    while (z < reach && inside < 1 - kBeyond) {
      ++z;
      inside += at(z) + at(-z);
    }
    if (z < reach || noise_.tail.numerator == 0) return z;
    // Beyond the reach what is left falls by the tail's ratio at each step.
    const double left = 1 - inside;
    return left <= kBeyond ? z
                           : reach + static_cast<int64_t>(std::ceil(std::log(kBeyond / left) / log_tail_));
  }

 private:
  const Noise& noise_;
  Rational total_;
  double log_tail_;
};

Json law_to_json(const Noise& noise, const Rational& step, const std::string& column) {
  const NoiseLaw law(noise);
  const int64_t extent = law.extent();
  const int64_t stride = std::max<int64_t>(1, (extent + kMostPoints - 1) / kMostPoints);
  const int64_t last = (extent + stride - 1) / stride * stride;
  Json points = Json::array();
  double drawn = 0;
  for (int64_t z = -last; z <= last; z += stride) {
    const double probability = law.at(z);
    drawn += probability;
    points.if_array()->push_back(
        Json::array({Json::number(static_cast<double>(Rational(step * z))), Json::number(probability)}));
  }
  Json json = Json::object();
  json.add("column", Json::string(column));
  json.add("family", Json::string(noise.family));
  json.add("scale", noise.scale ? Json::number(noise.scale->value) : Json::null());
  json.add("step", Json::number(static_cast<double>(step)));
  json.add("stride", Json::number(static_cast<long long>(stride)));
  json.add("rms", Json::number(std::sqrt(static_cast<double>(Rational(mean_square(noise) * step * step)))));
  json.add("points", std::move(points));
  json.add("beyond", stride == 1 ? Json::number(std::max(0.0, 1 - drawn)) : Json::null());
  return json;
}

Json points_of(const Scenario& scenario, const std::vector<int64_t>& points) {
  return ShownValues(points, points.size()).to_json(scenario);
}

Json channel_to_picture(const Scenario& scenario, const Channel& channel) {
  Json json = Json::object();
  json.add("picture", Json::string("noise"));
  json.add("kind", Json::string("channel"));
  json.add("column", Json::string(printable(value_words(scenario))));
  const bool fits = channel.inputs.size() <= kMostChannel && channel.outputs.size() <= kMostChannel;
  if (!fits) {
    json.add("rows", Json::null());
    json.add("notes",
             Json::strings({fmt::format(
                 "The channel is too large to draw: {} inputs, {} outputs. The statement has its table.",
                 channel.inputs.size(), channel.outputs.size())}));
    return json;
  }
  json.add("inputs", points_of(scenario, channel.inputs));
  json.add("outputs", points_of(scenario, channel.outputs));
  Json rows = Json::array();
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    const Integer total = channel.row_total(i);
    Json row = Json::array();
    for (const Integer& weight : channel.weights[i])
      row.if_array()->push_back(Json::number(static_cast<double>(Rational(weight, total))));
    rows.if_array()->push_back(std::move(row));
  }
  json.add("rows", std::move(rows));
  json.add("notes", Json::array());
  return json;
}

// In hundredths, rounded down: what a statement says.
Json unchanged_to_json(const Rational& share) {
  return Json::number(static_cast<double>(Rational(floor(Rational(100 * share)), Integer(100))));
}

Json swap_to_picture(const Scenario& scenario, const Swap& swap) {
  const SwapFacts facts = swap_facts(scenario, swap);
  Json json = Json::object(), columns = Json::array();
  json.add("picture", Json::string("noise"));
  json.add("kind", Json::string("swap"));
  json.add("unchanged", unchanged_to_json(facts.unchanged));
  const std::vector<Scenario> parts = columns_of(scenario);
  for (size_t c = 0; c < parts.size(); ++c) {
    Json column = Json::object();
    column.add("column", Json::string(printable(value_words(parts[c]))));
    column.add("unchanged", unchanged_to_json(1 - facts.changed[c]));
    columns.if_array()->push_back(std::move(column));
  }
  json.add("columns", std::move(columns));
  json.add("notes", Json::array());
  return json;
}

Json noise_to_picture(Json columns, bool none) {
  Json json = Json::object();
  json.add("picture", Json::string("noise"));
  json.add("kind", Json::string(none ? "none" : "noise"));
  json.add("columns", none ? Json::array() : std::move(columns));
  json.add("notes", Json::array());
  return json;
}

}  // namespace

Json noise_picture(const Scenario& scenario, const Mechanism& mechanism, bool for_public) {
  if (changes_nothing(mechanism)) return noise_to_picture({}, true);
  if (const Channel* channel = std::get_if<Channel>(&mechanism))
    return channel_to_picture(scenario, *channel);
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    const bool small = !scenario.is_joint() && swap->strata.size() == 1 &&
                       swap->strata.front().points.size() <= kMostChannel;
    return small && !for_public ? channel_to_picture(scenario, as_channel(*swap))
                                : swap_to_picture(scenario, *swap);
  }
  Json columns = Json::array();
  const std::vector<Scenario> parts = columns_of(scenario);
  for (size_t c = 0; c < parts.size(); ++c) {
    const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
    columns.if_array()->push_back(law_to_json(joint ? joint->columns[c] : std::get<Noise>(mechanism),
                                              parts[c].lattice.step, printable(value_words(parts[c]))));
  }
  return noise_to_picture(std::move(columns), false);
}

Json noise_picture(const ModelPlan& plan) {
  if (plan.noise.is_none()) return noise_to_picture({}, true);
  return noise_to_picture(Json::array({law_to_json(plan.noise, plan.lattice().step, "released number")}),
                          false);
}

}  // namespace fugu::inline in_report
