// What a set of ratios of masses decides about epsilon.
#pragma once

#include <algorithm>
#include <optional>

#include "fugu/core/interval.h"
#include "fugu/proof/loss.h"

namespace fugu::inline in_proof {

// Collects ratios of a larger over a smaller mass and keeps what decides.
class Judge {
 public:
  explicit Judge(const Interval& epsilon)
      : limit_(exp(epsilon)), worst_(epsilon.precision()), worst_share_(epsilon.precision()) {}

  // The mass `high` of one secret against the mass `low` of another, at the place `peak`.
  void weigh(const Interval& high, const Interval& low, const LossPeak& peak) {
    if (!is_infinite(high, low, peak)) {
      const Interval ratio = high / low;
      weigh_share(ratio, ratio, limit_, peak);
    }
  }
  // The same against a limit of its own.
  void weigh(const Interval& high, const Interval& low, const Interval& limit, const LossPeak& peak) {
    if (!is_infinite(high, low, peak)) weigh_ratio(high / low, limit, peak);
  }
  // Ratios with limits of their own are compared by how much of these they take.
  void weigh_ratio(const Interval& ratio, const Interval& limit, const LossPeak& peak) {
    weigh_share(ratio, ratio / limit, limit, peak);
  }

  // With `unsure_is_no` a ratio that cannot be told from epsilon's counts as larger.
  std::optional<LossDecision> decision(bool unsure_is_no = false) const {
    if (!refuted_ && !proved_ && !unsure_is_no) return std::nullopt;
    LossDecision result{!refuted_ && proved_, refuted_ ? *refuted_ : peak_};
    if (!result.peak.infinite) result.peak.upper = std::max(0.0, log(worst_).upper());
    return result;
  }

 private:
  // Where only the first can be; nothing is to be weighed where the second cannot.
  bool is_infinite(const Interval& high, const Interval& low, const LossPeak& peak) {
    if (!low.is_zero()) return false;
    if (high.is_zero() || (refuted_ && refuted_->infinite)) return true;
    refuted_ = peak;
    refuted_->infinite = true;
    return true;
  }

  void weigh_share(const Interval& ratio, const Interval& share, const Interval& limit,
                   const LossPeak& peak) {
    if (!certainly_at_most(ratio, limit)) {
      proved_ = false;
      if (certainly_less(limit, ratio) &&
          (!refuted_ || (!refuted_->infinite && upper_less(worst_share_, share)))) {
        refuted_ = peak;
        worst_ = ratio;
        worst_share_ = share;
        return;
      }
    }
    if (!refuted_ && upper_less(worst_share_, share)) {
      worst_ = ratio;
      worst_share_ = share;
      peak_ = peak;
    }
  }

  Interval limit_;
  Interval worst_, worst_share_;
  LossPeak peak_;
  std::optional<LossPeak> refuted_;
  bool proved_ = true;
};

}  // namespace fugu::inline in_proof
