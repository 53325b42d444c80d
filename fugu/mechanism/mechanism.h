// What is done to a value: noise is added to it, to each of its columns where it has several, or a channel
// replaces it.
#pragma once

#include <string>
#include <variant>

#include "fugu/mechanism/channel.h"
#include "fugu/mechanism/joint_noise.h"
#include "fugu/mechanism/noise.h"

namespace fugu::inline in_mechanism {

using Mechanism = std::variant<Noise, Channel, JointNoise>;

// Whether values are released as they are.
bool changes_nothing(const Mechanism& mechanism);

// The name that plans and tables write: the family of the noise, or "channel".
std::string mechanism_name(const Mechanism& mechanism);

// The members of a plan's "mechanism" that make it, and the same read back. Error (data) with `place` where
// an invariant does not hold.
Json mechanism_to_json(const Mechanism& mechanism, const Lattice& lattice);
Mechanism mechanism_from_json(const Json& json, const Lattice& lattice, const std::string& place);

}  // namespace fugu::inline in_mechanism
