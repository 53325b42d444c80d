#include "fugu/calibrate/chain_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fugu::inline in_calibrate {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64 &&
                  std::numeric_limits<long double>::min_exponent10 < -4930,
              "these laws need the range and the digits of an 80-bit long double");

constexpr double kMostLawProducts = 4e8;  // of the convolutions: some seconds
constexpr double kMostMasses = 3e7;       // 16 bytes each
constexpr double kSmallestLog = -4800;    // base 10; a long double goes down to -4931

using Counts = std::vector<long double>;  // by state, then by count

double log10_of(const Rational& value) { return static_cast<double>(std::log10(to_long_double(value))); }

// The logarithm of the smallest product that the recursions meet.
double smallest_log(const ChainModel& model) {
  double smallest = 0;
  for (const MarkovChain& chain : model.chains) {
    double start = 0, step = 0;
    for (const Rational& mass : start_law(chain))
      if (mass > 0) start = std::min(start, log10_of(mass));
    for (const auto& row : chain.transition)
      for (const Rational& mass : row)
        if (mass > 0) step = std::min(step, log10_of(mass));
    smallest = std::min(smallest, start + step * static_cast<double>(model.length));
  }
  return smallest;
}

std::vector<long double> matrix_of(const MarkovChain& chain) {
  std::vector<long double> matrix;
  for (const auto& row : chain.transition)
    for (const Rational& mass : row) matrix.push_back(to_long_double(mass));
  return matrix;
}

}  // namespace

long double to_long_double(const Rational& value) {
  if (value == 0) return 0;
  const auto bits = [](const Integer& n) { return static_cast<int64_t>(msb(n)); };
  const int64_t shift = 66 - (bits(numerator(value)) - bits(denominator(value)));
  Integer top = numerator(value), bottom = denominator(value);
  (shift > 0 ? top : bottom) <<= static_cast<unsigned>(std::llabs(shift));
  const Integer quotient = top / bottom;  // 65 to 67 bits
  const Integer high = quotient >> 32, low = quotient & 0xffffffffU;
  const long double sum = static_cast<long double>(static_cast<uint64_t>(high)) * 0x1p32L +
                          static_cast<long double>(static_cast<uint64_t>(low));
  return std::ldexp(sum, static_cast<int>(-shift));
}

std::optional<std::string> ChainLaw::infeasible(const ChainModel& model) {
  if (!model.counted) return "the exact law is that of one state's count, not of a histogram";
  const auto length = static_cast<double>(model.length), states = static_cast<double>(model.states.size());
  if (states * length * length * length / 6 > kMostLawProducts || states * length * length > kMostMasses)
    return fmt::format("the exact law of {} times and {} states would take too long", model.length,
                       model.states.size());
  if (smallest_log(model) < kSmallestLog) return std::string("the exact law has masses too small to hold");
  return std::nullopt;
}

ChainLaw::ChainLaw(const ChainModel& model, const MarkovChain& chain, const Progress& progress)
    : states_(model.states.size()) {
  const size_t n = states_, length = model.length, counted = *model.counted;
  // A step of either recursion rounds an entry of the matrix (twice), a product and n - 1 sums: n + 2, and
  // both together take fewer than `length` steps. So many again, and as many sums, are in the state's mass;
  // the convolution adds a quotient, a product and as many sums.
  roundings_ = (2 * n + 6) * (length + 2);
  const std::vector<long double> matrix = matrix_of(chain);
  const size_t width = length + 1;

  // later[t][x * width + c] = P(c of the t last states are the counted one | the state before them is x).
  std::vector<Counts> later(length);
  later[0].assign(n, 1);  // only the count 0
  for (size_t t = 1; t < length; ++t) {
    later[t].assign(n * (t + 1), 0);
    for (size_t x = 0; x < n; ++x) {
      for (size_t y = 0; y < n; ++y) {
        const long double step = matrix[x * n + y];
        if (step == 0) continue;
        const long double* from = later[t - 1].data() + y * t;
        long double* to = later[t].data() + x * (t + 1) + (y == counted ? 1 : 0);
        for (size_t c = 0; c < t; ++c) to[c] += step * from[c];
      }
    }
  }

  // sofar[x * width + c] = P(c of the first states are the counted one, and the last of them is x).
  Counts sofar(n * width, 0);
  const std::vector<Rational> start = start_law(chain);
  for (size_t x = 0; x < n; ++x) sofar[x * width + (x == counted ? 1 : 0)] = to_long_double(start[x]);
  laws_.resize(length * n);
  for (size_t time = 1; time <= length; ++time) {
    report(progress, static_cast<double>(time) / static_cast<double>(length), "laws of the count");
    if (time > 1) {
      Counts next(n * width, 0);
      for (size_t x = 0; x < n; ++x) {
        for (size_t y = 0; y < n; ++y) {
          const long double step = matrix[x * n + y];
          if (step == 0) continue;
          const long double* from = sofar.data() + x * width;
          long double* to = next.data() + y * width + (y == counted ? 1 : 0);
          for (size_t c = 0; c < time; ++c) to[c] += step * from[c];
        }
      }
      sofar = std::move(next);
    }
    const size_t rest = length - time;
    for (size_t x = 0; x < n; ++x) {
      const long double* first = sofar.data() + x * width;
      long double mass = 0;
      for (size_t c = 0; c <= time; ++c) mass += first[c];
      if (mass == 0) continue;
      const long double* second = later[rest].data() + x * (rest + 1);
      std::vector<long double>& law = laws_[(time - 1) * n + x];
      law.assign(width, 0);
      for (size_t c = 0; c <= time; ++c) {
        if (first[c] == 0) continue;
        const long double weight = first[c] / mass;
        for (size_t d = 0; d <= rest; ++d) law[c + d] += weight * second[d];
      }
    }
  }
}

}  // namespace fugu::inline in_calibrate
