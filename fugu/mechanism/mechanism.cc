#include "fugu/mechanism/mechanism.h"

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {

bool changes_nothing(const Mechanism& mechanism) {
  if (const JointNoise* joint = std::get_if<JointNoise>(&mechanism)) return joint->is_none();
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) return swap->is_identity();
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return channel ? channel->is_identity() : std::get<Noise>(mechanism).is_none();
}

Mechanism mechanism_from_json(const Json& json, const Lattice& lattice, const PointFromJson& point,
                              const std::string& place) {
  const std::string name = need_string(need(json, "noise", place), place + ".noise");
  if (name == "channel") return channel_from_json(json, lattice, place);
  if (name == "swap") return swap_from_json(json, point, place);
  if (json.find("columns")) return joint_noise_from_json(json, place);
  return noise_from_json(json, place);
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
