#include "fugu/calibrate/channel_tables.h"

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/optimum.h"
#include "fugu/calibrate/unbiased.h"

namespace fugu {
namespace {

constexpr int kRowBits = 96;  // a row's weights add up to 2^96

Channel without_unused(Channel channel) {
  for (size_t k = channel.outputs.size(); k-- > 0;) {
    const bool used = std::any_of(channel.weights.begin(), channel.weights.end(),
                                  [&](const auto& row) { return row[k] != 0; });
    if (used) continue;
    const auto at = static_cast<std::ptrdiff_t>(k);
    channel.outputs.erase(channel.outputs.begin() + at);
    for (auto& row : channel.weights) row.erase(row.begin() + at);
  }
  return channel;
}

}  // namespace

ChannelTable folded_laplace(Scale scale, const Lattice& lattice, const std::vector<int64_t>& inputs,
                            const std::vector<int64_t>& outputs) {
  const double width = scale.value / static_cast<double>(lattice.step) * (1 + 1e-9);
  const double ratio = width > 0 ? std::exp(-1 / width) : 0;
  auto up_to = [&](int64_t z) {  // P(noise <= z)
    const double far = std::pow(ratio, static_cast<double>(z < 0 ? -z : z + 1)) / (1 + ratio);
    return z < 0 ? far : 1 - far;
  };
  ChannelTable table;
  for (int64_t x : inputs) {
    std::vector<double> row;
    double before = 0;
    for (size_t k = 0; k < outputs.size(); ++k) {
      const double next =
          k + 1 == outputs.size() ? 1 : up_to(outputs[k] + (outputs[k + 1] - outputs[k]) / 2 - x);
      row.push_back(std::max(0.0, next - before));
      before = next;
    }
    table.push_back(std::move(row));
  }
  return table;
}

Channel channel_of(const ChannelTable& table, const std::vector<int64_t>& inputs,
                   const std::vector<int64_t>& outputs, bool unbiased) {
  Channel channel{inputs, outputs, {}};
  const Integer whole = Integer(1) << kRowBits;
  for (size_t i = 0; i < table.size(); ++i) {
    std::vector<Integer> row;
    Integer sum(0);
    for (double share : table[i]) {
      row.push_back(scaled_integer(share, kRowBits));
      sum += row.back();
    }
    if (unbiased) {
      centre_row(row, outputs, inputs[i]);
    } else {
      const auto largest = std::max_element(table[i].begin(), table[i].end()) - table[i].begin();
      row[static_cast<size_t>(largest)] += whole - sum;
    }
    channel.weights.push_back(std::move(row));
  }
  return without_unused(std::move(channel));
}

}  // namespace fugu
