// Draws against the exact law: the G-test over bins of known probability, with SecureRandom as in a release.
//
// A test of a true law fails with probability kFalseAlarm. A law whose scale is 1 % smaller or larger than
// claimed must fail, in both directions. 1e7 draws, and 1e8 with FUGU_LONG set.
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "fugu/mechanism/family.h"
#include "fugu/sample/mechanism_sampler.h"
#include "fugu/sample/noise_sampler.h"
#include "fugu/sample/random.h"
#include "fugu/sample/table_sampler.h"

namespace fugu {
namespace {

constexpr double kFalseAlarm = 1e-9;
constexpr double kLeastExpected = 50;
constexpr size_t kDraws = 10000000;

size_t draws() { return std::getenv("FUGU_LONG") == nullptr ? kDraws : 10 * kDraws; }

// P(Z <= z) in doubles, from the definition in noise.h.
class Law {
 public:
  explicit Law(const Noise& noise) : reach_(noise.reach()) {
    const Rational total = total_weight(noise), tail = noise.tail.value();
    log_ratio_ = tail == 0 ? -1 : std::log1p(-Rational(1 - tail).convert_to<double>());
    left_ = Rational(noise.weights.front() * tail / ((1 - tail) * total)).convert_to<double>();
    right_ = Rational(noise.weights.back() * tail / ((1 - tail) * total)).convert_to<double>();
    double sum = left_;
    for (const Integer& weight : noise.weights)
      sums_.push_back(sum += Rational(weight / total).convert_to<double>());
  }
  double up_to(int64_t z) const {
    if (z < -reach_) return left_ * std::exp(log_ratio_ * static_cast<double>(-reach_ - 1 - z));
    if (z > reach_) return 1 - right_ * std::exp(log_ratio_ * static_cast<double>(z - reach_));
    return sums_[static_cast<size_t>(z + reach_)];
  }
  // The least z with up_to(z) >= p.
  int64_t quantile(double p) const {
    int64_t low = -1, high = 1;
    while (up_to(low) >= p) low *= 2;
    while (up_to(high) < p) high *= 2;
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      (up_to(middle) >= p ? high : low) = middle;
    }
    return high;
  }

 private:
  int64_t reach_;
  double log_ratio_ = 0, left_ = 0, right_ = 0;
  std::vector<double> sums_;
};

// Bins between quantiles, finer at the tails where draws start afresh; too small ones join the next.
struct Bins {
  std::vector<int64_t> tops;  // of all bins but the last
  std::vector<double> probabilities;

  Bins(const Law& law, double count) {
    std::set<int64_t> cuts;
    for (double p : {1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3}) cuts.insert({law.quantile(p), law.quantile(1 - p)});
    for (int k = 1; k < 64; ++k) cuts.insert(law.quantile(k / 64.0));
    double last = 0;
    for (int64_t cut : cuts) {
      const double p = law.up_to(cut);
      if ((p - last) * count < kLeastExpected || (1 - p) * count < kLeastExpected) continue;
      tops.push_back(cut);
      probabilities.push_back(p - last);
      last = p;
    }
    probabilities.push_back(1 - last);
  }
  size_t of(int64_t z) const {
    return static_cast<size_t>(std::lower_bound(tops.begin(), tops.end(), z) - tops.begin());
  }
};

// How far the G statistic is above the quantile that a true law passes with probability kFalseAlarm.
// Below 0 the draws fit.
double misfit(const std::vector<double>& probabilities, const std::vector<uint64_t>& counts) {
  double total = 0, g = 0;
  for (uint64_t count : counts) total += static_cast<double>(count);
  for (size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const auto count = static_cast<double>(counts[k]);
    g += 2 * count * std::log(count / (total * probabilities[k]));
  }
  const boost::math::chi_squared law(static_cast<double>(probabilities.size() - 1));
  return g - quantile(complement(law, kFalseAlarm));
}

template <class Visit>
void for_each_draw(const Noise& noise, size_t count, Visit visit) {
  const NoiseSampler sampler(noise);
  SecureRandom random;
  std::vector<int64_t> out(1 << 14);
  for (size_t done = 0; done < count; done += out.size()) {
    sampler.draw(random, out);
    for (int64_t z : out) visit(z);
  }
}

double misfit(const Noise& claimed, const Noise& drawn, size_t count) {
  const Bins bins(Law(claimed), static_cast<double>(count));
  std::vector<uint64_t> counts(bins.probabilities.size());
  for_each_draw(drawn, count, [&](int64_t z) { ++counts[bins.of(z)]; });
  return misfit(bins.probabilities, counts);
}

// The noise that a plan for mass travelling `scale` steps at delta = 1e-6 would draw.
Noise noise_of(const std::string& family, double scale, int64_t reach = -1) {
  const auto named = family_named(family);
  const Lattice lattice;
  if (reach < 0) {
    reach = named->reach(Scale{scale}, lattice, static_cast<int64_t>(scale) + 1, Rational(1, 1000000));
  }
  return named->at(Scale{scale}, lattice, reach);
}

class SamplerProperty : public ::testing::TestWithParam<std::pair<std::string, double>> {};

TEST_P(SamplerProperty, DrawsItsLawAndNoOther) {
  const auto& [family, scale] = GetParam();
  const Noise claimed = noise_of(family, scale);
  EXPECT_LE(misfit(claimed, claimed, draws()), 0);
  EXPECT_GT(misfit(claimed, noise_of(family, scale * 0.99, claimed.reach()), kDraws), 0)
      << "too little noise";
  EXPECT_GT(misfit(claimed, noise_of(family, scale * 1.01, claimed.reach()), kDraws), 0) << "too much noise";
}

INSTANTIATE_TEST_SUITE_P(Noise, SamplerProperty,
                         ::testing::Values(std::pair{"laplace", 0.2}, std::pair{"laplace", 1.0},
                                           std::pair{"laplace", 100.0}, std::pair{"laplace", 1e6},
                                           std::pair{"gaussian", 10.0}, std::pair{"power:0.5", 10.0},
                                           std::pair{"power:0.5", 1000.0}));

// Uneven weights, a gap, a long tail.
// Told apart: the mirror image, a tail 1 % shorter or longer, a weight 2 % off.
TEST(SamplerProperty, AsymmetricTable) {
  auto with = [](double tail_width, int middle) {
    Noise noise;
    noise.weights = {100, 0, 250, 400, middle, 300, 900, 10, 30};
    noise.tail = {Integer(std::llround(std::exp(-1 / tail_width) * 0x1p40)), 40};
    return noise;
  };
  const Noise claimed = with(40, 1000);
  EXPECT_LE(misfit(claimed, claimed, draws()), 0);
  Noise mirrored = claimed;
  std::reverse(mirrored.weights.begin(), mirrored.weights.end());
  for (const Noise& other : {mirrored, with(39.6, 1000), with(40.4, 1000), with(40, 980), with(40, 1020)}) {
    EXPECT_GT(misfit(claimed, other, kDraws), 0);
  }
}

// Quantiles do not see the lowest digits of a wide noise: these are the residues of its distance from 0.
TEST(SamplerProperty, LowDigitsOfAWideScale) {
  constexpr size_t kResidues = 1024;
  const Noise noise = noise_of("laplace", 1e6);
  std::vector<uint64_t> counts(kResidues);
  for_each_draw(noise, draws(), [&](int64_t z) { ++counts[static_cast<uint64_t>(std::abs(z)) % kResidues]; });
  const double log_ratio = std::log1p(-Rational(1 - noise.tail.value()).convert_to<double>());
  auto ratio_to = [&](size_t k) { return std::exp(log_ratio * static_cast<double>(k)); };
  std::vector<double> probabilities(kResidues);
  double total = 0;
  for (size_t k = 0; k < kResidues; ++k) {
    total += probabilities[k] = k == 0 ? 1 + ratio_to(kResidues) : 2 * ratio_to(k);
  }
  for (double& p : probabilities) p /= total;
  EXPECT_LE(misfit(probabilities, counts), 0);
}

// At 2^30 steps a place inside a block has 23 binary digits in two tables, 12 and 11. Those below the 22nd
// are uniform but for 1 part in 256 at most, which adds 6 to a statistic that may exceed its mean by 300.
TEST(SamplerProperty, DigitsAcrossTables) {
  const Noise noise = noise_of("laplace", 0x1p30);
  const std::vector<double> uniform(1024, 1.0 / 1024);
  for (const int place : {0, 7, 12}) {
    std::vector<uint64_t> many(1024), single(1024);
    auto digits = [&](int64_t z) { return static_cast<uint64_t>(std::abs(z) - 1) >> place & 1023; };
    for_each_draw(noise, kDraws / 2, [&](int64_t z) { ++many[digits(z)]; });
    const NoiseSampler sampler(noise);
    SecureRandom random;
    for (int k = 0; k < 1000000; ++k) ++single[digits(sampler.draw(random))];
    EXPECT_LE(misfit(uniform, many), 0) << place;
    EXPECT_LE(misfit(uniform, single), 0) << place;
  }
}

// One draw tells nothing of the next, which may come from the same word.
TEST(SamplerProperty, NeighboursAreIndependent) {
  for (double scale : {1.0, 1000.0}) {
    const Noise noise = noise_of("laplace", scale);
    const Bins bins(Law(noise), 1e4);
    const size_t n = bins.probabilities.size();
    std::vector<double> probabilities;
    for (double p : bins.probabilities) {
      for (double q : bins.probabilities) probabilities.push_back(p * q);
    }
    std::vector<uint64_t> counts(n * n);
    size_t previous = n;
    for_each_draw(noise, kDraws, [&](int64_t z) {
      const size_t bin = bins.of(z);
      if (previous == n) {
        previous = bin;
      } else {
        ++counts[previous * n + bin];
        previous = n;
      }
    });
    EXPECT_LE(misfit(probabilities, counts), 0) << scale;
  }
}

TEST(SamplerProperty, RowsOfAChannel) {
  const std::vector<Integer> weights{1, 0, 20, 300, 4000, 300, 20, 0, 1};
  std::vector<double> probabilities;
  for (const Integer& weight : weights) {
    if (weight > 0) probabilities.push_back(weight.convert_to<double>() / 4642);
  }
  const TableSampler sampler(weights);
  SecureRandom random;
  std::vector<uint32_t> out(1 << 14);
  std::vector<uint64_t> counts(weights.size());
  for (size_t done = 0; done < draws(); done += out.size()) {
    sampler.draw(random, out);
    for (uint32_t k : out) ++counts[k];
  }
  EXPECT_EQ(counts[1] + counts[7], 0U);
  std::erase(counts, 0U);
  EXPECT_LE(misfit(probabilities, counts), 0);
}

// Each input of a channel draws its own row, and not its neighbour's.
TEST(Goodness, ChannelsDrawTheirRows) {
  const Channel channel{{-3, 1, 2}, {0, 5, 9, 40}, {{7, 0, 2, 1}, {710, 0, 200, 90}, {1, 2, 3, 4}}};
  const MechanismSampler sampler(channel);
  SecureRandom random;
  const size_t count = draws() / 10;
  auto probabilities = [&](size_t row) {
    std::vector<double> result;
    for (const Integer& weight : channel.weights[row]) {
      if (weight != 0) result.push_back(Rational(weight, channel.row_total(row)).convert_to<double>());
    }
    return result;
  };
  for (size_t row = 0; row < channel.inputs.size(); ++row) {
    std::vector<int64_t> values(count, channel.inputs[row]);
    sampler.release(random, values);
    std::map<int64_t, uint64_t> tally;
    for (int64_t value : values) ++tally[value];
    std::vector<uint64_t> counts;
    for (size_t k = 0; k < channel.outputs.size(); ++k) {
      if (channel.weights[row][k] != 0) counts.push_back(tally[channel.outputs[k]]);
    }
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), uint64_t{0}), count);  // nothing else
    EXPECT_LT(misfit(probabilities(row), counts), 0) << row;
    if (row < 2) {
      EXPECT_GT(misfit(probabilities(1 - row), counts), 0) << row;  // 1 % off
    }
  }
}

}  // namespace
}  // namespace fugu
