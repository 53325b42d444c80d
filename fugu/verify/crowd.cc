#include "fugu/verify/crowd.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/plan/model_place.h"
#include "fugu/verify/law_bounds.h"
#include "fugu/verify/rounding.h"
#include "fugu/verify/stated.h"
#include "fugu/verify/sum_rounded.h"

namespace fugu::inline in_verify {
namespace {

std::vector<size_t> secrets_of(const CrowdUsers& users) {
  std::vector<size_t> letters;
  for (size_t k = 0; k < users.masses.size(); ++k) {
    if (users.masses[k] > 0) letters.push_back(k);
  }
  return letters;
}

// Two that are compared, whatever the sum says of them.
LetterPair some_pair(const Crowd& crowd, size_t kind) {
  const auto letters = secrets_of(crowd.users[kind]);
  const bool compares_letters = crowd.pairs != CrowdPairs::kAbsent && letters.size() > 1;
  return {letters.front(), compares_letters ? letters[1] : crowd.letters.size()};
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
  CrowdPlace place;
  bool infinite = false;
  for (size_t k = 0; k < crowd.users.size() && !infinite; ++k) {
    lemma.each_ratio(k, [&](LetterPair letters, const std::optional<Interval>& ratio) {
      if (infinite || (ratio && !upper_less(worst, *ratio))) return;
      infinite = !ratio;
      if (ratio) worst = *ratio;
      place = {k, letters};
    });
  }
  const bool proved = !infinite && certainly_at_most(worst, limit);
  if (!proved && !infinite && !certainly_less(limit, worst)) return std::nullopt;
  CrowdProof result{{proved, witness_at(crowd, place)}, place.kind};
  if (proved) result.proof.witness.loss = std::max(0.0, log(worst).upper());
  return result;
}

// ---- exact ----

// What a hockey-stick lies between.
struct SumBounds {
  double lower = 0, upper = 0;
};

class HockeySticks {
 public:
  HockeySticks(const Crowd& crowd, const Budget& budget) : crowd_(crowd) {
    const Interval growth = exp(Interval(budget.epsilon.value(), 128));
    least_growth_ = growth.lower();
    most_growth_ = growth.upper();
    // What is not seen is in the end far below delta.
    negligible_ = std::max(
        0x1p-900, static_cast<double>(budget.delta.value()) * 0x1p-52 / static_cast<double>(crowd.size()));
  }
  double negligible() const { return negligible_; }

  // Calls weigh(letters, bounds) for every pair of one user's, from the law of everyone else and the noise.
  template <class Weigh>
  void each_pair(size_t kind, const LawBounds& others, Weigh weigh) const {
    const CrowdUsers& users = crowd_.users[kind];
    const auto letters = secrets_of(users);
    if (crowd_.pairs != CrowdPairs::kAbsent) {
      // A mixture of letters is told from one of them no better than the worst of them: absence adds nothing.
      for (size_t a : letters) {
        for (size_t b : letters)
          if (a != b) weigh({a, b}, between(others, users.values[a], others, users.values[b]));
      }
      return;
    }
    const size_t absent = crowd_.letters.size();
    const LawBounds everyone = sum_of(others, bounds_of_user(users), negligible_);
    for (size_t a : letters) {
      weigh({a, absent}, between(others, users.values[a], everyone, 0));
      weigh({absent, a}, between(everyone, 0, others, users.values[a]));
    }
  }

 private:
  // Of the first law moved by a over the second moved by b.
  SumBounds between(const LawBounds& first, int64_t a, const LawBounds& second, int64_t b) const {
    const int64_t shift = first.first + a - (second.first + b);
    if (&first == &second && shift == 0) return {};
    SumBounds bounds;
    {
      const Rounding up(Toward::kUp);
      bounds.upper = rounded_sum(excess(first.high, second.low, shift, -least_growth_), first.unseen);
    }
    const Rounding down(Toward::kDown);
    const double lower = rounded_sum(excess(first.low, second.high, shift, -most_growth_),
                                     rounded_product(-most_growth_, second.unseen));
    if (lower > 0) bounds.lower = lower;
    return bounds;
  }

  const Crowd& crowd_;
  double least_growth_, most_growth_, negligible_;
};

ModelProof prove_exact(const Crowd& crowd, const Budget& budget, const Noise& noise,
                       const ModelWitness* stated, const Progress& progress) {
  const HockeySticks sticks(crowd, budget);
  const auto named = stated ? place_of(crowd, *stated) : std::nullopt;
  CrowdPlace worst{crowd.users.size(), {}};
  double most = 0, least = 0;
  std::optional<double> at_named;
  size_t done = 0;
  std::mutex mutex;
  const LawBounds drawn = bounds_of_noise(noise, static_cast<double>(budget.delta.value()) * 0x1p-50);
  each_without_one(crowd, drawn, sticks.negligible(), [&](size_t kind, const LawBounds& others) {
    CrowdPlace place{kind, some_pair(crowd, kind)};
    double upper = 0, lower = 0;
    std::optional<double> here;
    sticks.each_pair(kind, others, [&](LetterPair letters, const SumBounds& bounds) {
      if (bounds.upper > upper) place.letters = letters;
      upper = std::max(upper, bounds.upper);
      lower = std::max(lower, bounds.lower);
      if (named && letters == named->letters) here = bounds.upper;
    });
    const std::lock_guard lock(mutex);
    if (upper > most || (upper == most && kind < worst.kind)) worst = place;
    most = std::max(most, upper);
    least = std::max(least, lower);
    if (named && kind == named->kind) at_named = here;
    report(progress, static_cast<double>(++done) / static_cast<double>(crowd.users.size()),
           "proving user by user");
  });
  ModelProof proof{exact(most) <= budget.delta.value(), witness_at(crowd, worst)};
  proof.witness.delta = most;
  // Where two users are as good as alike either may be named.
  const bool largest = at_named && *at_named >= least && !stated->loss;
  if (proof.holds && largest && is_stated_bound(stated->delta, most, budget.delta.value()))
    proof.witness = *stated;
  return proof;
}

}  // namespace

CrowdProof prove_lemma2(const Crowd& crowd, const Budget& budget, const Noise& noise) {
  const auto proof =
      decide_with_more_bits([&](Bits bits) { return decide_lemma2(crowd, budget.epsilon, noise, bits); });
  CrowdProof result = proof.value_or(CrowdProof{{false, witness_at(crowd, CrowdPlace{})}, 0});
  if (!budget.delta.is_zero() && result.proof.holds) {
    // Pure epsilon: nothing goes beyond it.
    result.proof.witness.loss.reset();
    result.proof.witness.delta = 0;
  }
  return result;
}

ModelProof prove_crowd(const Crowd& crowd, const Budget& budget, const std::string& method,
                       const Noise& noise, const ModelWitness* stated, const Progress& progress) {
  if (method != "lemma2" && method != "exact") {
    throw Error(ErrorKind::kData, fmt::format("independent users have no method '{}'", method),
                "use lemma2, or with delta exact");
  }
  if (method == "lemma2") return prove_lemma2(crowd, budget, noise).proof;
  if (budget.delta.is_zero()) {
    throw Error(ErrorKind::kData, "exact proves a budget with delta, and there is none",
                "use lemma2 without delta");
  }
  return prove_exact(crowd, budget, noise, stated, progress);
}

}  // namespace fugu::inline in_verify
