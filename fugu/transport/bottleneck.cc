#include "fugu/transport/bottleneck.h"

#include <lemon/preflow.h>
#include <lemon/smart_graph.h>

#include <algorithm>

namespace fugu::inline in_transport {
namespace {

constexpr size_t kMostCells = 4'000'000;  // pairs of atoms: half a gigabyte, seconds for each flow

Error too_large(const char* what) {
  return Error(ErrorKind::kGuarantee, what, "use --method exact, or give a coarser --step");
}

// Whether all mass can be moved along the cells that are at most `most` apart.
class Matching {
 public:
  Matching(const Distribution& from, const Distribution& to) {
    const Integer common = lcm(from.total(), to.total());
    if ((common >> 62) != 0) throw too_large("the masses are too fine for Theorem 1 on several columns");
    total_ = static_cast<int64_t>(common);
    // Masses a_k / A and b_k / B as integers over the least common multiple of the totals.
    supply_ = masses(from);
    demand_ = masses(to);
  }

  template <class Distance>
  bool exists(int64_t most, Distance distance) const {
    using Graph = lemon::SmartDigraph;
    Graph graph;
    std::vector<Graph::Node> left, right;
    size_t edges = 0;
    for (size_t i = 0; i < supply_.size(); ++i) {
      for (size_t j = 0; j < demand_.size(); ++j) edges += distance(i, j) <= most;
    }
    graph.reserveNode(static_cast<int>(supply_.size() + demand_.size() + 2));
    graph.reserveArc(static_cast<int>(edges + supply_.size() + demand_.size()));
    const Graph::Node source = graph.addNode(), sink = graph.addNode();
    for (size_t i = 0; i < supply_.size(); ++i) left.push_back(graph.addNode());
    for (size_t j = 0; j < demand_.size(); ++j) right.push_back(graph.addNode());
    Graph::ArcMap<int64_t> capacity(graph);
    for (size_t i = 0; i < left.size(); ++i) capacity[graph.addArc(source, left[i])] = supply_[i];
    for (size_t j = 0; j < right.size(); ++j) capacity[graph.addArc(right[j], sink)] = demand_[j];
    for (size_t i = 0; i < left.size(); ++i) {
      for (size_t j = 0; j < right.size(); ++j) {
        if (distance(i, j) <= most)
          capacity[graph.addArc(left[i], right[j])] = std::min(supply_[i], demand_[j]);
      }
    }
    lemon::Preflow<Graph, Graph::ArcMap<int64_t>> flow(graph, capacity, source, sink);
    flow.runMinCut();
    return flow.flowValue() == total_;
  }

 private:
  std::vector<int64_t> masses(const Distribution& given) const {
    const Integer factor = Integer(total_) / given.total();
    std::vector<int64_t> result;
    for (size_t k = 0; k < given.size(); ++k)
      result.push_back(static_cast<int64_t>(Integer(given.weights().at(k) * factor)));
    return result;
  }

  int64_t total_ = 0;
  std::vector<int64_t> supply_, demand_;
};

// For each of the 2^k ways to sign the columns whose values vary, the extremes of sum_c sign_c x_c: the
// farthest L1 distance of two sets is the largest difference over the signs.
struct Extremes {
  std::vector<int64_t> low, high;
};

Extremes extremes_of(const Distribution& given, const std::vector<Point>& points, const WeightedSteps& steps,
                     const std::vector<size_t>& varying) {
  const size_t signs = size_t{1} << varying.size();
  const Point& origin = points.front();  // so that sums stay within the span
  Extremes result{std::vector<int64_t>(signs, INT64_MAX), std::vector<int64_t>(signs, INT64_MIN)};
  for (int64_t atom : given.atoms()) {
    const Point& point = points[static_cast<size_t>(atom)];
    for (size_t sign = 0; sign < signs; ++sign) {
      int64_t sum = 0;
      for (size_t v = 0; v < varying.size(); ++v) {
        const size_t c = varying[v];
        const int64_t far = steps.per_step[c] * (point[c] - origin[c]);
        sum += (sign >> v & 1) != 0 ? -far : far;
      }
      result.low[sign] = std::min(result.low[sign], sum);
      result.high[sign] = std::max(result.high[sign], sum);
    }
  }
  return result;
}

}  // namespace

int64_t bottleneck_distance(const Distribution& from, const Distribution& to,
                            const std::vector<Point>& points, const WeightedSteps& steps) {
  const size_t rows = from.size(), columns = to.size();
  if (rows * columns > kMostCells) throw too_large("there are too many joint values for Theorem 1");
  std::vector<int64_t> distances;
  distances.reserve(rows * columns);
  for (int64_t x : from.atoms()) {
    for (int64_t other : to.atoms())
      distances.push_back(steps.between(points[static_cast<size_t>(x)], points[static_cast<size_t>(other)]));
  }
  auto distance = [&](size_t i, size_t j) { return distances[i * columns + j]; };
  // No atom gets by with less than the way to its nearest on the other side.
  int64_t least = 0;
  for (size_t i = 0; i < rows; ++i) {
    const auto row = distances.begin() + static_cast<ptrdiff_t>(i * columns);
    least = std::max(least, *std::min_element(row, row + static_cast<ptrdiff_t>(columns)));
  }
  for (size_t j = 0; j < columns; ++j) {
    int64_t nearest = INT64_MAX;
    for (size_t i = 0; i < rows; ++i) nearest = std::min(nearest, distance(i, j));
    least = std::max(least, nearest);
  }
  const Matching matching(from, to);
  if (matching.exists(least, distance)) return least;
  std::vector<int64_t> candidates = distances;
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  // Few distances suffice as a rule, and few make small graphs: in growing strides from below.
  auto low =
      static_cast<size_t>(std::lower_bound(candidates.begin(), candidates.end(), least) - candidates.begin());
  size_t stride = 1, high = candidates.size() - 1;  // all cells: everything can be moved
  while (low + stride < high) {
    if (matching.exists(candidates[low + stride], distance)) {
      high = low + stride;
      break;
    }
    low += stride;
    stride *= 2;
  }
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    (matching.exists(candidates[middle], distance) ? high : low) = middle;
  }
  return candidates[high];
}

Rational largest_bottleneck(const Scenario& scenario) {
  const WeightedSteps steps = weighted_steps(scenario);
  int64_t largest = 0;
  for (const Prior& prior : scenario.priors) {
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size()))
      largest = std::max(largest,
                         bottleneck_distance(prior.by_secret[a], prior.by_secret[b], scenario.points, steps));
  }
  return steps.distance(largest);
}

namespace {

// Of so many columns whose values differ the signs are too many: the sum of the columns' ranges is no less.
constexpr size_t kMostSigned = 16;

std::vector<size_t> varying_columns(const Scenario& scenario) {
  std::vector<size_t> varying;
  for (size_t c = 0; c < scenario.axes.size(); ++c) {
    if (std::any_of(scenario.points.begin(), scenario.points.end(),
                    [&](const Point& point) { return point[c] != scenario.points.front()[c]; }))
      varying.push_back(c);
  }
  return varying;
}

}  // namespace

JointRange widest_sum_of_ranges(const Scenario& scenario) {
  const WeightedSteps steps = weighted_steps(scenario);
  int64_t largest = -1;
  JointRange widest;
  widest.pair = scenario.pairs.list(scenario.secrets.size()).front();
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    Point low, high;
    for (int64_t atom : union_support(scenario.priors[p].by_secret)) {
      const Point& point = scenario.points[static_cast<size_t>(atom)];
      if (low.empty()) low = high = point;
      for (size_t c = 0; c < point.size(); ++c) {
        low[c] = std::min(low[c], point[c]);
        high[c] = std::max(high[c], point[c]);
      }
    }
    if (const int64_t far = steps.between(low, high); far > largest) {
      largest = far;
      widest.prior = p;
    }
  }
  widest.distance = steps.distance(largest);
  return widest;
}

JointRange widest_joint_range(const Scenario& scenario) {
  const std::vector<size_t> varying = varying_columns(scenario);
  if (varying.size() > kMostSigned) return widest_sum_of_ranges(scenario);
  const WeightedSteps steps = weighted_steps(scenario);
  int64_t largest = -1;
  JointRange widest;
  for (size_t p = 0; p < scenario.priors.size(); ++p) {
    std::vector<Extremes> extremes;
    for (const Distribution& given : scenario.priors[p].by_secret)
      extremes.push_back(extremes_of(given, scenario.points, steps, varying));
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
      for (size_t sign = 0; sign < extremes[a].low.size(); ++sign) {
        const int64_t far = extremes[a].high[sign] - extremes[b].low[sign];
        if (far <= largest) continue;
        largest = far;
        widest.prior = p;
        widest.pair = {a, b};
      }
    }
  }
  widest.distance = steps.distance(largest);
  return widest;
}

}  // namespace fugu::inline in_transport
