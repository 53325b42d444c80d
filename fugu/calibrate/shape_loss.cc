#include "fugu/calibrate/shape_loss.h"

#include <algorithm>
#include <cmath>

namespace fugu::inline in_calibrate {

ShapeLoss::ShapeLoss(const Task& task)
    : task_(task),
      epsilon_(static_cast<double>(task.scenario.epsilon.value())),
      delta_(static_cast<double>(task.scenario.delta.value())),
      step_(static_cast<double>(task.scenario.lattice.step)),
      limits_(approximate_limits(task.scenario)) {
  if (task.scenario.has_boxes()) boxes_.emplace(task.scenario);
  for (const Prior& prior : task.scenario.priors) {
    masses_.emplace_back();
    for (const Distribution& secret : prior.by_secret) masses_.back().push_back(secret.approximate_masses());
    shares_.push_back(approximate_shares(task.scenario, prior));
  }
}

namespace {

// The most of the first law and the least of the second. A secret that is in the mixture, too, has one law.
std::pair<double, double> extremes_of(const ApproximateLimit& limit, const BoxLoss::Extremes& found,
                                      const std::vector<double>& shares) {
  const size_t mixture = found.most.size();
  auto mixed = [&](size_t own, double of_own, const std::vector<double>& others) {
    double sum = shares[own] * of_own;
    for (size_t s = 0; s < mixture; ++s) sum += s == own ? 0 : shares[s] * others[s];
    return sum;
  };
  if (limit.second == mixture) {
    const double own = found.most[limit.first];
    return {own, mixed(limit.first, own, found.least)};
  }
  const double least = found.least[limit.second];
  return {limit.first == mixture ? mixed(limit.second, least, found.most) : found.most[limit.first], least};
}

}  // namespace

template <class Noise>
double ShapeLoss::boxed_over_budget(int64_t reach, double tail, Noise at) const {
  const auto& domain = boxes_->domain();
  const double growth = std::exp(epsilon_);
  double worst = 0;
  for (size_t p = 0; p < boxes_->priors(); ++p) {
    std::vector<double> sums(limits_.size(), 0);
    const int64_t first = domain.front() - reach, last = domain.back() + reach;
    size_t next = 0;
    for (int64_t y = first; y <= last; ++y) {
      if (delta_ == 0) {  // only near an atom
        while (next < domain.size() && domain[next] + reach < y) ++next;
        if (next < domain.size() && y < domain[next] - reach) y = domain[next] - reach;
      }
      std::vector<double> kernel;
      for (int64_t x : domain) kernel.push_back(at(y - x));
      const BoxLoss::Extremes found = boxes_->extremes(p, kernel, false);
      for (size_t k = 0; k < limits_.size(); ++k) {
        const auto [most, least] = extremes_of(limits_[k], found, shares_[p]);
        if (delta_ == 0) {
          if (most > 0) worst = std::max(worst, std::log(most / least) / limits_[k].epsilon);
          continue;
        }
        const double excess = std::max(0.0, most - growth * least);
        sums[k] += excess;
        if (y == first) sums[k] += excess * tail / (1 - tail);
        if (y == last) sums[k] += excess * tail / (1 - tail);
      }
    }
    for (double sum : sums) {
      if (delta_ > 0) worst = std::max(worst, sum / delta_);
    }
  }
  return worst;
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
  auto at = [&](int64_t steps) {
    const int64_t far = std::llabs(steps);
    return (far <= reach ? weights[static_cast<size_t>(far)]
                         : weights.back() * std::pow(tail, static_cast<double>(far - reach))) /
           total;
  };
  if (boxes_) return boxed_over_budget(reach, tail, at);

  double worst = 0;
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    const auto& given = scenario.priors[p].by_secret;
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
        for (size_t k = 0; k < outputs.size(); ++k) out[k] += masses_[p][s][x] * at(outputs[k] - atom);
      }
      mass.push_back(std::move(out));
    }
    add_mixture(mass, shares_[p]);
    for (const ApproximateLimit& limit : limits_) {
      const auto &high = mass[limit.first], &low = mass[limit.second];
      if (delta_ == 0) {
        for (size_t k = 0; k < outputs.size(); ++k) {
          if (high[k] == 0) continue;
          worst = std::max(worst, (std::log(high[k]) - std::log(low[k])) / limit.epsilon);
        }
        continue;
      }
      double sum = 0;
      for (size_t k = 0; k < outputs.size(); ++k) sum += std::max(0.0, high[k] - growth * low[k]);
      for (size_t k : {size_t{0}, outputs.size() - 1})
        sum += std::max(0.0, high[k] - growth * low[k]) * tail / (1 - tail);
      worst = std::max(worst, sum / delta_);
    }
  }
  return worst;
}

}  // namespace fugu::inline in_calibrate
