#include "fugu/solve/blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fugu::inline in_solve {
namespace {

// A combination of columns that is zero, by elimination with full pivoting: what is left of it is of the
// order of a rounding of the largest product.
class Dependence {
 public:
  Dependence(size_t rows, size_t columns) : rows_(rows), cells_(rows * columns), order_(columns) {}

  double* column(size_t k) { return cells_.data() + k * rows_; }
  // Of the first `count` columns, which are overwritten; false where they are independent.
  bool find(size_t count, std::vector<double>& factors) {
    scales_.assign(count, 1);
    for (size_t k = 0; k < count; ++k) {
      double largest = 0;
      for (size_t r = 0; r < rows_; ++r) largest = std::max(largest, std::fabs(column(k)[r]));
      if (largest > 0) scales_[k] = 1 / largest;
      for (size_t r = 0; r < rows_; ++r) column(k)[r] *= scales_[k];
    }
    std::iota(order_.begin(), order_.end(), size_t{0});
    size_t rank = 0;
    while (rank < std::min(rows_, count) && eliminate(rank, count)) ++rank;
    if (rank == count) return false;
    // The first column without a pivot, by those that have one.
    factors.assign(count, 0);
    factors[order_[rank]] = 1;
    for (size_t k = rank; k-- > 0;) {
      double sum = 0;
      for (size_t j = k + 1; j <= rank; ++j) sum += factors[order_[j]] * column(order_[j])[k];
      factors[order_[k]] = -sum / column(order_[k])[k];
    }
    for (size_t k = 0; k < count; ++k) factors[k] *= scales_[k];
    return true;
  }

 private:
  static constexpr double kZero = 1e-13;

  bool eliminate(size_t step, size_t count) {
    size_t row = step, place = step;
    double largest = 0;
    for (size_t j = step; j < count; ++j) {
      for (size_t r = step; r < rows_; ++r) {
        const double size = std::fabs(column(order_[j])[r]);
        if (size <= largest) continue;
        largest = size;
        row = r;
        place = j;
      }
    }
    if (largest <= kZero) return false;
    std::swap(order_[step], order_[place]);
    for (size_t j = 0; j < count; ++j) std::swap(column(j)[step], column(j)[row]);
    const double* pivot = column(order_[step]);
    for (size_t j = step + 1; j < count; ++j) {
      double* other = column(order_[j]);
      const double factor = other[step] / pivot[step];
      if (factor == 0) continue;
      for (size_t r = step + 1; r < rows_; ++r) other[r] -= factor * pivot[r];
    }
    return true;
  }

  size_t rows_;
  std::vector<double> cells_;
  std::vector<size_t> order_;
  std::vector<double> scales_;
};

constexpr double kCrumb = 1e-12;  // of a class

// Halves blocks: begins with half of each class, and moves classes to one side, as many at once as it takes
// for all masses, and the number of classes, to stay halved.
class Halver {
 public:
  explicit Halver(const CirculationProblem& problem)
      : problem_(problem),
        rows_(problem.masses.size() * problem.secrets + 1),
        dependence_(rows_, rows_ + 1) {}

  std::pair<Block, Block> halve(const Block& block) {
    std::vector<double> part(block.size(), 0.5);
    active_.clear();
    double mass = 0;
    for (const BlockShare& one : block) mass += one.share * problem_.masses[0][one.of * problem_.secrets];
    one_class_ = mass / static_cast<double>(block.size());
    for (uint32_t k = 0; k < block.size(); ++k) {
      active_.push_back(k);
      if (active_.size() > rows_) move(block, part);
    }
    while (!active_.empty() && move(block, part)) continue;
    std::pair<Block, Block> halves;
    for (size_t k = 0; k < block.size(); ++k) {
      if (part[k] > 0) halves.first.push_back({block[k].of, block[k].share * part[k]});
      if (part[k] < 1) halves.second.push_back({block[k].of, block[k].share * (1 - part[k])});
    }
    return halves;
  }

 private:
  // Classes that come to an end together do so up to rounding. What rounding leaves of one would be a class
  // of its own in the block, so light that no programme can see it.
  static double without_crumbs(double part) { return part < kCrumb ? 0 : part > 1 - kCrumb ? 1 : part; }

  bool move(const Block& block, std::vector<double>& part) {
    for (size_t k = 0; k < active_.size(); ++k) {
      const BlockShare& one = block[active_[k]];
      double* column = dependence_.column(k);
      for (const std::vector<double>& masses : problem_.masses) {
        for (size_t s = 0; s < problem_.secrets; ++s)
          *column++ = one.share * masses[one.of * problem_.secrets + s];
      }
      *column = one_class_;
    }
    if (!dependence_.find(active_.size(), factors_)) return false;
    double step = kInfinite;
    size_t first = 0;
    for (size_t k = 0; k < active_.size(); ++k) {
      if (factors_[k] == 0) continue;
      const double room = factors_[k] > 0 ? 1 - part[active_[k]] : part[active_[k]];
      if (room / std::fabs(factors_[k]) >= step) continue;
      step = room / std::fabs(factors_[k]);
      first = k;
    }
    size_t kept = 0;
    for (size_t k = 0; k < active_.size(); ++k) {
      double& at = part[active_[k]];
      at = k == first ? (factors_[k] > 0 ? 1.0 : 0.0) : without_crumbs(at + step * factors_[k]);
      if (at > 0 && at < 1) active_[kept++] = active_[k];
    }
    active_.resize(kept);
    return true;
  }

  const CirculationProblem& problem_;
  size_t rows_;
  Dependence dependence_;
  double one_class_ = 0;          // the number of classes in the units of masses
  std::vector<uint32_t> active_;  // classes that are on both sides, by their place in the block
  std::vector<double> factors_;
};

// The whole, classes of similar directions one after another: the bits of what a class says of each secret,
// woven together.
Block in_order_of_directions(const CirculationProblem& problem) {
  const size_t size = problem.weights.size();
  const size_t all = problem.masses.size() * problem.secrets, used = std::min<size_t>(all, 32);
  const auto bits = static_cast<unsigned>(std::min<size_t>(64 / used, 16));
  std::vector<std::pair<uint64_t, uint32_t>> keys;
  std::vector<uint64_t> parts(used);
  for (size_t x = 0; x < size; ++x) {
    for (size_t r = 0; r < used; ++r) {
      const double* mass = problem.masses[r / problem.secrets].data() + x * problem.secrets;
      const double ratio = mass[r % problem.secrets] / problem.weights[x];  // its mean is 1
      parts[r] = static_cast<uint64_t>(ratio / (1 + ratio) * static_cast<double>((uint64_t{1} << bits) - 1));
    }
    uint64_t key = 0;
    for (unsigned b = bits; b-- > 0;) {
      for (uint64_t one : parts) key = key << 1 | (one >> b & 1);
    }
    keys.emplace_back(key, static_cast<uint32_t>(x));
  }
  std::sort(keys.begin(), keys.end());
  Block result;
  for (const auto& [key, x] : keys) result.push_back({x, 1});
  return result;
}

}  // namespace

size_t least_block_size(const CirculationProblem& problem) {
  return 4 * (problem.masses.size() * problem.secrets + 1);
}

std::vector<Block> split_alike(const CirculationProblem& problem, size_t most, const Patience& patience) {
  Halver halver(problem);
  std::vector<Block> todo, result;
  todo.push_back(in_order_of_directions(problem));
  while (!todo.empty()) {
    Block block = std::move(todo.back());
    todo.pop_back();
    if (block.size() <= most) {
      result.push_back(std::move(block));
      continue;
    }
    report(patience.progress, 0, "dividing the rows into blocks");
    auto [first, second] = halver.halve(block);
    todo.push_back(std::move(second));
    todo.push_back(std::move(first));
  }
  return result;
}

CirculationProblem problem_of(const CirculationProblem& problem, const Block& block) {
  CirculationProblem part{.weights = {},
                          .secrets = problem.secrets,
                          .masses = {},
                          .epsilon = problem.epsilon,
                          .pairs = problem.pairs,
                          .least_kept = problem.least_kept,
                          .limits = problem.limits};
  double all = 0;
  for (const BlockShare& one : block) {
    part.weights.push_back(one.share * problem.weights[one.of]);
    all += part.weights.back();
  }
  for (double& weight : part.weights) weight /= all;
  for (const std::vector<double>& whole : problem.masses) {
    std::vector<double>& masses = part.masses.emplace_back(block.size() * problem.secrets);
    for (size_t s = 0; s < problem.secrets; ++s) {
      double sum = 0;
      for (size_t k = 0; k < block.size(); ++k)
        sum += masses[k * problem.secrets + s] = block[k].share * whole[block[k].of * problem.secrets + s];
      for (size_t k = 0; k < block.size(); ++k) masses[k * problem.secrets + s] /= sum;
    }
  }
  if (problem.cost)
    part.cost = [&problem, block](size_t from, size_t to) {
      return problem.cost(block[from].of, block[to].of);
    };
  return part;
}

double least_change(const CirculationProblem& problem) {
  const std::vector<CirculationLimit> limits = problem.all_limits();
  std::vector<double> leave(problem.weights.size(), 0);  // by class, at least
  for (const std::vector<double>& masses : problem.masses) {
    for (const auto [a, b, growth] : limits) {
      auto excess = [&, a = a, b = b, growth = growth](size_t x) {
        const double* mass = masses.data() + x * problem.secrets;
        return (mass[a] - growth * mass[b]) / problem.weights[x];
      };
      double least = 0;
      for (size_t x = 0; x < leave.size(); ++x) least = std::min(least, excess(x));
      for (size_t x = 0; x < leave.size(); ++x) {
        const double own = excess(x);
        if (own > 0) leave[x] = std::max(leave[x], own / (own - least));
      }
    }
  }
  return std::inner_product(leave.begin(), leave.end(), problem.weights.begin(), 0.0);
}

}  // namespace fugu::inline in_solve
