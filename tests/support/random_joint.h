// Random scenarios of several columns, and their loss by definition in exact rationals.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "fugu/mechanism/joint_noise.h"
#include "fugu/scenario/columns.h"
#include "tests/support/random_scenario.h"

namespace fugu::testing {

// Masses by joint value, for each secret.
using JointCounts = std::map<Point, uint64_t>;

inline Scenario joint_scenario(const std::vector<std::vector<JointCounts>>& priors, size_t columns) {
  Scenario scenario{epsilon_of("0.5")};
  scenario.axes.resize(columns);
  for (const auto& prior : priors) {
    for (const JointCounts& given : prior) {
      for (const auto& [point, count] : given) scenario.points.push_back(point);
    }
  }
  sort_points(scenario.points);
  for (size_t s = 0; s < priors[0].size(); ++s) scenario.secrets.push_back("s" + std::to_string(s));
  for (const auto& prior : priors) {
    scenario.priors.push_back({"prior " + std::to_string(scenario.priors.size()), {}});
    for (const JointCounts& given : prior) {
      std::vector<int64_t> atoms;
      std::vector<uint64_t> counts;
      for (const auto& [point, count] : given) {
        atoms.push_back(index_of(scenario.points, point));
        counts.push_back(count);
      }
      scenario.priors.back().by_secret.push_back(
          Distribution::from_counts(std::move(atoms), std::move(counts)));
    }
  }
  return scenario;
}

inline JointCounts random_cloud(size_t columns, size_t most, int64_t width, uint64_t largest) {
  JointCounts cloud;
  const auto count = *rc::gen::inRange<size_t>(1, most + 1);
  for (size_t k = 0; k < count; ++k) {
    Point point;
    for (size_t c = 0; c < columns; ++c) point.push_back(*rc::gen::inRange<int64_t>(0, width));
    cloud[point] += *rc::gen::inRange<uint64_t>(1, largest + 1);
  }
  return cloud;
}

inline Scenario random_joint_scenario(size_t columns, size_t most_atoms, int64_t width,
                                      size_t most_secrets = 4) {
  const auto secrets = *rc::gen::inRange<size_t>(2, most_secrets + 1);
  const auto count = *rc::gen::inRange<size_t>(1, 3);
  std::vector<std::vector<JointCounts>> priors(count);
  for (auto& prior : priors) {
    for (size_t s = 0; s < secrets; ++s) prior.push_back(random_cloud(columns, most_atoms, width, 9));
  }
  Scenario scenario = joint_scenario(priors, columns);
  scenario.epsilon = epsilon_of(*rc::gen::element<std::string>("0.1", "0.5", "1", "2.3"));
  for (Axis& axis : scenario.axes) {
    axis.lattice.step = *rc::gen::element<Rational>(Rational(1), Rational(1, 2), Rational(5));
    axis.weight = *rc::gen::element<Rational>(Rational(1), Rational(2), Rational(3, 10), Rational(7, 2));
  }
  if (*rc::gen::inRange(0, 3) == 0) scenario.pairs = PairSet::of({{0, 1}});
  return scenario;
}

// Every point of the box that reaches `margin` beyond the values in each column.
template <class Visit>
void for_each_in_box(const Scenario& scenario, int64_t margin, Visit visit) {
  Point low = scenario.points.front(), high = low;
  for (const Point& point : scenario.points) {
    for (size_t c = 0; c < point.size(); ++c) {
      low[c] = std::min(low[c], point[c]);
      high[c] = std::max(high[c], point[c]);
    }
  }
  Point at = low;
  for (int64_t& coordinate : at) coordinate -= margin;
  for (;;) {
    visit(at);
    size_t c = 0;
    for (; c < at.size(); ++c) {
      if (++at[c] <= high[c] + margin) break;
      at[c] = low[c] - margin;
    }
    if (c == at.size()) return;
  }
}

// P(y|s), up to a factor that is the same for every secret. By definition.
inline Rational joint_mass(const Scenario& scenario, const Distribution& given, const JointNoise& noise,
                           const Point& y) {
  Rational sum(0);
  for (size_t k = 0; k < given.size(); ++k) {
    const Point& x = scenario.points[static_cast<size_t>(given.atoms()[k])];
    Rational mass = given.mass(k);
    for (size_t c = 0; c < x.size(); ++c) {
      for (int64_t steps = std::llabs(y[c] - x[c]); steps > 0; --steps) mass *= noise.columns[c].tail.value();
    }
    sum += mass;
  }
  return sum;
}

struct BruteJoint {
  Rational ratio{1};
  bool infinite = false;
  Point at;
};

// The largest ratio over priors, pairs (both ways) and every output of the box.
inline BruteJoint brute_joint(const Scenario& scenario, const JointNoise& noise, int64_t margin) {
  BruteJoint worst;
  for (const Prior& prior : scenario.priors) {
    for_each_in_box(scenario, margin, [&](const Point& y) {
      std::vector<Rational> mass;
      for (const Distribution& given : prior.by_secret) mass.push_back(joint_mass(scenario, given, noise, y));
      for (auto [a, b] : scenario.pairs.list(prior.by_secret.size())) {
        const Rational high = std::max(mass[a], mass[b]), low = std::min(mass[a], mass[b]);
        if (high == low) continue;
        if (low == 0) {
          worst.infinite = true;
        } else if (high / low > worst.ratio) {
          worst.ratio = high / low;
          worst.at = y;
        }
      }
    });
  }
  return worst;
}

// Noise with short dyadic tails, so that rationals stay small; now and then none on a column.
inline JointNoise random_joint_noise(size_t columns) {
  JointNoise noise{Scale{1}, {}};
  for (size_t c = 0; c < columns; ++c) {
    Noise column = no_noise("laplace");
    column.scale = Scale{1};
    column.tail = {Integer(*rc::gen::weightedElement<int>({{1, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 5}, {4, 7}})),
                   3};
    noise.columns.push_back(column);
  }
  return noise;
}

}  // namespace fugu::testing
