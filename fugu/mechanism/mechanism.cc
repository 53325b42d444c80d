#include "fugu/mechanism/mechanism.h"

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {

Mechanism spelled_out(Mechanism mechanism) {
  const Swap* swap = std::get_if<Swap>(&mechanism);
  return swap && swap->strata.size() == 1 ? Mechanism(as_channel(*swap)) : std::move(mechanism);
}

bool adds_noise(const Mechanism& mechanism) {
  return std::holds_alternative<Noise>(mechanism) || std::holds_alternative<JointNoise>(mechanism);
}

bool changes_nothing(const Mechanism& mechanism) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) return joint->is_none();
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) return swap->is_identity();
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return channel ? channel->is_identity() : std::get<Noise>(mechanism).is_none();
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

Mechanism mechanism_from_json(const Json& json, const Lattice& lattice, const PointFromJson& point,
                              const std::string& place) {
  const std::string name = need_string(need(json, "noise", place), place + ".noise");
  if (name == "channel") return channel_from_json(json, lattice, place);
  if (name == "swap") return swap_from_json(json, point, place);
  if (json.find("columns")) return joint_noise_from_json(json, place);
  return noise_from_json(json, place);
}

Json mechanism_to_json(const Mechanism& mechanism, const Lattice& lattice) {
  return mechanism_to_json(mechanism, lattice,
                           [&](int64_t atom) { return number_to_json(lattice.value(atom)); });
}

Mechanism mechanism_from_json(const Json& json, const Lattice& lattice, const std::string& place) {
  return mechanism_from_json(
      json, lattice,
      [&](const Json& value, const std::string& where) {
        const auto atom = lattice.index(need_number(value, where));
        if (!atom) throw data_error(where, "a value is not on the lattice", "calibrate again");
        return *atom;
      },
      place);
}

}  // namespace fugu::inline in_mechanism
