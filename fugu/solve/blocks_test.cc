#include "fugu/solve/blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

#include "fugu/solve/pool.h"

namespace fugu {
namespace {

const Progress kNoProgress;

CirculationProblem random_table(size_t classes, size_t secrets, size_t priors) {
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  std::uniform_real_distribution<double> uniform(0, 1);
  CirculationProblem problem{.weights = {}, .secrets = secrets, .masses = {}, .epsilon = 0.5};
  // Which secrets a class has is the same under every prior; every class has the first, the first has all.
  std::vector<bool> has(classes * secrets);
  for (size_t k = 0; k < has.size(); ++k) has[k] = k < secrets || k % secrets == 0 || uniform(random) < 0.7;
  for (size_t p = 0; p < priors; ++p) {
    std::vector<double>& masses = problem.masses.emplace_back(classes * secrets);
    for (size_t s = 0; s < secrets; ++s) {
      double sum = 0;
      for (size_t k = s; k < has.size(); k += secrets)
        sum += masses[k] = has[k] ? std::pow(uniform(random), 4) + 1e-6 : 0;
      for (size_t k = s; k < has.size(); k += secrets) masses[k] /= sum;
    }
  }
  for (size_t x = 0; x < classes; ++x) {
    double weight = 0;
    for (size_t s = 0; s < secrets; ++s)
      weight += problem.masses[0][x * secrets + s] / static_cast<double>(secrets);
    problem.weights.push_back(weight);
  }
  return problem;
}

RC_GTEST_PROP(BlocksProperty, AreImagesOfTheWhole, ()) {
  const auto secrets = *rc::gen::inRange<size_t>(2, 6), priors = *rc::gen::inRange<size_t>(1, 4);
  const CirculationProblem problem = random_table(*rc::gen::inRange<size_t>(1, 900), secrets, priors);
  const size_t most = least_block_size(problem) + *rc::gen::inRange<size_t>(0, 30);
  std::vector<double> shared(problem.weights.size(), 0);
  for (const Block& block : split_alike(problem, most, Patience{kNoProgress})) {
    RC_ASSERT(!block.empty());
    RC_ASSERT(block.size() <= most);
    double first = 0;
    for (size_t r = 0; r < priors * secrets; ++r) {
      double sum = 0;
      for (const BlockShare& one : block)
        sum += one.share * problem.masses[r / secrets][one.of * secrets + r % secrets];
      if (r == 0) first = sum;
      RC_ASSERT(std::fabs(sum - first) <= 1e-11 * first);
    }
    for (const BlockShare& one : block) {
      RC_ASSERT(one.share > 0);
      shared[one.of] += one.share;
    }
  }
  for (double sum : shared) RC_ASSERT(std::fabs(sum - 1) < 1e-12);
}

// Of small counts, several classes come to an end at once.
RC_GTEST_PROP(BlocksProperty, HaveNoCrumbsOfRounding, ()) {
  std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
  const size_t classes = *rc::gen::inRange<size_t>(100, 300), secrets = 5;
  CirculationProblem problem{
      .weights = std::vector<double>(classes, 0), .secrets = secrets, .masses = {{}}, .epsilon = 0.5};
  std::vector<double> sums(secrets, 0);
  for (size_t k = 0; k < classes * secrets; ++k)
    sums[k % secrets] += problem.masses[0].emplace_back(1 + random() % 3);
  for (size_t k = 0; k < classes * secrets; ++k)
    problem.weights[k / secrets] += (problem.masses[0][k] /= sums[k % secrets]) / 5;
  for (const Block& block : split_alike(problem, least_block_size(problem), Patience{kNoProgress})) {
    for (const BlockShare& one : block) RC_ASSERT(one.share > 1e-11);
  }
}

RC_GTEST_PROP(BlocksProperty, TheLeastChangeIsBelowTheOptimum, ()) {
  const CirculationProblem problem =
      random_table(*rc::gen::inRange<size_t>(2, 30), *rc::gen::inRange<size_t>(2, 5), 1);
  const Circulation best = least_circulation(problem, Patience{kNoProgress});
  RC_PRE(best.has_flows());
  RC_ASSERT(least_change(problem) <= best.value * (1 + 1e-6) + 1e-9);
}

}  // namespace
}  // namespace fugu
