// Each end of each bound misses no more often than it may, whatever the number of rows: one row by adding up
// all that may be released, more by releasing often.
//
// False alarms: an end that misses exactly as often as it may is called wrong in 1 of 10^8 tests of it, and
// there are about 10,000 tests: fewer than 1 of 10^4 runs. Bounds by the normal law, as they were once
// given, are caught by the same tests (the last two).
#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

#include "fugu/calibrate/calibrate.h"
#include "fugu/estimate/estimate.h"
#include "fugu/plan/statement.h"
#include "fugu/sample/mechanism_sampler.h"
#include "fugu/sample/random.h"
#include "tests/support/random_joint.h"
#include "tests/support/random_scenario.h"
#include "tests/support/ten_values.h"

namespace fugu {
namespace {

constexpr int64_t kValues = 10;
// Of the population that rows are drawn from; the last value is rare.
const std::vector<double> kLaw{39, 60, 105, 150, 150, 120, 90, 60, 20, 6};

struct Way {
  const char* name;
  const char* method;
  const char* noise;
  const char* epsilon;
  const char* delta;
  bool clamp;
  bool zero_one;
};
const Way kWays[] = {{"laplace", "exact", "laplace", "0.5", "0", false, false},
                     {"clamped", "exact", "laplace", "0.5", "0", true, false},
                     {"wide", "kantorovich", "laplace", "0.8", "0", false, false},
                     {"gaussian", "exact", "gaussian", "0.5", "1e-3", false, false},
                     {"power", "exact", "power:0.5", "0.5", "0", false, false},
                     {"log", "exact", "log:4", "0.5", "0", false, false},
                     {"optimal", "optimal", "laplace", "0.5", "0", false, false},
                     {"channel", "channel", "laplace", "0.5", "0", false, false},
                     {"zero_one", "channel", "laplace", "0.5", "0", false, true},
                     {"none", "exact", "laplace", "9", "0", false, false},
                     {"joint", "exact", "laplace", "0.5", "0", false, false}};

// A column as its statement describes it, and what releases it.
struct Released {
  PublishedColumn column;
  Mechanism mechanism;
};

// The first of two columns that are released together.
Released released_with_another() {
  testing::JointCounts first, second;
  for (int64_t x = 0; x < kValues; ++x) {
    first[{x, x % 2}] += static_cast<uint64_t>(1 + x);
    second[{x, (x + 1) % 2}] += static_cast<uint64_t>(12 - x);
  }
  Scenario scenario = testing::joint_scenario({{first, second}}, 2);
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"x", "y"};
  const Plan plan = calibrate(scenario, "exact", "laplace");
  return {published_from_json(statement_to_json({plan}), "statement").front(),
          std::get<JointNoise>(plan.mechanism).columns.front()};
}

Released released_by(const Way& way) {
  if (way.name == std::string("joint")) return released_with_another();
  Scenario scenario = testing::ten_values(way.clamp, way.epsilon);
  scenario.delta = Delta::parse(way.delta, "test", ErrorKind::kData);
  OptimumOptions optimum;
  if (way.zero_one) optimum.measure.kind = ErrorMeasure::kZeroOne;
  const Plan plan = calibrate(scenario, way.method, way.noise, {}, optimum);
  return {published_from_json(statement_to_json({plan}), "statement").front(), plan.mechanism};
}

// An end that is asked about: of a mean, a share or a quantile.
struct End {
  std::string name;
  bool is_low = false;
  double bound = 0, truth = 0;
  bool missed() const { return is_low ? truth < bound - 1e-9 : truth > bound + 1e-9; }
};
using Bounder = std::function<std::vector<End>(const ReleasedCounts&, const EstimateOptions&)>;
using Truth = std::vector<double>;  // the share of each value 0 … 9

void add(std::vector<End>& ends, const std::string& name, const Bounded& bounds) {
  ends.push_back({name, true, bounds.low});
  ends.push_back({name, false, bounds.high});
}

std::vector<End> ends_of(const Released& released, const ReleasedCounts& counts,
                         const EstimateOptions& options) {
  const Estimate found = estimate(released.column, counts, options);
  std::vector<End> ends;
  add(ends, "mean", *found.mean);
  for (const Quantile& quantile : found.quantiles)
    add(ends, "quantile " + to_text(quantile.level),
        {0, static_cast<double>(quantile.low), static_cast<double>(quantile.high)});
  if (!options.support) return ends;
  for (const Share& share : found.shares) add(ends, "share " + std::to_string(share.first), share.share);
  return ends;
}

double truth_of(const std::string& name, const Truth& truth, const EstimateOptions& options) {
  double mean = 0;
  for (size_t x = 0; x < truth.size(); ++x) mean += static_cast<double>(x) * truth[x];
  if (name == "mean") return mean;
  if (name.starts_with("share")) return truth[static_cast<size_t>(std::stoi(name.substr(6)))];
  for (const Rational& level : options.levels) {
    if (name != "quantile " + to_text(level)) continue;
    double sum = 0;
    for (size_t x = 0; x < truth.size(); ++x) {
      sum += truth[x];
      if (sum >= static_cast<double>(level) - 1e-12) return static_cast<double>(x);
    }
  }
  return static_cast<double>(truth.size() - 1);
}

// The same released values give the same bounds.
class Remembered {
 public:
  Remembered(Bounder bounder, EstimateOptions options)
      : bounder_(std::move(bounder)), options_(std::move(options)) {}
  std::vector<End> operator()(const ReleasedCounts& counts, const Truth& truth) {
    auto& ends = known_[counts];
    if (ends.empty()) ends = bounder_(counts, options_);
    std::vector<End> result = ends;
    for (End& end : result) end.truth = truth_of(end.name, truth, options_);
    return result;
  }

 private:
  Bounder bounder_;
  EstimateOptions options_;
  std::map<ReleasedCounts, std::vector<End>> known_;
};

std::string end_name(const End& end) { return end.name + (end.is_low ? ", low" : ", high"); }

// P(released as y | x), from the mechanism's own integers.
std::map<int64_t, double> law_given(const Released& released, int64_t x) {
  std::map<int64_t, double> law;
  if (const Channel* channel = std::get_if<Channel>(&released.mechanism)) {
    const auto row = static_cast<size_t>(x - channel->inputs.front());
    for (size_t y = 0; y < channel->outputs.size(); ++y)
      law[channel->outputs[y]] +=
          static_cast<double>(Rational(channel->weights[row][y]) / Rational(channel->row_total(row)));
    return law;
  }
  const Noise& noise = std::get<Noise>(released.mechanism);
  const auto total = static_cast<double>(total_weight(noise)), tail = static_cast<double>(noise.tail.value());
  auto put = [&](int64_t z, double mass) {
    int64_t y = x + z;
    if (const auto& bounds = released.column.bounds) y = std::clamp(y, bounds->first, bounds->second);
    law[y] += mass / total;
  };
  for (int64_t z = -noise.reach(); z <= noise.reach(); ++z)
    put(z, static_cast<double>(noise.weights[static_cast<size_t>(z + noise.reach())]));
  double left = static_cast<double>(noise.weights.front()), right = static_cast<double>(noise.weights.back());
  for (int64_t z = noise.reach() + 1; tail > 0 && (left + right) / total > 1e-9; ++z) {
    put(-z, left *= tail);
    put(z, right *= tail);
  }
  return law;
}

// How often each end misses for one row, exactly; the worst over the true value, or for the population.
std::map<std::string, double> misses_of_one_row(const Released& released, const Bounder& bounder,
                                                const EstimateOptions& options) {
  Remembered bounds(bounder, options);
  const double sum = std::accumulate(kLaw.begin(), kLaw.end(), 0.0);
  std::map<std::string, double> worst, of_population;
  for (int64_t x = 0; x < kValues; ++x) {
    Truth truth(kValues, 0.0);
    for (size_t v = 0; v < kLaw.size(); ++v)
      truth[v] = options.population ? kLaw[v] / sum : static_cast<int64_t>(v) == x;
    std::map<std::string, double> missed;
    for (const auto& [y, mass] : law_given(released, x)) {
      for (const End& end : bounds({{y, 1}}, truth)) missed[end_name(end)] += end.missed() ? mass : 0;
    }
    for (const auto& [name, share] : missed) {
      worst[name] = std::max(worst[name], share);
      of_population[name] += share * kLaw[static_cast<size_t>(x)] / sum;
    }
  }
  return options.population ? of_population : worst;
}

// How often each end misses in that many releases of so many rows.
std::map<std::string, int> misses_of_many(const Released& released, const Bounder& bounder,
                                          const EstimateOptions& options, size_t rows, int releases) {
  Remembered bounds(bounder, options);
  std::mt19937_64 lottery(rows);
  std::discrete_distribution<int64_t> law(kLaw.begin(), kLaw.end());
  const double sum = std::accumulate(kLaw.begin(), kLaw.end(), 0.0);
  const MechanismSampler sampler(released.mechanism);
  SecureRandom random;
  std::map<std::string, int> missed;
  for (int k = 0; k < releases; ++k) {
    std::vector<int64_t> values(rows);
    Truth truth(kValues, 0.0);
    for (int64_t& value : values) {
      value = law(lottery);
      truth[static_cast<size_t>(value)] += 1 / static_cast<double>(rows);
    }
    for (size_t v = 0; v < kLaw.size() && options.population; ++v) truth[v] = kLaw[v] / sum;
    sampler.release(random, values);
    ReleasedCounts counts;
    for (int64_t value : values) {
      if (released.column.bounds)
        value = std::clamp(value, released.column.bounds->first, released.column.bounds->second);
      ++counts[value];
    }
    for (const End& end : bounds(counts, truth)) missed[end_name(end)] += end.missed();
  }
  return missed;
}

EstimateOptions asked(double confidence, bool population, bool known) {
  EstimateOptions options;
  options.confidence = confidence;
  options.population = population;
  options.bin = 1;
  if (known) options.support = {0, kValues - 1};
  return options;
}

// What misses more often than it may: for one row beyond 1e-8, for more beyond all chance.
std::vector<std::string> caught(const Released& released, const Bounder& bounder,
                                const EstimateOptions& options, size_t rows, int releases) {
  const double may = (1 - options.confidence) / 2;
  std::vector<std::string> result;
  if (rows == 1) {
    for (const auto& [name, share] : misses_of_one_row(released, bounder, options)) {
      if (share > may + 1e-8) result.push_back(name + ": " + std::to_string(share));
    }
    return result;
  }
  const boost::math::binomial_distribution<> chance(releases, may);
  const double most = boost::math::quantile(boost::math::complement(chance, 1e-8));
  for (const auto& [name, count] : misses_of_many(released, bounder, options, rows, releases)) {
    if (count > most) result.push_back(name + ": " + std::to_string(count));
  }
  return result;
}

class SmallGroups : public ::testing::TestWithParam<size_t> {};

TEST_P(SmallGroups, NoEndMissesMoreOftenThanItMay) {
  Released released = released_by(kWays[GetParam()]);
  const bool is_long = std::getenv("FUGU_LONG") != nullptr;
  const std::string name = kWays[GetParam()].name;
  // Linear programmes, and tails of thousands of steps.
  const bool is_slow = name == "channel" || name == "log";
  const bool free = std::holds_alternative<Noise>(released.mechanism) && !released.column.bounds;
  const Bounder bounder = [&](const ReleasedCounts& counts, const EstimateOptions& options) {
    return ends_of(released, counts, options);
  };
  for (bool population : {false, true}) {
    for (bool known : {true, false}) {
      // Where nothing says where a population's values lie, its bounds are for those that were released.
      if (!known && (!free || population)) continue;
      for (size_t rows : {1, 2, 3, 5, 10, 30, 100}) {
        for (double confidence : {0.9, 0.95, 0.999}) {
          const bool some = rows == 2 || rows == 10 || rows == 100;
          const bool is_short = known ? rows == 1 || (confidence == 0.95 && some)
                                      : rows == 1 && confidence == 0.95 && GetParam() == 0;
          if (!is_long && (!is_short || (name == "log" && (rows != 10 || population)))) continue;
          const int releases = is_long ? 2000 : is_slow ? 30 : 120;
          const EstimateOptions options = asked(confidence, population, known);
          for (const std::string& wrong : caught(released, bounder, options, rows, releases))
            ADD_FAILURE() << name << ", " << rows << " rows, confidence " << confidence
                          << (population ? ", population" : "") << (known ? "" : ", support unknown") << ": "
                          << wrong;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Estimate, SmallGroups, ::testing::Range<size_t>(0, std::size(kWays)),
                         [](const auto& way) { return kWays[way.param].name; });

// Negative controls: what the normal law says.
double deviations(const EstimateOptions& options) {
  return boost::math::quantile(boost::math::normal(), (1 + options.confidence) / 2);
}

TEST(SmallGroupsControl, ANormalMeanOfOneRowIsCaught) {
  Way way = kWays[2];
  way.epsilon = "0.1";
  const Released released = released_by(way);
  const double spread = std::sqrt(static_cast<double>(mean_square(std::get<Noise>(released.mechanism))));
  const Bounder normal = [&](const ReleasedCounts& counts, const EstimateOptions& options) {
    const auto value = static_cast<double>(counts.begin()->first);
    std::vector<End> ends;
    const double off = deviations(options) * spread + 0.5;
    add(ends, "mean", {value, value - off, value + off});
    return ends;
  };
  for (double confidence : {0.95, 0.999})
    EXPECT_EQ(caught(released, normal, asked(confidence, false, true), 1, 0).size(), 2u) << confidence;
}

TEST(SmallGroupsControl, NormalSharesOfAPopulationAreCaught) {
  const Released released = released_by(kWays[9]);
  const Bounder normal = [&](const ReleasedCounts& counts, const EstimateOptions& options) {
    double rows = 0;
    for (const auto& [value, count] : counts) rows += static_cast<double>(count);
    const double wide = deviations(options);
    std::vector<End> ends;
    for (int64_t x = 0; x < kValues; ++x) {
      const auto found = counts.find(x);
      const double share = found == counts.end() ? 0 : static_cast<double>(found->second) / rows;
      const double off = wide * std::sqrt(share * (1 - share) / rows) + wide * wide / (6 * rows);
      add(ends, "share " + std::to_string(x), {share, share - off, share + off});
    }
    return ends;
  };
  for (size_t rows : {30, 100})
    EXPECT_FALSE(caught(released, normal, asked(0.95, true, true), rows, 120).empty()) << rows;
}

}  // namespace
}  // namespace fugu
