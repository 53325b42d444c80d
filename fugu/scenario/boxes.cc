#include "fugu/scenario/boxes.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "fugu/core/error.h"
#include "fugu/scenario/scenario.h"

namespace fugu {

// P(Binomial(n, p) >= k) for p below k/n. From k on each term is `ratio` times the one before, and the ratio
// falls: the rest after any term is at most a geometric series.
Interval binomial_upper_tail(uint64_t k, uint64_t n, const Rational& p, Bits bits) {
  const Interval one(Integer(1), bits), chance(p, bits), odds = chance / (one - chance);
  Interval term =
      exp(log_factorial(n, bits) - log_factorial(k, bits) - log_factorial(n - k, bits) +
          Interval(Integer(k), bits) * log(chance) + Interval(Integer(n - k), bits) * log(one - chance));
  Interval sum(bits);
  const double first = term.upper();
  for (uint64_t j = k;; ++j) {
    sum += term;
    if (j == n) return sum;
    const Interval ratio = Interval(Rational(Integer(n - j), Integer(j + 1)), bits) * odds;
    term *= ratio;
    if (term.upper() < first * 1e-12 && certainly_less(ratio, one)) return sum + term / (one - ratio);
  }
}

namespace {

// Whether a chance of `p` makes a count as large as k rarer than `tail`, for certain.
bool certainly_rarer(uint64_t k, uint64_t n, const Rational& p, const Rational& tail) {
  constexpr Bits kBits = 128;
  return certainly_at_most(binomial_upper_tail(k, n, p, kBits), Interval(tail, kBits));
}

// The lower end for a count k > 0: as large as can be certified.
double lower_end(uint64_t k, uint64_t n, const Rational& tail) {
  const double guess = boost::math::ibeta_inv(static_cast<double>(k), static_cast<double>(n - k) + 1,
                                              static_cast<double>(tail));
  double less = 1e-12;
  for (int tries = 0; tries < 12; ++tries, less *= 8) {
    const double low = guess * (1 - less);
    if (low > 0 && certainly_rarer(k, n, exact(low), tail)) return low;
  }
  return 0;
}

}  // namespace

MassBox clopper_pearson(uint64_t count, uint64_t total, const Rational& tail) {
  // The upper end is one less the lower end of what is not counted, rounded up.
  auto complement = [](double low) { return low == 0 ? 1.0 : std::nextafter(1 - low, 2.0); };
  return {count == 0 ? 0 : lower_end(count, total, tail),
          count == total ? 1 : std::min(1.0, complement(lower_end(total - count, total, tail)))};
}

std::vector<int64_t> with_categories(std::vector<int64_t> values, const Scenario& scenario) {
  if (!scenario.source) return values;
  for (size_t k = 1; k <= scenario.source->labels.size(); ++k) values.push_back(static_cast<int64_t>(k));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

BoxedScenario boxes_of(const Scenario& scenario) {
  BoxedScenario result;
  std::vector<Distribution> all;
  for (const Prior& prior : scenario.priors) all.insert(all.end(), prior.given.begin(), prior.given.end());
  result.domain = with_categories(union_support(all), scenario);
  const Integer cells = Integer(result.domain.size()) * all.size();
  const Rational tail = (1 - *scenario.confidence) / (2 * Rational(cells));
  for (const Prior& prior : scenario.priors) {
    result.boxes.emplace_back();
    for (const Distribution& secret : prior.given) {
      if (secret.blur() != 0) {
        throw Error(ErrorKind::kData, "a confidence needs counts, and a model computed these masses",
                    "leave out the confidence: the model is taken as the truth");
      }
      if ((secret.total() >> 53) != 0) {
        throw Error(ErrorKind::kData, "the masses are too large to be counts",
                    "--confidence needs the counts themselves");
      }
      const auto total = static_cast<uint64_t>(secret.total());
      std::vector<MassBox> boxes;
      for (int64_t value : result.domain) {
        const auto found = std::lower_bound(secret.atoms().begin(), secret.atoms().end(), value);
        const bool counted = found != secret.atoms().end() && *found == value;
        const auto count = counted ? static_cast<uint64_t>(secret.weights().at(
                                         static_cast<size_t>(found - secret.atoms().begin())))
                                   : 0;
        boxes.push_back(clopper_pearson(count, total, tail));
      }
      result.boxes.back().push_back(std::move(boxes));
    }
  }
  return result;
}

}  // namespace fugu
