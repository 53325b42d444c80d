#include "fugu/mechanism/channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fugu/core/json_read.h"

namespace fugu::inline in_mechanism {
namespace {

Error table_error(const std::string& place, const std::string& message) {
  return Error(ErrorKind::kData, place + ": " + message, "the plan was changed or cut off; calibrate again");
}

}  // namespace

Integer Channel::row_total(size_t input) const {
  return std::accumulate(weights[input].begin(), weights[input].end(), Integer(0));
}

bool Channel::is_identity() const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (weights[i][k] != 0 && outputs[k] != inputs[i]) return false;
    }
  }
  return true;
}

bool Channel::is_unbiased() const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Integer moment(0);
    for (size_t k = 0; k < outputs.size(); ++k) moment += weights[i][k] * (outputs[k] - inputs[i]);
    if (moment != 0) return false;
  }
  return true;
}

Channel channel_from_json(const Json& json, const Lattice& lattice, const std::string& place) {
  Channel channel;
  channel.inputs = need_points(need(json, "inputs", place), lattice, place + ".inputs");
  channel.outputs = need_points(need(json, "outputs", place), lattice, place + ".outputs");
  if (!need(json, "scale", place).is_null()) throw table_error(place + ".scale", "a channel has no scale");
  std::vector<char> used(channel.outputs.size(), 0);
  for (const Json& row : need_array(need(json, "weights", place), place + ".weights")) {
    const std::string where = fmt::format("{}.weights[{}]", place, channel.weights.size());
    std::vector<Integer> weights;
    bool positive = false;
    for (const Json& item : need_array(row, where)) {
      weights.push_back(need_natural(item, where));
      if (weights.back() == 0) continue;
      positive = true;
      if (weights.size() <= used.size()) used[weights.size() - 1] = 1;
    }
    if (weights.size() != channel.outputs.size())
      throw table_error(where, "there must be one weight for each output");
    if (!positive) throw table_error(where, "some weight must be greater than 0");
    channel.weights.push_back(std::move(weights));
  }
  if (channel.weights.size() != channel.inputs.size())
    throw table_error(place + ".weights", "there must be one row for each input");
  if (std::find(used.begin(), used.end(), 0) != used.end())
    throw table_error(place + ".weights", "every output must be possible for some input");
  const bool* unbiased = need(json, "unbiased", place).if_boolean();
  if (!unbiased || *unbiased != channel.is_unbiased())
    throw table_error(place + ".unbiased", "this is not what the weights say");
  return channel;
}

}  // namespace fugu::inline in_mechanism
