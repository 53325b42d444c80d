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
  explicit Judge(const Interval& epsilon) : limit_(exp(epsilon)), worst_(epsilon.precision()) {}

  // The mass `high` of one secret against the mass `low` of another, at the place `peak`.
  void weigh(const Interval& high, const Interval& low, const LossPeak& peak) {
    if (low.is_zero()) {
      if (high.is_zero() || (refuted_ && refuted_->infinite)) return;
      refuted_ = peak;
      refuted_->infinite = true;
      return;
    }
    Interval ratio = high / low;
    if (!certainly_at_most(ratio, limit_)) {
      proved_ = false;
      if (certainly_less(limit_, ratio) &&
          (!refuted_ || (!refuted_->infinite && upper_less(worst_, ratio)))) {
        refuted_ = peak;
        worst_ = ratio;
        return;
      }
    }
    if (!refuted_ && upper_less(worst_, ratio)) {
      worst_ = ratio;
      peak_ = peak;
    }
  }

  // With `unsure_is_no` a ratio that cannot be told from epsilon's counts as larger.
  std::optional<LossDecision> decision(bool unsure_is_no = false) const {
    if (!refuted_ && !proved_ && !unsure_is_no) return std::nullopt;
    LossDecision result{!refuted_ && proved_, refuted_ ? *refuted_ : peak_};
    if (!result.peak.infinite) result.peak.upper = std::max(0.0, log(worst_).upper());
    return result;
  }

 private:
  Interval limit_;
  Interval worst_;
  LossPeak peak_;
  std::optional<LossPeak> refuted_;
  bool proved_ = true;
};

}  // namespace fugu::inline in_proof
