#include "fugu/verify/crowd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"

namespace fugu {
namespace {

// One user among several that are alike is named by its kind.
std::string place_of(const Crowd& crowd, size_t kind) {
  if (crowd.size() == crowd.users.size()) return fmt::format("user {}", kind + 1);
  return crowd.users.size() == 1 ? "every user" : fmt::format("users of kind {}", kind + 1);
}

std::pair<std::string, std::string> names_of(const Crowd& crowd, std::pair<size_t, size_t> pair) {
  auto name = [&](size_t letter) {
    return letter == crowd.letters.size() ? std::string(kAbsentLetter) : crowd.letters[letter];
  };
  return {name(pair.first), name(pair.second)};
}

std::vector<size_t> secrets_of(const CrowdUsers& users) {
  std::vector<size_t> letters;
  for (size_t k = 0; k < users.masses.size(); ++k) {
    if (users.masses[k] > 0) letters.push_back(k);
  }
  return letters;
}

// ---- lemma2 ----

// The largest N(z) / N(z + shift) over all z: what a shift of the noise can change. Absent: infinite.
class ShiftRatios {
 public:
  ShiftRatios(const Noise& noise, Bits bits) : noise_(noise), bits_(bits) {}

  const std::optional<Interval>& at(int64_t shift) {
    auto found = known_.find(shift);
    if (found == known_.end()) found = known_.emplace(shift, largest(shift)).first;
    return found->second;
  }

 private:
  // Beyond z = -reach - |shift| and reach + |shift| both masses are in one tail, and the ratio stays.
  std::optional<Interval> largest(int64_t shift) const {
    if (shift == 0) return Interval(Integer(1), bits_);
    if (noise_.tail.numerator == 0) return std::nullopt;
    const int64_t far = noise_.reach();
    Interval worst(bits_);
    // Between two windows around 0 and -shift the ratio is monotone, so the windows suffice.
    auto weigh = [&](int64_t z) {
      const Interval low = weight(z + shift);
      if (low.is_zero()) return false;
      Interval ratio = weight(z) / low;
      if (upper_less(worst, ratio)) worst = std::move(ratio);
      return true;
    };
    for (int64_t middle : {int64_t{0}, -shift}) {
      for (int64_t z = middle - far; z <= middle + far; ++z) {
        if (!weigh(z)) return std::nullopt;
      }
    }
    return worst;
  }

  Interval weight(int64_t z) const {
    const int64_t far = noise_.reach();
    if (std::llabs(z) <= far) return Interval(noise_.weights[static_cast<size_t>(z + far)], bits_);
    return Interval(z < 0 ? noise_.weights.front() : noise_.weights.back(), bits_) *
           pow(Interval(noise_.tail.value(), bits_), static_cast<uint64_t>(std::llabs(z) - far));
  }

  const Noise& noise_;
  Bits bits_;
  std::map<int64_t, std::optional<Interval>> known_;
};

// Bounds of the ratio of two secrets' masses that hold at every output, whatever the others do; absent where
// it may be infinite (docs/math.md, section 12).
class Lemma2 {
 public:
  Lemma2(const Crowd& crowd, const Noise& noise, Bits bits)
      : crowd_(crowd), bits_(bits), shifts_(noise, bits) {}

  // The letters' own masses are a shift apart.
  std::optional<Interval> between(const CrowdUsers& users, size_t a, size_t b) {
    return shifts_.at(users.values[a] - users.values[b]);
  }

  // P_a / P_absent is at most 1 / sum_b p_b / C(a, b); P_absent / P_a at most sum_b p_b C(b, a).
  std::optional<Interval> over_absent(const CrowdUsers& users, size_t a) {
    Interval sum(bits_), total(bits_);
    for (size_t b : secrets_of(users)) {
      const Interval mass(users.masses[b], bits_);
      total += mass;
      if (const auto ratio = between(users, a, b)) sum += mass / *ratio;
    }
    if (sum.is_zero()) return std::nullopt;
    return total / sum;
  }
  std::optional<Interval> under_absent(const CrowdUsers& users, size_t a) {
    Interval sum(bits_), total(bits_);
    for (size_t b : secrets_of(users)) {
      const Interval mass(users.masses[b], bits_);
      const auto ratio = between(users, b, a);
      if (!ratio) return std::nullopt;
      total += mass;
      sum += mass * *ratio;
    }
    return sum / total;
  }

  template <class Weigh>
  void each_ratio(size_t kind, Weigh weigh) {
    const CrowdUsers& users = crowd_.users[kind];
    const size_t absent = crowd_.letters.size();
    const auto letters = secrets_of(users);
    for (size_t a : letters) {
      // Where letters are compared with each other their mixture adds nothing.
      if (crowd_.pairs == CrowdPairs::kAbsent) {
        weigh({a, absent}, over_absent(users, a));
        weigh({absent, a}, under_absent(users, a));
        continue;
      }
      for (size_t b : letters) {
        if (a != b) weigh({a, b}, between(users, a, b));
      }
    }
  }

 private:
  const Crowd& crowd_;
  Bits bits_;
  ShiftRatios shifts_;
};

std::optional<CrowdProof> decide_lemma2(const Crowd& crowd, const Epsilon& epsilon, const Noise& noise,
                                        Bits bits) {
  const Interval limit = exp(Interval(epsilon.value(), bits));
  Lemma2 lemma(crowd, noise, bits);
  Interval worst(Integer(1), bits);
  size_t kind = 0;
  std::pair<size_t, size_t> pair{0, 1};
  bool infinite = false;
  for (size_t k = 0; k < crowd.users.size() && !infinite; ++k) {
    lemma.each_ratio(k, [&](std::pair<size_t, size_t> letters, const std::optional<Interval>& ratio) {
      if (infinite || (ratio && !upper_less(worst, *ratio))) return;
      infinite = !ratio;
      if (ratio) worst = *ratio;
      kind = k;
      pair = letters;
    });
  }
  const bool proved = !infinite && certainly_at_most(worst, limit);
  if (!proved && !infinite && !certainly_less(limit, worst)) return std::nullopt;
  CrowdProof result{{proved, {place_of(crowd, kind), names_of(crowd, pair), {}, {}}}, kind};
  if (proved) result.proof.witness.loss = std::max(0.0, log(worst).upper());
  return result;
}

CrowdProof prove_lemma2(const Crowd& crowd, const Budget& budget, const Noise& noise) {
  const auto proof =
      decide_with_more_bits([&](Bits bits) { return decide_lemma2(crowd, budget.epsilon, noise, bits); });
  return proof.value_or(CrowdProof{{false, {place_of(crowd, 0), names_of(crowd, {0, 1}), {}, {}}}, 0});
}

// ---- exact ----

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

namespace {

// Of all users.
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

}  // namespace

CrowdProof prove_users(const Crowd& crowd, const Budget& budget, const std::string& method,
                       const Noise& noise, const Progress& progress) {
  if (method != "lemma2" && method != "exact") {
    throw Error(ErrorKind::kData, fmt::format("independent users have no method '{}'", method),
                "use lemma2, or with delta exact");
  }
  if (method == "exact" && budget.delta.is_zero()) {
    throw Error(ErrorKind::kData, "exact proves a budget with delta, and there is none",
                "use lemma2 without delta");
  }
  if (method == "lemma2") {
    CrowdProof result = prove_lemma2(crowd, budget, noise);
    if (!budget.delta.is_zero() && result.proof.holds) {
      // Pure epsilon: nothing goes beyond it.
      result.proof.witness.loss.reset();
      result.proof.witness.delta = 0;
    }
    return result;
  }
  const CrowdPeak peak = peak_of_crowd(crowd, budget, noise, progress);
  return {{exact(peak.upper) <= budget.delta.value(),
           {place_of(crowd, peak.kind), names_of(crowd, peak.pair), std::nullopt, peak.upper}},
          peak.kind};
}

ModelProof prove_crowd(const Crowd& crowd, const Budget& budget, const std::string& method,
                       const Noise& noise, const Progress& progress) {
  return prove_users(crowd, budget, method, noise, progress).proof;
}

}  // namespace fugu
