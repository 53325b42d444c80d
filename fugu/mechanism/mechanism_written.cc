// How mechanisms are written, called and looked at: nothing that a proof needs.
#include <fmt/format.h>

#include "fugu/core/json_read.h"
#include "fugu/mechanism/mechanism.h"

namespace fugu::inline in_mechanism {
namespace {

Json texts_of(const std::vector<uint64_t>& numbers) {
  Json json = Json::array();
  for (uint64_t number : numbers) json.if_array()->push_back(Json::string(std::to_string(number)));
  return json;
}

void add_stratum(Json& json, const SwapStratum& stratum, const PointToJson& point) {
  Json points = Json::array(), flows = Json::array();
  points.if_array()->reserve(stratum.points.size());
  for (int64_t atom : stratum.points) points.if_array()->push_back(point(atom));
  flows.if_array()->reserve(stratum.flows.size());
  for (const SwapFlow& flow : stratum.flows) {
    Json item = Json::array();
    item.if_array()->reserve(3);  // there may be millions
    item.if_array()->push_back(Json::number(static_cast<long long>(flow.from)));
    item.if_array()->push_back(Json::number(static_cast<long long>(flow.to)));
    item.if_array()->push_back(Json::string(std::to_string(flow.weight)));
    flows.if_array()->push_back(std::move(item));
  }
  json.add("points", std::move(points));
  json.add("totals", texts_of(stratum.totals));
  json.add("flows", std::move(flows));
}

}  // namespace

Json noise_to_json(const Noise& noise) {
  Json tail = Json::object();
  tail.add("numerator", Json::string(noise.tail.numerator.str()));
  tail.add("log2_denominator", Json::number(static_cast<long long>(noise.tail.bits)));
  const bool symmetric = noise.is_symmetric();
  Json weights = Json::array();
  for (size_t k = symmetric ? noise.weights.size() / 2 : 0; k < noise.weights.size(); ++k) {
    weights.if_array()->push_back(Json::string(noise.weights[k].str()));
  }
  Json json = Json::object();
  json.add("noise", Json::string(noise.family));
  json.add("scale", noise.scale ? Json::number(noise.scale->value) : Json::null());
  json.add("reach", Json::number(static_cast<long long>(noise.reach())));
  json.add("symmetric", Json::boolean(symmetric));
  json.add("weights", std::move(weights));
  json.add("tail", std::move(tail));
  return json;
}

Json joint_noise_to_json(const JointNoise& noise) {
  Json columns = Json::array();
  for (const Noise& column : noise.columns) columns.if_array()->push_back(noise_to_json(column));
  Json json = Json::object();
  json.add("noise", Json::string(noise.columns.front().family));
  json.add("scale", Json::number(noise.scale.value));
  json.add("columns", std::move(columns));
  return json;
}

Json channel_to_json(const Channel& channel, const Lattice& lattice) {
  Json rows = Json::array();
  for (const auto& row : channel.weights) {
    Json weights = Json::array();
    for (const Integer& weight : row) weights.if_array()->push_back(Json::string(weight.str()));
    rows.if_array()->push_back(std::move(weights));
  }
  Json json = Json::object();
  json.add("noise", Json::string("channel"));
  json.add("scale", Json::null());
  json.add("inputs", points_to_json(channel.inputs, lattice));
  json.add("outputs", points_to_json(channel.outputs, lattice));
  json.add("unbiased", Json::boolean(channel.is_unbiased()));
  json.add("weights", std::move(rows));
  return json;
}

Json swap_to_json(const Swap& swap, const PointToJson& point) {
  Json json = Json::object();
  json.add("noise", Json::string("swap"));
  json.add("scale", Json::null());
  if (swap.strata.size() == 1 && swap.strata.front().known.empty()) {
    add_stratum(json, swap.strata.front(), point);
    return json;
  }
  Json strata = Json::array();
  for (const SwapStratum& stratum : swap.strata) {
    Json one = Json::object();
    one.add("known", Json::strings(stratum.known));
    add_stratum(one, stratum, point);
    strata.if_array()->push_back(std::move(one));
  }
  json.add("strata", std::move(strata));
  return json;
}

Channel identity_channel(const std::vector<int64_t>& values) {
  Channel channel{values, values, {}};
  for (size_t i = 0; i < values.size(); ++i) {
    channel.weights.emplace_back(values.size(), Integer(0));
    channel.weights[i][i] = 1;
  }
  return channel;
}

Channel as_channel(const Swap& swap) {
  const SwapStratum& stratum = swap.strata.front();
  const std::vector<uint64_t> outflow = stratum.outflow();
  Channel channel{stratum.points, stratum.points,
                  std::vector(outflow.size(), std::vector<Integer>(outflow.size(), Integer(0)))};
  for (size_t x = 0; x < outflow.size(); ++x) channel.weights[x][x] = stratum.totals[x] - outflow[x];
  for (const SwapFlow& flow : stratum.flows) channel.weights[flow.from][flow.to] = flow.weight;
  return channel;
}

Mechanism spelled_out(Mechanism mechanism) {
  const Swap* swap = std::get_if<Swap>(&mechanism);
  return swap && swap->strata.size() == 1 ? Mechanism(as_channel(*swap)) : std::move(mechanism);
}

bool adds_noise(const Mechanism& mechanism) {
  return std::holds_alternative<Noise>(mechanism) || std::holds_alternative<JointNoise>(mechanism);
}

std::string mechanism_name(const Mechanism& mechanism) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) return joint->columns.front().family;
  if (std::holds_alternative<Swap>(mechanism)) return "swap";
  const Noise* noise = std::get_if<Noise>(&mechanism);
  return noise ? noise->family : "channel";
}

Json mechanism_to_json(const Mechanism& mechanism, const Lattice& lattice, const PointToJson& point) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) return joint_noise_to_json(*joint);
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) return swap_to_json(*swap, point);
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return channel ? channel_to_json(*channel, lattice) : noise_to_json(std::get<Noise>(mechanism));
}

Json mechanism_to_json(const Mechanism& mechanism, const Lattice& lattice) {
  return mechanism_to_json(mechanism, lattice,
                           [&](int64_t atom) { return number_to_json(lattice.value(atom)); });
}

}  // namespace fugu::inline in_mechanism
