#include "fugu/plan/model_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fugu::inline in_plan {
namespace {

// One user among several that are alike is named by its kind.
std::string place_name(const Crowd& crowd, size_t kind, uint64_t users) {
  if (users == crowd.users.size()) return fmt::format("user {}", kind + 1);
  return crowd.users.size() == 1 ? "every user" : fmt::format("users of kind {}", kind + 1);
}

std::string place_name(const ChainModel& model, size_t chain, uint64_t time) {
  const std::string when = time == 0 ? "every time" : fmt::format("time {}", time);
  return model.chains.size() == 1 ? when : fmt::format("{} of {}", when, model.chains[chain].name);
}

size_t position(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

ModelWitness witness_at(const Crowd& crowd, const CrowdPlace& place) {
  auto name = [&](size_t letter) {
    return letter == crowd.letters.size() ? std::string(kAbsentLetter) : crowd.letters[letter];
  };
  return {place_name(crowd, place.kind, crowd.size()),
          {name(place.letters.first), name(place.letters.second)},
          {},
          {}};
}

ModelWitness witness_at(const ChainModel& model, const ChainPlace& place) {
  const auto [first, second] = std::minmax(place.states.first, place.states.second);
  return {place_name(model, place.chain, place.time), {model.states[first], model.states[second]}, {}, {}};
}

std::optional<CrowdPlace> place_of(const Crowd& crowd, const ModelWitness& witness) {
  const uint64_t users = crowd.size();
  for (size_t kind = 0; kind < crowd.users.size(); ++kind) {
    if (place_name(crowd, kind, users) != witness.place) continue;
    const CrowdPlace place{
        kind, {position(crowd.letters, witness.pair.first), position(crowd.letters, witness.pair.second)}};
    if (witness_at(crowd, place).pair == witness.pair) return place;
  }
  return std::nullopt;
}

std::optional<ChainPlace> place_of(const ChainModel& model, const ModelWitness& witness) {
  constexpr std::string_view kTime = "time ";
  const size_t first = position(model.states, witness.pair.first),
               second = position(model.states, witness.pair.second);
  if (std::max(first, second) >= model.states.size()) return std::nullopt;
  ChainPlace place{0, 0, {first, second}};
  if (witness.place.starts_with(kTime)) {
    const char* const end = witness.place.data() + witness.place.size();
    std::from_chars(witness.place.data() + kTime.size(), end, place.time);
  }
  if (place.time > model.length) return std::nullopt;
  for (; place.chain < model.chains.size(); ++place.chain) {
    const ModelWitness named = witness_at(model, place);
    if (named.place == witness.place && named.pair == witness.pair) return place;
  }
  return std::nullopt;
}

}  // namespace fugu::inline in_plan
