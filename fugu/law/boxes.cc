#include "fugu/law/boxes.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <map>

#include "fugu/core/error.h"

namespace fugu::inline in_law {

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

namespace {

// What each side of a cell of each prior may be wrong by. Which groups are priors depends on the secrets and
// the groups of the same people, so that their share must not depend on how many they are.
std::vector<Rational> tails_of(const Claim& claim, size_t values) {
  const auto groups = static_cast<size_t>(std::count_if(claim.priors.begin(), claim.priors.end(),
                                                        [](const Prior& prior) { return prior.is_group(); }));
  const size_t others = claim.priors.size() - groups;
  const Rational wrong = (1 - *claim.confidence) / (groups == 0 || others == 0 ? 1 : 2);
  std::vector<Rational> tails;
  for (size_t p = 0; p < claim.priors.size(); ++p) {
    const size_t alike = claim.priors[p].is_group() ? groups : others;
    const Integer cells = Integer(values) * claim.priors[p].by_secret.size() * alike;
    tails.push_back(wrong / (2 * Rational(cells)));
  }
  return tails;
}

void check_counts(const Distribution& secret) {
  if (secret.blur() != 0) {
    throw Error(ErrorKind::kData, "a confidence needs counts, and a model computed these masses",
                "leave out the confidence: the model is taken as the truth");
  }
  if ((secret.total() >> 53) != 0) {
    throw Error(ErrorKind::kData, "the masses are too large to be counts",
                "--confidence needs the counts themselves");
  }
}

std::vector<MassBox> boxes_of(const Distribution& secret, const std::vector<int64_t>& domain,
                              const Rational& tail) {
  check_counts(secret);
  const auto total = static_cast<uint64_t>(secret.total());
  std::map<uint64_t, MassBox> known;  // most counts of a long domain are the same few
  std::vector<MassBox> boxes;
  size_t k = 0;
  for (int64_t value : domain) {
    const bool counted = k < secret.size() && secret.atoms()[k] == value;
    const auto count = counted ? static_cast<uint64_t>(secret.weights().at(k++)) : 0;
    const auto [found, fresh] = known.try_emplace(count);
    if (fresh) found->second = clopper_pearson(count, total, tail);
    boxes.push_back(found->second);
  }
  return boxes;
}

}  // namespace

BoxedLaws boxes_of(const Claim& claim, std::vector<int64_t> domain) {
  BoxedLaws result{std::move(domain), {}};
  const std::vector<Rational> tails = tails_of(claim, result.domain.size());
  for (size_t p = 0; p < claim.priors.size(); ++p) {
    result.boxes.emplace_back();
    for (const Distribution& secret : claim.priors[p].by_secret)
      result.boxes.back().push_back(boxes_of(secret, result.domain, tails[p]));
  }
  return result;
}

}  // namespace fugu::inline in_law
