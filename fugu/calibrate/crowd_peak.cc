#include "fugu/calibrate/crowd_peak.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"

namespace fugu::inline in_calibrate {
namespace {

std::vector<size_t> secrets_of(const CrowdUsers& users) {
  std::vector<size_t> letters;
  for (size_t k = 0; k < users.masses.size(); ++k) {
    if (users.masses[k] > 0) letters.push_back(k);
  }
  return letters;
}

// How small a mass may be left out: all of them together are far below delta.
double negligible(const Crowd& crowd, const Budget& budget) {
  return static_cast<double>(budget.delta.value()) * 0x1p-48 / static_cast<double>(crowd.size());
}

// A law times a constant, at each place.
std::vector<double> times(const SumLaw& law, double factor) {
  std::vector<double> result(law.masses().begin(), law.masses().end());
  for (double& mass : result) mass *= factor;
  return result;
}

// A law's masses on either side of the hockey-stick, rounded outward: `above` is not below the true masses
// but for those that are missing, `below` not above e^epsilon times them.
class Side {
 public:
  Side(const SumLaw& law, double growth)
      : law_(law),
        above_(times(law, (1 + law.relative_error()) * (1 + 0x1p-50))),
        below_(times(law, growth * (1 - law.relative_error()) * (1 - 0x1p-50))) {}

  // The sum of [first(y - a) - e^epsilon second(y - b)]_+ is at most this. In the sum each term's subtraction
  // and each addition rounds once: `slack` covers them all.
  static double excess(const Side& first, int64_t a, const Side& second, int64_t b, double growth) {
    const auto size = static_cast<int64_t>(first.above_.size()),
               other = static_cast<int64_t>(second.below_.size());
    const int64_t shift = first.law_.first() + a - (second.law_.first() + b);
    double sum = 0;
    auto count = [&](int64_t from, int64_t to, auto rest) {
      for (int64_t k = std::max<int64_t>(from, 0); k < std::min(to, size); ++k)
        sum += std::max(0.0, first.above_[static_cast<size_t>(k)] - rest(k));
    };
    count(0, -shift, [](int64_t) { return 0.0; });
    count(-shift, other - shift, [&](int64_t k) { return second.below_[static_cast<size_t>(k + shift)]; });
    count(std::max<int64_t>(0, other - shift), size, [](int64_t) { return 0.0; });
    const double slack = 1 + static_cast<double>(size + 8) * 0x1p-52;
    const double missing = first.law_.cut() + first.law_.underflow() + growth * second.law_.underflow();
    return std::fma(sum, slack, missing * (1 + 0x1p-50) + SumLaw::kNegligible);
  }

 private:
  const SumLaw& law_;
  std::vector<double> above_, below_;
};

bool worse(const CrowdPeak& a, const CrowdPeak& b) {
  return a.upper != b.upper ? a.upper > b.upper : a.kind < b.kind;
}

}  // namespace

SumLaw law_of_noise(const Crowd& crowd, const Budget& budget, const Noise& noise) {
  constexpr Bits kBits = 128;
  const double small = negligible(crowd, budget);
  if (noise.is_none()) return SumLaw(small);
  const Interval total(total_weight(noise), kBits), one(Integer(1), kBits), r(noise.tail.value(), kBits);
  // Each within 2^-52 above the truth: two roundings.
  std::vector<double> middle;
  for (const Integer& weight : noise.weights) middle.push_back((Interval(weight, kBits) / total).upper());
  double cut = 0;
  const double limit = static_cast<double>(budget.delta.value()) * 0x1p-42;
  auto tail_from = [&](const Integer& weight) {
    std::vector<double> tail;
    if (r.is_zero()) return tail;
    Interval mass = Interval(weight, kBits) * r / total;
    // About so many steps until the rest is below the limit; what it is then is what counts.
    const double gap = (one - r).lower();
    const double steps = std::max(0.0, std::ceil(std::log(limit * gap / mass.upper()) / std::log1p(-gap)));
    if (!(steps < static_cast<double>(SumLaw::kWidest) / 4)) {
      throw Error(ErrorKind::kUsage, "the noise is too wide for the exact proof",
                  "give coarser values, a larger --epsilon, or leave out --delta");
    }
    for (; tail.size() < static_cast<size_t>(steps); mass *= r) tail.push_back(mass.upper());
    cut += (mass / (one - r)).upper();
    return tail;
  };
  const std::vector<double> left = tail_from(noise.weights.front()), right = tail_from(noise.weights.back());
  std::vector<double> masses(left.rbegin(), left.rend());
  masses.insert(masses.end(), middle.begin(), middle.end());
  masses.insert(masses.end(), right.begin(), right.end());
  return SumLaw(-noise.reach() - static_cast<int64_t>(left.size()), masses, 3, cut, small);
}

CrowdPeak peak_of_kind(const Crowd& crowd, size_t kind, const SumLaw& others, const Budget& budget) {
  const CrowdUsers& users = crowd.users[kind];
  const double growth = exp(Interval(budget.epsilon.value(), 128)).lower();
  const Side side(others, growth);
  const auto letters = secrets_of(users);
  const bool compares_letters = crowd.pairs != CrowdPairs::kAbsent && letters.size() > 1;
  CrowdPeak peak{kind, {letters.front(), compares_letters ? letters[1] : crowd.letters.size()}, 0};
  auto weigh = [&](size_t a, size_t b, double upper) {
    if (upper > peak.upper) peak = {kind, {a, b}, upper};
  };
  if (crowd.pairs != CrowdPairs::kAbsent) {
    // A mixture of letters is told from one of them no better than the worst of them: absence adds nothing.
    for (size_t a : letters) {
      for (size_t b : letters) {
        if (users.values[a] != users.values[b])
          weigh(a, b, Side::excess(side, users.values[a], side, users.values[b], growth));
      }
    }
    return peak;
  }
  SumLaw everyone = others;
  everyone.add(term_of(users), 1);
  const Side mixture(everyone, growth);
  for (size_t a : letters) {
    weigh(a, crowd.letters.size(), Side::excess(side, users.values[a], mixture, 0, growth));
    weigh(crowd.letters.size(), a, Side::excess(mixture, 0, side, users.values[a], growth));
  }
  return peak;
}

CrowdPeak peak_of_crowd(const Crowd& crowd, const Budget& budget, const Noise& noise,
                        const Progress& progress) {
  const auto terms = terms_of(crowd);
  std::optional<CrowdPeak> worst;
  size_t done = 0;
  std::mutex mutex;
  for_each_leave_one_out(terms, law_of_noise(crowd, budget, noise), [&](size_t kind, const SumLaw& others) {
    const CrowdPeak peak = peak_of_kind(crowd, kind, others, budget);
    const std::lock_guard lock(mutex);
    if (!worst || worse(peak, *worst)) worst = peak;
    report(progress, static_cast<double>(++done) / static_cast<double>(terms.size()), "proving user by user");
  });
  return *worst;
}

}  // namespace fugu::inline in_calibrate
