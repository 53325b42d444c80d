// What is done to a value: noise is added to it, to each of its columns where it has several, a channel
// replaces it, or whole values trade places.
#pragma once

#include <string>
#include <variant>

#include "fugu/mechanism/channel.h"
#include "fugu/mechanism/joint_noise.h"
#include "fugu/mechanism/noise.h"
#include "fugu/mechanism/swap.h"

namespace fugu::inline in_mechanism {

using Mechanism = std::variant<Noise, Channel, JointNoise, Swap>;

// The same, but values of one column that trade places, without strata, as a channel.
Mechanism spelled_out(Mechanism mechanism);

// Whether noise is added to values, which may then leave their range; a channel and a swap replace them.
bool adds_noise(const Mechanism& mechanism);

// Whether values are released as they are.
bool changes_nothing(const Mechanism& mechanism);

// The name that plans and tables write: the family of the noise, "channel" or "swap".
std::string mechanism_name(const Mechanism& mechanism);

// The members of a plan's "mechanism" that make it, and the same read back. Error (data) with `place` where
// an invariant does not hold. `point` writes and reads the values that trade places.
Json mechanism_to_json(const Mechanism& mechanism, const Lattice& lattice, const PointToJson& point);
Mechanism mechanism_from_json(const Json& json, const Lattice& lattice, const PointFromJson& point,
                              const std::string& place);
// Of one column.
Json mechanism_to_json(const Mechanism& mechanism, const Lattice& lattice);
Mechanism mechanism_from_json(const Json& json, const Lattice& lattice, const std::string& place);

}  // namespace fugu::inline in_mechanism
