#include "fugu/calibrate/shape_loss.h"

#include <algorithm>
#include <cmath>

namespace fugu {

ShapeLoss::ShapeLoss(const Task& task)
    : task_(task),
      epsilon_(static_cast<double>(task.scenario.epsilon.value())),
      delta_(static_cast<double>(task.scenario.delta.value())),
      step_(static_cast<double>(task.scenario.lattice.step)),
      pairs_(task.scenario.pairs.list(task.scenario.secrets.size())) {
  for (const Prior& prior : task.scenario.priors) {
    masses_.emplace_back();
    for (const Distribution& secret : prior.given) masses_.back().push_back(secret.approximate_masses());
  }
}

double ShapeLoss::over_budget(Scale scale) const {
  const Scenario& scenario = task_.scenario;
  const int64_t reach = task_.family.reach(scale, scenario.lattice, task_.farthest, scenario.delta.value());
  auto shape = [&](int64_t steps) {
    return task_.family.log_weight(step_ * static_cast<double>(steps), scale);
  };
  std::vector<double> weights;
  for (int64_t z = 0; z <= reach; ++z) weights.push_back(std::exp(shape(z)));
  const double tail = std::exp(shape(reach + 1) - shape(reach));
  double total = -weights[0];
  for (double weight : weights) total += 2 * weight;
  total += 2 * weights.back() * tail / (1 - tail);
  const double growth = std::exp(epsilon_);

  double worst = 0;
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const auto& given = scenario.priors[p].given;
    const auto atoms = union_support(given);
    // Every output near an atom; what lies between far-away atoms is left out of the guess.
    std::vector<int64_t> outputs;
    for (int64_t atom : atoms) {
      int64_t first = outputs.empty() ? atom - reach : std::max(atom - reach, outputs.back() + 1);
      for (int64_t y = first; y <= atom + reach; ++y) outputs.push_back(y);
    }
    std::vector<std::vector<double>> mass;
    for (size_t s = 0; s < given.size(); ++s) {
      std::vector<double> out(outputs.size(), 0.0);
      for (size_t x = 0; x < given[s].size(); ++x) {
        const int64_t atom = given[s].atoms()[x];
        const double share = masses_[p][s][x] / total;
        for (size_t k = 0; k < outputs.size(); ++k) {
          const int64_t far = std::llabs(outputs[k] - atom);
          out[k] +=
              share * (far <= reach ? weights[static_cast<size_t>(far)]
                                    : weights.back() * std::pow(tail, static_cast<double>(far - reach)));
        }
      }
      mass.push_back(std::move(out));
    }
    for (auto [a, b] : pairs_) {
      if (delta_ == 0) {
        for (size_t k = 0; k < outputs.size(); ++k) {
          if (mass[a][k] == 0 && mass[b][k] == 0) continue;
          worst = std::max(worst, std::fabs(std::log(mass[a][k]) - std::log(mass[b][k])) / epsilon_);
        }
        continue;
      }
      for (auto [i, j] : {SecretPair{a, b}, SecretPair{b, a}}) {
        double sum = 0;
        for (size_t k = 0; k < outputs.size(); ++k) sum += std::max(0.0, mass[i][k] - growth * mass[j][k]);
        for (size_t k : {size_t{0}, outputs.size() - 1}) {
          sum += std::max(0.0, mass[i][k] - growth * mass[j][k]) * tail / (1 - tail);
        }
        worst = std::max(worst, sum / delta_);
      }
    }
  }
  return worst;
}

}  // namespace fugu
