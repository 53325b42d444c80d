// How plans name the place where a proof is tightest.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "fugu/plan/model_plan.h"

namespace fugu::inline in_plan {

// Two letters of a crowd, or states of a chain, by their numbers; a crowd's letters.size() is absence.
using LetterPair = std::pair<size_t, size_t>;

// Users of one kind (of Crowd::users).
struct CrowdPlace {
  size_t kind = 0;
  LetterPair letters{0, 1};
};
// One time (from 1; 0 is every time) of one chain. The states' order says nothing.
struct ChainPlace {
  size_t chain = 0;
  uint64_t time = 0;
  LetterPair states{0, 1};
};

// The place's names, without a bound.
ModelWitness witness_at(const Crowd& crowd, const CrowdPlace& place);
ModelWitness witness_at(const ChainModel& model, const ChainPlace& place);

// The place that a witness names, if there is one. The chain's states come in order.
std::optional<CrowdPlace> place_of(const Crowd& crowd, const ModelWitness& witness);
std::optional<ChainPlace> place_of(const ChainModel& model, const ModelWitness& witness);

}  // namespace fugu::inline in_plan
