#include "fugu/solve/merged_classes.h"

#include <algorithm>
#include <numeric>

namespace fugu::inline in_solve {

MergedClasses::MergedClasses(const CirculationProblem& fine) : problem(fine) {
  const size_t size = fine.weights.size(), secrets = fine.secrets, width = fine.masses.size() * secrets;
  // What the class says of each secret: the direction, as shares of its sum.
  std::vector<float> shares(size * width);
  for (size_t x = 0; x < size; ++x) {
    for (size_t p = 0; p < fine.masses.size(); ++p) {
      const double* mass = fine.masses[p].data() + x * secrets;
      const double sum = std::accumulate(mass, mass + secrets, 0.0);
      for (size_t s = 0; s < secrets; ++s)
        shares[x * width + p * secrets + s] = sum > 0 ? static_cast<float>(mass[s] / sum) : 0;
    }
  }
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::pair<size_t, size_t>> todo = {{0, size}};
  while (!todo.empty()) {
    const auto [first, last] = todo.back();
    todo.pop_back();
    if (last - first <= 5) {
      members_.emplace_back(order.begin() + first, order.begin() + last);
      continue;
    }
    size_t widest = 0;
    float spread = -1;
    for (size_t m = 0; m < width; ++m) {
      float low = 1, high = 0;
      for (size_t k = first; k < last; ++k) {
        low = std::min(low, shares[order[k] * width + m]);
        high = std::max(high, shares[order[k] * width + m]);
      }
      if (high - low > spread) {
        spread = high - low;
        widest = m;
      }
    }
    const size_t middle = (first + last) / 2;
    std::nth_element(
        order.begin() + first, order.begin() + middle, order.begin() + last,
        [&](uint32_t a, uint32_t b) { return shares[a * width + widest] < shares[b * width + widest]; });
    todo.emplace_back(first, middle);
    todo.emplace_back(middle, last);
  }
  problem.weights.assign(members_.size(), 0);
  for (std::vector<double>& masses : problem.masses) masses.assign(members_.size() * secrets, 0);
  for (size_t k = 0; k < members_.size(); ++k) {
    std::sort(members_[k].begin(), members_[k].end(),
              [&](uint32_t a, uint32_t b) { return fine.weights[a] > fine.weights[b]; });
    for (uint32_t x : members_[k]) {
      problem.weights[k] += fine.weights[x];
      for (size_t p = 0; p < fine.masses.size(); ++p) {
        for (size_t s = 0; s < secrets; ++s)
          problem.masses[p][k * secrets + s] += fine.masses[p][x * secrets + s];
      }
    }
  }
  if (fine.cost)
    problem.cost = [this, cost = fine.cost](size_t a, size_t b) {
      return cost(members_[a].front(), members_[b].front());
    };
}

CirculationStart MergedClasses::start(const std::vector<ClassFlow>& flows,
                                      const std::vector<double>& worth) const {
  CirculationStart start;
  start.doubt = 0.3;
  for (const ClassFlow& flow : flows) {
    const auto &from = members_[flow.from], &to = members_[flow.to];
    for (uint32_t x : from) start.flows.emplace_back(x, to.front());
    for (uint32_t y : to) start.flows.emplace_back(from.front(), y);
  }
  size_t size = 0;
  for (const auto& members : members_) size += members.size();
  start.worth.resize(size);
  for (size_t k = 0; k < members_.size(); ++k) {
    for (uint32_t x : members_[k]) start.worth[x] = worth[k];
  }
  return start;
}

}  // namespace fugu::inline in_solve
