#include "fugu/law/boxes.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <map>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/law/part.h"

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

// What may go wrong with one law of each prior. Which groups are priors depends on the secrets and the groups
// of the same people, so that their share must not depend on how many they are.
std::vector<Rational> errors_of(const Claim& claim) {
  const auto groups = static_cast<size_t>(std::count_if(claim.priors.begin(), claim.priors.end(),
                                                        [](const Prior& prior) { return prior.is_group(); }));
  const size_t others = claim.priors.size() - groups;
  const Rational wrong = (1 - *claim.confidence) / (groups == 0 || others == 0 ? 1 : 2);
  std::vector<Rational> errors;
  for (const Prior& prior : claim.priors)
    errors.push_back(wrong / Rational(Integer(prior.is_group() ? groups : others) * prior.by_secret.size()));
  return errors;
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

// What the counts of one law say: how many people have each value of the domain.
class CountedLaw {
 public:
  // `population` as PartSize has it; absent for independent draws.
  CountedLaw(const Distribution& secret, const std::vector<int64_t>& domain,
             std::optional<PartSize> population)
      : population_(population) {
    check_counts(secret);
    total_ = static_cast<uint64_t>(secret.total());
    size_t k = 0;
    for (int64_t value : domain) {
      const bool counted = k < secret.size() && secret.atoms()[k] == value;
      counts_.push_back(counted ? static_cast<uint64_t>(secret.weights().at(k++)) : 0);
    }
    if (k != secret.size())
      throw Error(ErrorKind::kGuarantee, "a value lies beyond those that can occur", "calibrate again");
  }

  // Each side of each wrong with probability at most `tail`.
  std::vector<MassBox> boxes(const Rational& tail) const { return boxes_of(counts_, tail); }

  // Of the masses up to each place; any of them wrong with probability at most `wrong`.
  std::vector<MassBox> band(const Rational& wrong) const {
    std::vector<uint64_t> below;
    uint64_t sum = 0;
    for (uint64_t count : counts_) below.push_back(sum += count);
    std::vector<MassBox> band;
    if (population_) {
      band = boxes_of(below, wrong / Rational(2 * Integer(below.size())));
    } else {
      const Rational width = exact(band_width(total_, wrong));
      for (uint64_t count : below) {
        const Rational share{Integer(count), Integer(total_)};
        band.push_back({std::max(0.0, round_down(Rational(share - width))),
                        std::min(1.0, round_up(Rational(share + width)))});
      }
    }
    band.back() = {1, 1};
    return band;
  }

 private:
  std::vector<MassBox> boxes_of(const std::vector<uint64_t>& counts, const Rational& tail) const {
    std::map<uint64_t, MassBox> known;  // most counts of a long domain are the same few
    std::vector<MassBox> boxes;
    for (uint64_t count : counts) {
      const auto [found, fresh] = known.try_emplace(count);
      if (fresh) {
        found->second =
            population_ ? part_box(count, total_, *population_, tail) : clopper_pearson(count, total_, tail);
      }
      boxes.push_back(found->second);
    }
    return boxes;
  }

  std::optional<PartSize> population_;
  uint64_t total_ = 0;
  std::vector<uint64_t> counts_;
};

// How many people the s-th secret's law under the p-th prior is about. Of a group or a stratum nothing is
// known.
std::optional<PartSize> part_size(const Claim& claim, size_t p, size_t s) {
  if (claim.sampling.kind != Sampling::Kind::kPart) return std::nullopt;
  const Prior& prior = claim.priors[p];
  const bool known = p == 0 && !prior.is_group() && prior.known.empty() && !claim.sampling.population.empty();
  return PartSize{known ? claim.sampling.population.at(s) : 0};
}

// The masses themselves, rounded outward; known within a blur, its ends.
std::vector<MassBox> boxes_of_masses(const Distribution& secret, const std::vector<int64_t>& domain) {
  std::vector<MassBox> boxes;
  const Rational total(secret.total());
  size_t k = 0;
  for (int64_t value : domain) {
    const bool has_mass = k < secret.size() && secret.atoms()[k] == value;
    const Rational mass = has_mass ? Rational(secret.weights().at(k++)) / total : Rational(0);
    boxes.push_back({round_down(Rational(mass * (1 - secret.blur()))),
                     std::min(1.0, round_up(Rational(mass * (1 + secret.blur()))))});
  }
  return boxes;
}

// Of every belief b with e^-lambda p <= b <= e^lambda p for a p within the box.
MassBox widened(const MassBox& box, const Rational& lambda) {
  constexpr Bits kBits = 128;
  const Interval factor = exp(Interval(lambda, kBits));
  return {(Interval(exact(box.low), kBits) / factor).lower(),
          std::min(1.0, (Interval(exact(box.high), kBits) * factor).upper())};
}

// The same of masses up to a place: what lies beyond it is as close.
MassBox widened_band(const MassBox& below, const Rational& lambda) {
  auto rest = [](double end, auto round) { return round(Rational(1 - exact(end))); };
  auto up = [](const Rational& value) { return round_up(value); };
  auto down = [](const Rational& value) { return round_down(value); };
  const MassBox near = widened(below, lambda),
                beyond = widened({rest(below.high, down), rest(below.low, up)}, lambda);
  return {std::max(near.low, rest(beyond.high, down)), std::min(near.high, rest(beyond.low, up))};
}

}  // namespace

double band_width(uint64_t total, const Rational& wrong) {
  constexpr Bits kBits = 128;
  return sqrt(log(Interval(Rational(2 / wrong), kBits)) / Interval(Integer(2 * Integer(total)), kBits))
      .upper();
}

void check_population(const Claim& claim, ErrorKind kind) {
  const Sampling& sampling = claim.sampling;
  if (sampling.kind != Sampling::Kind::kPart) return;
  Integer people(0);
  for (const Distribution& secret : claim.priors[0].by_secret) people += secret.total();
  bool fits = sampling.population.empty() ? people <= sampling.total
                                          : sampling.population.size() == claim.secrets.size();
  for (size_t s = 0; fits && s < sampling.population.size(); ++s)
    fits = claim.priors[0].by_secret[s].total() <= sampling.population[s];
  if (!fits) {
    throw Error(kind, "--population: the table has more people than that",
                "give how many people there are in the whole population");
  }
}

BoxedLaws boxes_of(const Claim& claim, std::vector<int64_t> domain) {
  if (claim.confidence) check_population(claim, ErrorKind::kData);
  BoxedLaws result{std::move(domain), {}};
  const size_t values = result.domain.size();
  const auto errors = claim.confidence ? errors_of(claim) : std::vector<Rational>{};
  const bool close = claim.closeness && claim.closeness->by == Closeness::By::kBoxes;
  const bool boxed = claim.bounded_by != BoundKind::kBand,
             banded = claim.confidence && claim.bounded_by != BoundKind::kBoxes;
  for (size_t p = 0; p < claim.priors.size(); ++p) {
    result.boxes.emplace_back();
    if (banded) result.bands.emplace_back();
    for (size_t s = 0; s < claim.priors[p].by_secret.size(); ++s) {
      const Distribution& secret = claim.priors[p].by_secret[s];
      std::vector<MassBox>& boxes = result.boxes.back().emplace_back(values);
      if (!claim.confidence) {
        boxes = boxes_of_masses(secret, result.domain);
      } else {
        const CountedLaw law(secret, result.domain, part_size(claim, p, s));
        const Rational wrong = boxed && banded ? Rational(errors[p] / 2) : errors[p];
        if (boxed) boxes = law.boxes(wrong / Rational(2 * Integer(values)));
        if (banded) result.bands.back().push_back(law.band(wrong));
      }
      if (!close) continue;
      for (MassBox& box : boxes) box = widened(box, claim.lambda());
      if (!banded) continue;
      for (MassBox& sum : result.bands.back().back()) sum = widened_band(sum, claim.lambda());
    }
  }
  return result;
}

}  // namespace fugu::inline in_law
