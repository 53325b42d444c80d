#include "fugu/calibrate/channel_tables.h"

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/optimum.h"
#include "fugu/calibrate/unbiased.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr int kRowBits = 96;  // a row's weights add up to 2^96
constexpr size_t kFewOutputs = 64;

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

ChannelTable costs_of(const ErrorMeasure& measure, const Lattice& lattice, const std::vector<int64_t>& inputs,
                      const std::vector<int64_t>& outputs) {
  const bool is_table = measure.kind == ErrorMeasure::kTable;
  const double of_a_step = is_table ? 0 : static_cast<double>(measure.of(0, 1, lattice));
  auto cost = [&](int64_t input, int64_t output) {
    if (is_table) return static_cast<double>(measure.of(input, output, lattice));
    const double distance = std::fabs(static_cast<double>(output - input));
    return of_a_step * (measure.kind == ErrorMeasure::kSquared    ? distance * distance
                        : measure.kind == ErrorMeasure::kAbsolute ? distance
                                                                  : std::min(distance, 1.0));
  };
  ChannelTable costs(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    costs[i].reserve(outputs.size());
    for (int64_t output : outputs) costs[i].push_back(cost(inputs[i], output));
  }
  return costs;
}

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
                   const std::vector<int64_t>& outputs, bool unbiased, const Progress& progress) {
  Channel channel{inputs, outputs, {}};
  const Integer whole = Integer(1) << kRowBits;
  for (size_t i = 0; i < table.size(); ++i) {
    report(progress, 0.9, "making integers of a channel");
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

Channel unbiased_fallback(const Scenario& scenario, const std::vector<int64_t>& inputs,
                          const std::vector<int64_t>& outputs) {
  std::vector<int64_t> few = outputs;
  if (outputs.size() > kFewOutputs) {
    // Evenly chosen, the ends among them.
    few.resize(kFewOutputs);
    for (size_t k = 0; k < kFewOutputs; ++k) few[k] = outputs[k * (outputs.size() - 1) / (kFewOutputs - 1)];
  }
  return channel_of(unbiased_partner(scenario, inputs, few), inputs, few, true);
}

}  // namespace fugu::inline in_calibrate
