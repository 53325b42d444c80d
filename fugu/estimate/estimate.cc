#include "fugu/estimate/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fugu/core/error.h"
#include "fugu/estimate/likeliest.h"
#include "fugu/estimate/linear.h"
#include "fugu/estimate/noise_law.h"
#include "fugu/estimate/response.h"

namespace fugu::inline in_estimate {
namespace {

constexpr int64_t kMostValues = 1200;  // of the domain: a table of that size squared is inverted
constexpr size_t kMostBins = 40;       // unless a width is given
constexpr double kFewBins = 10;        // however wide the noise is
constexpr size_t kMostPoints = 150;    // where the distribution function is estimated for quantiles
constexpr double kForSupport = 0.1;    // of the chance to miss: for what the released values say is possible

// How often each end of a bound may miss.
double miss_of(const EstimateOptions& options) { return (1 - options.confidence) / 2; }

// Nothing but the released values says where the true ones lie.
bool guesses_support(const PublishedColumn& column, const EstimateOptions& options) {
  return !column.bounds && !column.support && !options.support &&
         !std::holds_alternative<Channel>(column.mechanism);
}

uint64_t rows_of(const ReleasedCounts& released) {
  uint64_t rows = 0;
  for (const auto& [value, count] : released) rows += count;
  return rows;
}

std::pair<int64_t, int64_t> support_of(const PublishedColumn& column, const ReleasedCounts& released,
                                       const EstimateOptions& options) {
  auto ends = column.bounds.value_or(std::pair(released.begin()->first, released.rbegin()->first));
  if (column.support) {
    ends = *column.support;
  } else if (const Noise* noise = std::get_if<Noise>(&column.mechanism); noise && !column.bounds) {
    // The least true value is above the least released one by what its own noise went down, at most; and so
    // on.
    const auto [down, up] = reach_of(*noise, kForSupport / 2 * miss_of(options));
    ends.first -= up;
    ends.second += down;
  }
  if (options.support) {
    if ((column.bounds || column.support) &&
        (options.support->first < ends.first || options.support->second > ends.second)) {
      throw Error(ErrorKind::kUsage, "--support: the statement says that values lie within narrower bounds",
                  "leave it out");
    }
    ends = *options.support;
  }
  return ends;
}

// The true values that are possible; none when they are too many to tell apart.
std::vector<int64_t> domain_of(const PublishedColumn& column, const ReleasedCounts& released,
                               const EstimateOptions& options) {
  const Channel* channel = std::get_if<Channel>(&column.mechanism);
  if (channel && !options.support) return channel->inputs;
  const auto [first, last] = support_of(column, released, options);
  if (last - first >= kMostValues) return {};
  std::vector<int64_t> domain(static_cast<size_t>(last - first + 1));
  std::iota(domain.begin(), domain.end(), first);
  if (!channel) return domain;
  std::erase_if(domain, [&](int64_t x) {
    return !std::binary_search(channel->inputs.begin(), channel->inputs.end(), x);
  });
  if (domain.empty())
    throw Error(ErrorKind::kUsage, "--support: the channel has no value within it", "leave it out");
  return domain;
}

// Places in the domain, first and last of each bin.
using Places = std::vector<std::pair<size_t, size_t>>;

Places bins_of(const PublishedColumn& column, const std::vector<int64_t>& domain,
               const EstimateOptions& options) {
  int64_t width = options.bin.value_or(1);
  if (!options.bin && !column.is_categorical()) {
    // The least of 1, 2, 5, 10, … with few enough bins, and none much narrower than the noise is wide.
    const Noise* noise = std::get_if<Noise>(&column.mechanism);
    const int64_t span = domain.back() - domain.front() + 1;
    const double wide = noise ? std::min(std::sqrt(static_cast<double>(mean_square(*noise))) / 2,
                                         static_cast<double>(span) / kFewBins)
                              : 0;
    auto too_narrow = [&] {
      return static_cast<double>(width) < wide ||
             (domain.size() > kMostBins && span / width >= static_cast<int64_t>(kMostBins));
    };
    for (int64_t unit = 1; too_narrow(); unit *= 10) {
      for (int64_t step : {2, 5, 10}) {
        if (too_narrow()) width = unit * step;
      }
    }
  }
  auto bin = [&](int64_t x) { return x >= 0 ? x / width : -((-x + width - 1) / width); };
  Places bins;
  for (size_t k = 0; k < domain.size(); ++k) {
    if (bins.empty() || bin(domain[bins.back().first]) != bin(domain[k])) {
      bins.emplace_back(k, k);
    } else {
      bins.back().second = k;
    }
  }
  return bins;
}

Observed observe(const Response& response, const PublishedColumn& column, const ReleasedCounts& released,
                 const EstimateOptions& options) {
  Observed observed;
  observed.rows = static_cast<double>(rows_of(released));
  observed.released = Eigen::VectorXd::Zero(response.table().rows());
  for (const auto& [value, count] : released)
    observed.released(static_cast<Eigen::Index>(response.row_of(value))) +=
        static_cast<double>(count) / observed.rows;
  for (Eigen::Index y = 0; y < observed.released.size(); ++y) {
    if (observed.released(y) > 0 && response.table().row(y).maxCoeff() <= 0) {
      throw Error(ErrorKind::kData, "a released value cannot come from the statement's mechanism",
                  "the statement and the table must belong to the same release");
    }
  }
  observed.miss = miss_of(options) * (guesses_support(column, options) ? 1 - kForSupport : 1);
  observed.population = options.population;
  observed.unchanged = changes_nothing(column.mechanism) && !options.population;
  return observed;
}

Bounded within(Bounded bounds, double low, double high) {
  bounds.low = std::clamp(bounds.low, low, high);
  bounds.high = std::clamp(bounds.high, low, high);
  return bounds;
}

// The values where a level may lie: where the distribution function, within its bounds, may pass it.
Quantile quantile_of(const Rational& level, const std::vector<int64_t>& domain, const Eigen::VectorXd& likely,
                     const std::vector<size_t>& points, const std::vector<Bounded>& function) {
  const auto wanted = static_cast<double>(level);
  Quantile result{level, domain.back(), domain.back(), domain.front()};
  double sum = 0;
  for (size_t k = 0; k < domain.size(); ++k) {
    sum += likely(static_cast<Eigen::Index>(k));
    if (sum >= wanted) {
      result.value = domain[k];
      break;
    }
  }
  for (size_t k = 0; k < points.size(); ++k) {
    const bool below = function[k].high < wanted;  // certainly F(point) < level: the quantile is above
    if (!below) {
      result.low = k == 0 ? domain.front() : domain[points[k - 1] + 1];
      break;
    }
  }
  for (size_t k = points.size(); k-- > 0;) {
    if (function[k].low < wanted) {  // perhaps F(point) < level: the quantile may be above
      result.high = k + 1 < points.size() ? domain[points[k + 1]] : domain.back();
      break;
    }
    result.high = domain[points[k]];
  }
  result.low = std::min(result.low, result.value);
  result.high = std::max(result.high, result.value);
  return result;
}

// The mean of the released rows, in steps, less what the noise adds to it.
double mean_index(const Noise& noise, const ReleasedCounts& released) {
  Integer indices(0);
  for (const auto& [index, count] : released) indices += Integer(index) * count;
  return static_cast<double>(Rational(Rational(indices, Integer(rows_of(released))) - mean(noise)));
}

Bounded on_lattice(const Bounded& steps, const Lattice& lattice) {
  const auto step = static_cast<double>(lattice.step), origin = static_cast<double>(lattice.origin);
  return {origin + step * steps.value, origin + step * steps.low, origin + step * steps.high};
}

// Noise that was not held within bounds moves the mean of the rows by its own mean, whatever the values are.
// None for any other.
std::optional<Bounded> plain_mean(const PublishedColumn& column, const ReleasedCounts& released,
                                  const EstimateOptions& options) {
  const Noise* noise = std::get_if<Noise>(&column.mechanism);
  if (!noise || column.bounds || options.population) return std::nullopt;
  const auto rows = static_cast<double>(rows_of(released));
  const double middle = mean_index(*noise, released), added = static_cast<double>(mean(*noise));
  const SumReach reach = sum_reach(*noise, rows_of(released), miss_of(options));
  return on_lattice({middle, middle + added - reach.up / rows, middle + added + reach.down / rows},
                    column.lattice);
}

// The same of the population's mean, for values between these ends.
std::optional<Bounded> plain_population_mean(const PublishedColumn& column, const ReleasedCounts& released,
                                             const EstimateOptions& options) {
  const Noise* noise = std::get_if<Noise>(&column.mechanism);
  if (!noise || column.bounds || !options.population) return std::nullopt;
  const auto [first, last] = support_of(column, released, options);
  const auto rows = static_cast<double>(rows_of(released));
  const double middle = mean_index(*noise, released), added = static_cast<double>(mean(*noise));
  double square = 0;
  for (const auto& [index, count] : released)
    square += std::pow(static_cast<double>(index) - middle, 2) * static_cast<double>(count) / rows;
  // What the bound takes from the laws of a row is largest at an end, or near the mean.
  constexpr int kParts = 64;
  std::vector<double> values;
  for (int k = 0; k <= kParts; ++k)
    values.push_back(static_cast<double>(first) + static_cast<double>(last - first) * k / kParts - middle);
  const NoiseLaw law(*noise);
  const double miss = miss_of(options) * (guesses_support(column, options) ? 1 - kForSupport : 1);
  const double high = highest_mean(laws_of(law, values, 1), added, square, rows, miss) - added;
  const double low = -highest_mean(laws_of(law, values, -1), -added, square, rows, miss) - added;
  return on_lattice({middle, middle + low, middle + high}, column.lattice);
}

void note_support(const PublishedColumn& column, const ReleasedCounts& released,
                  const EstimateOptions& options, Estimate& result) {
  if (!options.population || column.is_categorical() || !guesses_support(column, options)) return;
  const auto [first, last] = support_of(column, released, options);
  result.notes.push_back(
      fmt::format("the population's values are assumed to lie within {} to {}, where the released ones can "
                  "come from; if they may lie farther out, give --support LO:HI",
                  column.text(first), column.text(last)));
}

// Where there are too many values for a table, the mean alone.
Estimate mean_alone(const PublishedColumn& column, const ReleasedCounts& released,
                    const EstimateOptions& options) {
  Estimate result;
  result.rows = rows_of(released);
  result.mean = options.population ? plain_population_mean(column, released, options)
                                   : plain_mean(column, released, options);
  if (!result.mean) {
    throw Error(ErrorKind::kUsage, "the true values may be too many to tell apart",
                fmt::format("give --support LO:HI with at most {} values between", kMostValues));
  }
  result.notes.push_back(fmt::format(
      "the true values may be any of {} or more, too many for quantiles and shares: give --support LO:HI",
      kMostValues));
  note_support(column, released, options, result);
  return result;
}

// The distribution function's points: every value, or evenly spread ones.
std::vector<size_t> points_of(const PublishedColumn& column, size_t values, const EstimateOptions& options) {
  std::vector<size_t> points;
  if (column.is_categorical() || options.levels.empty()) return points;
  const size_t stride = (values + kMostPoints - 1) / kMostPoints;
  for (size_t k = 0; k < values; k += stride) points.push_back(k);
  return points;
}

// What is asked of each true value: whether it lies in each bin, whether at most at each point, and what it
// is.
Eigen::MatrixXd wanted_of(const PublishedColumn& column, const std::vector<int64_t>& domain,
                          const Places& bins, const std::vector<size_t>& points) {
  const auto size = static_cast<Eigen::Index>(domain.size());
  Eigen::MatrixXd wanted =
      Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(bins.size() + points.size()) + 1);
  Eigen::Index at = 0;
  for (auto [first, last] : bins) {
    wanted.col(at++)
        .segment(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(last - first + 1))
        .setOnes();
  }
  for (size_t point : points) wanted.col(at++).head(static_cast<Eigen::Index>(point) + 1).setOnes();
  for (Eigen::Index k = 0; k < size; ++k)
    wanted(k, at) = static_cast<double>(column.lattice.value(domain[static_cast<size_t>(k)]));
  return wanted;
}

// The mean of numbers: by the noise's own law where that is expected to be narrower, else as the shares.
Bounded mean_of(const PublishedColumn& column, const ReleasedCounts& released, const EstimateOptions& options,
                const Bounded& inverted, double width, double least, double most) {
  if (options.support && (inverted.low > most || inverted.high < least)) {
    throw Error(ErrorKind::kUsage, "--support: the released values do not come from values within it",
                "leave it out, or give the range of the true values");
  }
  const auto plain = plain_mean(column, released, options);
  if (!plain) return within(inverted, least, most);
  if (guesses_support(column, options)) return *plain;
  if (plain->high - plain->low > width) return within(inverted, least, most);
  Bounded result = within(*plain, least, most);
  result.value = std::clamp(result.value, least, most);
  return result;
}

}  // namespace

Estimate estimate(const PublishedColumn& column, const ReleasedCounts& released,
                  const EstimateOptions& options, const Progress& progress) {
  if (released.empty()) throw Error(ErrorKind::kData, "there are no released rows", "give a table with rows");
  std::vector<int64_t> possible = domain_of(column, released, options);
  if (possible.empty()) return mean_alone(column, released, options);
  const Response response(column, std::move(possible));
  const std::vector<int64_t>& domain = response.domain();
  const Observed observed = observe(response, column, released, options);
  const Eigen::VectorXd likely = likeliest(response.table(), observed.released, progress);
  const Places bins = bins_of(column, domain, options);
  const std::vector<size_t> points = points_of(column, domain.size(), options);
  const Eigen::MatrixXd wanted = wanted_of(column, domain, bins, points);
  auto [means, widths, inverted] = estimate_means(response, observed, wanted, progress);
  // Where the noise cannot be undone the middle of the bounds means little: the likeliest distribution's
  // then.
  for (size_t k = 0; k < means.size() && !inverted; ++k) {
    const double value = likely.dot(wanted.col(static_cast<Eigen::Index>(k)));
    means[k].value = std::clamp(value, means[k].low, std::max(means[k].low, means[k].high));
  }

  Estimate result;
  result.rows = rows_of(released);
  if (!inverted) {
    result.notes.emplace_back(
        "this release cannot tell all values apart, however many rows there are: some bounds stay wide");
  }
  note_support(column, released, options, result);
  for (size_t k = 0; k < bins.size(); ++k) {
    const auto [first, last] = bins[k];
    const double share = likely.dot(wanted.col(static_cast<Eigen::Index>(k)));
    result.shares.push_back({domain[first], domain[last], within(means[k], 0, 1), share});
  }
  if (column.is_categorical()) return result;
  const Eigen::VectorXd values = wanted.rightCols<1>();
  result.mean =
      mean_of(column, released, options, means.back(), widths.back(), values.minCoeff(), values.maxCoeff());
  const std::vector<Bounded> function(means.begin() + static_cast<ptrdiff_t>(bins.size()), means.end() - 1);
  for (const Rational& level : options.levels)
    result.quantiles.push_back(quantile_of(level, domain, likely, points, function));
  return result;
}

}  // namespace fugu::inline in_estimate
