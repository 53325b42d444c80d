#include "fugu/mechanism/mechanism.h"

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {

bool changes_nothing(const Mechanism& mechanism) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) return joint->is_none();
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return channel ? channel->is_identity() : std::get<Noise>(mechanism).is_none();
}

std::string mechanism_name(const Mechanism& mechanism) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) return joint->columns.front().family;
  const Noise* noise = std::get_if<Noise>(&mechanism);
  return noise ? noise->family : "channel";
}

Json mechanism_to_json(const Mechanism& mechanism, const Lattice& lattice) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) return joint_noise_to_json(*joint);
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return channel ? channel_to_json(*channel, lattice) : noise_to_json(std::get<Noise>(mechanism));
}

Mechanism mechanism_from_json(const Json& json, const Lattice& lattice, const std::string& place) {
  if (need_string(need(json, "noise", place), place + ".noise") == "channel")
    return channel_from_json(json, lattice, place);
  if (json.find("columns")) return joint_noise_from_json(json, place);
  return noise_from_json(json, place);
}

}  // namespace fugu::inline in_mechanism
