#include "fugu/calibrate/unbiased.h"

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/box_loss.h"
#include "fugu/core/error.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr double kMostOutputs = 500;  // beyond each end of the values

// How far the outputs must reach, in lattice indices: beyond them lie all of a < and b >.
struct Reach {
  double low, high;
};

// The least and the greatest mean of each pair of secrets, under each prior.
std::vector<Reach> mean_pairs(const Scenario& scenario) {
  std::vector<Reach> result;
  if (scenario.has_boxes()) {
    const BoxLoss boxes(scenario);
    std::vector<double> values(boxes.domain().begin(), boxes.domain().end());
    for (size_t p = 0; p < boxes.priors(); ++p) {
      const BoxLoss::Extremes means = boxes.extremes(p, values, false);
      for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
        for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}})
          result.push_back(
              {std::min(means.least[i], means.most[j]), std::max(means.least[i], means.most[j])});
      }
    }
    return result;
  }
  for (const Prior& prior : scenario.priors) {
    std::vector<double> means;
    for (const Distribution& secret : prior.by_secret) {
      const std::vector<double> masses = secret.approximate_masses();
      double mean = 0;
      for (size_t k = 0; k < masses.size(); ++k) mean += masses[k] * static_cast<double>(secret.atoms()[k]);
      means.push_back(mean);
    }
    for (auto [a, b] : scenario.pairs.list(prior.by_secret.size()))
      result.push_back({std::min(means[a], means[b]), std::max(means[a], means[b])});
  }
  return result;
}

Reach needed_reach(const Scenario& scenario, const std::vector<int64_t>& inputs) {
  const double growth = std::exp(static_cast<double>(scenario.epsilon.value()));
  Reach reach{static_cast<double>(inputs.front()), static_cast<double>(inputs.back())};
  for (const Reach& means : mean_pairs(scenario)) {
    reach.low = std::min(reach.low, (growth * means.low - means.high) / (growth - 1));
    reach.high = std::max(reach.high, (growth * means.high - means.low) / (growth - 1));
  }
  return reach;
}

}  // namespace

std::vector<int64_t> unbiased_outputs(const Scenario& scenario, const std::vector<int64_t>& inputs) {
  const Reach reach = needed_reach(scenario, inputs);
  if (!(reach.high - reach.low < 0x1p40)) {
    throw Error(ErrorKind::kGuarantee, "an unbiased channel would need outputs too far beyond the values",
                "raise --epsilon, or leave out --unbiased");
  }
  // A quarter more than needed, so that the ends leave room.
  const double span = static_cast<double>(inputs.back() - inputs.front()) + 4;
  std::vector<int64_t> outputs = inputs;
  auto extend = [&](double edge, double limit, int64_t sign) {
    const double count = std::ceil(1.25 * std::fabs(limit - edge) + 0.25 * span) + 1;
    const auto stride = static_cast<int64_t>(std::ceil(count / kMostOutputs));
    const auto steps = static_cast<int64_t>(std::ceil(count / static_cast<double>(stride)));
    for (int64_t k = 1; k <= steps; ++k) outputs.push_back(static_cast<int64_t>(edge) + sign * k * stride);
  };
  extend(static_cast<double>(inputs.back()), reach.high, 1);
  extend(static_cast<double>(inputs.front()), reach.low, -1);
  std::sort(outputs.begin(), outputs.end());
  outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
  return outputs;
}

void check_unbiased_outputs(const Scenario& scenario, const std::vector<int64_t>& inputs,
                            const std::vector<int64_t>& outputs) {
  const Reach reach = needed_reach(scenario, inputs);
  const auto low = static_cast<double>(outputs.front()), high = static_cast<double>(outputs.back());
  if (low <= reach.low && high >= reach.high) return;
  // How far that is follows from the ends of the values, and errors are logged.
  throw Error(ErrorKind::kGuarantee,
              "an unbiased channel needs outputs further beyond the values on both sides",
              "add some to --outputs; or leave it out, and fugu takes enough; or raise --epsilon");
}

std::vector<std::vector<double>> unbiased_partner(const Scenario& scenario,
                                                  const std::vector<int64_t>& inputs,
                                                  const std::vector<int64_t>& outputs) {
  const Reach reach = needed_reach(scenario, inputs);
  const auto a = static_cast<double>(outputs.front()), b = static_cast<double>(outputs.back());
  if (!(a < reach.low) || !(b > reach.high)) return {};
  // A share of the uniform law, whose mean is that of the outputs, and two points that make up for it.
  const double count = static_cast<double>(outputs.size());
  double mean = 0;
  for (int64_t y : outputs) mean += static_cast<double>(y) / count;
  double share = 0.5;
  // The mass of an end given the mean of the values, and the loss there.
  auto at_top = [&](double m) { return (m - share * mean - (1 - share) * a) / (b - a) + share / count; };
  auto at_bottom = [&](double m) { return ((1 - share) * b - m + share * mean) / (b - a) + share / count; };
  const auto pairs = mean_pairs(scenario);
  auto loss = [&] {
    double worst = 0;
    for (const Reach& means : pairs) {
      worst = std::max({worst, std::log(at_top(means.high) / at_top(means.low)),
                        std::log(at_bottom(means.low) / at_bottom(means.high))});
    }
    return worst;
  };
  auto fits = [&](double most) {
    for (int64_t end : {inputs.front(), inputs.back()}) {
      const double rest = (static_cast<double>(end) - share * mean) / (1 - share);
      if (rest < a || rest > b) return false;
    }
    return loss() <= most;
  };
  const double epsilon = static_cast<double>(scenario.epsilon.value());
  share = 0;
  const double least = loss();
  // Half of the room that the ends leave is for the uniform share.
  for (share = 0.5; !fits((least + epsilon) / 2) && share > 1e-12;) share /= 2;
  std::vector<std::vector<double>> table;
  for (int64_t x : inputs) {
    std::vector<double> row(outputs.size(), share / count);
    const double rest = (static_cast<double>(x) - share * mean) / (1 - share);
    row.back() += (1 - share) * (rest - a) / (b - a);
    row.front() += (1 - share) * (b - rest) / (b - a);
    table.push_back(std::move(row));
  }
  return table;
}

void centre_row(std::vector<Integer>& weights, const std::vector<int64_t>& outputs, int64_t input) {
  if (input == outputs.front() || input == outputs.back()) {
    for (size_t k = 0; k < outputs.size(); ++k) weights[k] = outputs[k] == input ? 1 : 0;
    return;
  }
  Integer moment(0);
  for (size_t k = 0; k < outputs.size(); ++k) moment += weights[k] * (outputs[k] - input);
  if (moment == 0) return;
  // The nearest output on the side that lacks weight.
  const auto above =
      static_cast<size_t>(std::upper_bound(outputs.begin(), outputs.end(), input) - outputs.begin());
  const auto at_least =
      static_cast<size_t>(std::lower_bound(outputs.begin(), outputs.end(), input) - outputs.begin());
  const size_t side = moment < 0 ? above : at_least - 1;
  const int64_t distance = moment < 0 ? outputs[side] - input : input - outputs[side];
  for (Integer& weight : weights) weight *= distance;
  weights[side] += moment < 0 ? Integer(-moment) : moment;
}

}  // namespace fugu::inline in_calibrate
