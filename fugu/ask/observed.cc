#include "fugu/ask/observed.h"

#include <fmt/format.h>

#include <numeric>

#include "fugu/core/error.h"
#include "fugu/models/crowd_table.h"

namespace fugu::inline in_ask {
namespace {

// What numbers a model has: how many, on which lattice, between which indices.
struct Expected {
  size_t count = 1;
  Lattice lattice{};
  int64_t low = 0, high = 0;
};

Expected expected_of(const Model& model) {
  if (const Crowd* crowd = std::get_if<Crowd>(&model)) {
    const auto [low, high] = bounds_of(*crowd);
    return {1, crowd->lattice, low, high};
  }
  if (const RateModel* rate = std::get_if<RateModel>(&model)) {
    const auto rows = static_cast<int64_t>(rate->rows);
    if (rate->is_histogram()) return {rate->released_numbers(), rate->lattice, 0, rows};
    return {1, rate->released_lattice(), rate->values.front() * rows, rate->values.back() * rows};
  }
  const ChainModel& chain = std::get<ChainModel>(model);
  return {chain.counted ? 1 : chain.states.size(), chain.lattice(), 0, static_cast<int64_t>(chain.length)};
}

}  // namespace

std::vector<int64_t> observed_numbers(const Model& model, const std::vector<std::string>& texts,
                                      const std::string& place) {
  auto wrong = [&](const std::string& what, const std::string& hint) {
    return Error(ErrorKind::kData, place + ": " + what, hint);
  };
  const Expected expected = expected_of(model);
  std::vector<int64_t> numbers;
  for (const std::string& text : texts) {
    const auto value = parse_number(text);
    const auto index = value ? expected.lattice.index(*value) : std::nullopt;
    if (!value)
      throw wrong(fmt::format("item {} is not a number", numbers.size() + 1), "give the true number");
    if (!index || *index < expected.low || *index > expected.high) {
      throw wrong(fmt::format("number {} cannot occur in the model", numbers.size() + 1),
                  "the model and the number must be about the same people");
    }
    numbers.push_back(*index);
  }
  if (numbers.size() != expected.count) {
    throw wrong(
        fmt::format("there {}, but there must be {}",
                    numbers.size() == 1 ? "is 1 number" : fmt::format("are {} numbers", numbers.size()),
                    expected.count),
        "give the true numbers, separated by blanks or line breaks");
  }
  const ChainModel* chain = std::get_if<ChainModel>(&model);
  if (chain && !chain->counted &&
      std::accumulate(numbers.begin(), numbers.end(), int64_t{0}) != expected.high)
    throw wrong("the numbers do not add up to the length",
                "give one for each state, in the order of the states");
  const RateModel* rate = std::get_if<RateModel>(&model);
  if (rate && rate->is_histogram() &&
      std::accumulate(numbers.begin(), numbers.end(), int64_t{0}) != expected.high)
    throw wrong("the numbers do not add up to the number of rows",
                "give one for each category, in the order of the plan's labels");
  return numbers;
}

}  // namespace fugu::inline in_ask
