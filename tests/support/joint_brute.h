// What several releases of one value tell together, by definition and in exact rationals.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "fugu/law/claim.h"
#include "fugu/mechanism/mechanism.h"
#include "tests/support/brute_force.h"

namespace fugu::testing {

struct ReleaseKernel {
  std::vector<int64_t> outputs;
  std::function<Rational(int64_t y, int64_t x)> mass;  // up to a common factor for noise
};

// Every output from `margin` below to `margin` above all that the table reaches.
inline ReleaseKernel release_kernel(const Mechanism& mechanism, const std::vector<int64_t>& atoms,
                                    int64_t margin) {
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) {
    return {channel->outputs, [channel](int64_t y, int64_t x) {
              const auto i = std::find(channel->inputs.begin(), channel->inputs.end(), x);
              const auto k = std::find(channel->outputs.begin(), channel->outputs.end(), y);
              const auto row = static_cast<size_t>(i - channel->inputs.begin());
              return Rational(channel->weights[row][static_cast<size_t>(k - channel->outputs.begin())],
                              channel->row_total(row));
            }};
  }
  const Noise& noise = std::get<Noise>(mechanism);
  ReleaseKernel kernel;
  for (int64_t y = atoms.front() - noise.reach() - margin; y <= atoms.back() + noise.reach() + margin; ++y)
    kernel.outputs.push_back(y);
  kernel.mass = [&noise, total = total_weight(noise)](int64_t y, int64_t x) {
    return Rational(weight_at(noise, y - x) / total);
  };
  return kernel;
}

// P(y_1 … y_k | s) for every joint output, by secret.
inline std::vector<std::vector<Rational>> joint_masses(const Prior& prior,
                                                       const std::vector<const Mechanism*>& releases,
                                                       int64_t margin) {
  const auto atoms = union_support(prior.by_secret);
  // For each joint output so far, what it leaves of each atom.
  std::vector<std::vector<Rational>> left{std::vector<Rational>(atoms.size(), Rational(1))};
  for (const Mechanism* release : releases) {
    const ReleaseKernel kernel = release_kernel(*release, atoms, margin);
    std::vector<std::vector<Rational>> given;
    for (int64_t y : kernel.outputs) {
      given.emplace_back();
      for (int64_t x : atoms) given.back().push_back(kernel.mass(y, x));
    }
    std::vector<std::vector<Rational>> next;
    for (const auto& row : left) {
      for (const auto& at : given) {
        next.push_back(row);
        for (size_t x = 0; x < atoms.size(); ++x) next.back()[x] *= at[x];
      }
    }
    left = std::move(next);
  }
  std::vector<std::vector<Rational>> masses;
  for (const Distribution& secret : prior.by_secret) {
    masses.emplace_back();
    for (const auto& row : left) {
      Rational sum(0);
      for (size_t k = 0; k < secret.size(); ++k) {
        const auto x = std::lower_bound(atoms.begin(), atoms.end(), secret.atoms()[k]) - atoms.begin();
        sum += secret.mass(k) * row[static_cast<size_t>(x)];
      }
      masses.back().push_back(sum);
    }
  }
  return masses;
}

inline BruteLoss brute_joint(const Scenario& scenario, const std::vector<const Mechanism*>& releases,
                             int64_t margin = 2) {
  BruteLoss worst;
  for (const Prior& prior : scenario.priors) {
    const auto masses = joint_masses(prior, releases, margin);
    for (auto [a, b] : scenario.pairs.list(prior.by_secret.size())) {
      for (size_t y = 0; y < masses[a].size(); ++y) {
        const Rational &high = std::max(masses[a][y], masses[b][y]),
                       &low = std::min(masses[a][y], masses[b][y]);
        if (high == low) continue;
        if (low == 0) {
          worst.infinite = true;
        } else {
          worst.ratio = std::max(worst.ratio, Rational(high / low));
        }
      }
    }
  }
  return worst;
}

}  // namespace fugu::testing
