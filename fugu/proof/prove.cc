#include "fugu/proof/prove.h"

#include <algorithm>
#include <limits>

#include "fugu/proof/distance_bounds.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/proof/hockey.h"
#include "fugu/proof/loss.h"
#include "fugu/proof/refusals.h"

namespace fugu::inline in_proof {
namespace {

constexpr Bits kFirstBits = 128, kLastBits = 1 << 16;
// Where masses are known within a blur, more digits soon tell no more: then "cannot tell" is a no.
constexpr Bits kLastBlurredBits = 512;

Witness witness_at(const Claim& claim, size_t prior, SecretPair pair, int64_t output) {
  auto name = [&](uint32_t s) { return s < claim.secrets.size() ? claim.secrets[s] : kMixture; };
  return {claim.priors[prior].name, {name(pair.first), name(pair.second)}, output, {}, {}, {}};
}

Proof prove_pure(const Claim& claim, const BoxedLaws* boxed, const Mechanism& mechanism,
                 const Progress& progress) {
  const bool blurred = claim.blur() != 0;
  auto decision = decide_with_more_bits(
      [&](Bits bits) {
        return decide_loss(claim, boxed, bounds_of(mechanism, bits, progress),
                           Interval(claim.epsilon.value(), bits), blurred && bits == kLastBlurredBits,
                           progress);
      },
      kFirstBits, blurred ? kLastBlurredBits : kLastBits);
  if (!decision) {
    throw Error(ErrorKind::kGuarantee, "the loss is too close to epsilon to be decided",
                "change epsilon a little");
  }
  const LossPeak& peak = decision->peak;
  Proof proof{decision->holds, peak.infinite, witness_at(claim, peak.prior, peak.pair, peak.output)};
  if (claim.is_joint()) {
    const auto place = static_cast<size_t>(peak.output);
    proof.witness.output = 0;
    proof.witness.point = std::holds_alternative<Swap>(mechanism)
                              ? claim.points[place]
                              : ProductGrid(claim, claim.priors[peak.prior]).point(place);
  }
  const Epsilon& budget = peak.budget ? *peak.budget : claim.epsilon;
  proof.witness.loss = proof.holds ? at_most(peak.upper, budget.value()) : peak.upper;
  return proof;
}

// By the first of these bounds that is at most epsilon: the least, which for the odds keeps whatever is
// promised.
Proof prove_by_distances(const Claim& claim, const JointNoise& noise) {
  const Epsilon budget = claim.least_budget();
  Proof proof{.holds = false, .witness = {}, .bounded = true};
  for (const auto bound_of : {range_bound, mean_bound}) {
    std::optional<DistanceBound> bound;
    const auto holds = decide_with_more_bits(
        [&](Bits bits) -> std::optional<bool> {
          bound = bound_of(claim, noise, bits);
          if (!bound || !bound->loss) return false;
          const Interval epsilon(budget.value(), bits);
          if (certainly_at_most(*bound->loss, epsilon)) return true;
          return certainly_less(epsilon, *bound->loss) ? std::optional(false) : std::nullopt;
        },
        kFirstBits, kLastBlurredBits);
    if (!bound) continue;
    proof.holds = holds == true;
    proof.infinite = !bound->loss;
    proof.witness = witness_at(claim, bound->prior, bound->pair, 0);
    const ProductGrid grid(claim, claim.priors[bound->prior]);
    for (const auto& atoms : grid.axes()) proof.witness.point.push_back(atoms.front());
    const double upper = bound->loss ? bound->loss->upper() : std::numeric_limits<double>::infinity();
    proof.witness.loss = proof.holds ? at_most(upper, budget.value()) : upper;
    if (proof.holds) break;
  }
  return proof;
}

Proof prove_with_delta(const Claim& claim, const BoxedLaws* boxed, const Mechanism& mechanism,
                       const Progress& progress) {
  const bool blurred = claim.blur() != 0;
  auto bounds = decide_with_more_bits(
      [&](Bits bits) -> std::optional<HockeyBounds> {
        HockeyBounds result =
            bound_hockey(claim, boxed, bounds_of(mechanism, bits, progress), &mechanism, bits, progress);
        if (!result.holds && blurred && bits == kLastBlurredBits) result.holds = false;
        return result.holds ? std::optional(result) : std::nullopt;
      },
      kFirstBits, blurred ? kLastBlurredBits : kLastBits);
  if (!bounds) {
    throw Error(ErrorKind::kGuarantee, "the hockey-stick is too close to delta to be decided",
                "change delta a little");
  }
  const HockeyPeak& peak = bounds->peak;
  Proof proof{*bounds->holds, false, witness_at(claim, peak.prior, peak.pair, peak.output)};
  proof.witness.delta = proof.holds ? at_most(peak.upper, claim.delta.value()) : peak.upper;
  return proof;
}

// Several columns have noise on each of them or trade places together, one column has noise of its own.
void check_columns_have_noise(const Claim& claim, const Mechanism& mechanism) {
  if (std::holds_alternative<Swap>(mechanism)) return;
  const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
  if ((joint ? joint->columns.size() : 0) != claim.axes.size())
    throw does_not_verify("the noise is not that of the scenario's columns");
  if (!joint) return;
  if (std::any_of(joint->columns.begin(), joint->columns.end(),
                  [](const Noise& column) { return column.reach() != 0; }))
    throw does_not_verify("the noise of several columns must be laplace");
  check_columns(claim, ErrorKind::kGuarantee);
}

// Every value of every prior must have a row.
void check_rows(const Claim& claim, const BoxedLaws* boxed, const Channel& channel) {
  auto check = [&](const auto& values) {
    if (!std::includes(channel.inputs.begin(), channel.inputs.end(), values.begin(), values.end()))
      throw does_not_verify("the channel has no row for a value that may occur");
  };
  if (boxed) check(boxed->domain);
  for (const Prior& prior : claim.priors) {
    for (const Distribution& secret : prior.by_secret) check(secret.atoms());
  }
}

// Every value of every prior must have a place in its stratum.
void check_points(const Claim& claim, const Swap& swap) {
  if (!claim.delta.is_zero()) throw does_not_verify("rows that trade places are proved without a delta");
  for (const Prior& prior : claim.priors) {
    const SwapStratum* stratum = swap.stratum(prior.known);
    if (!stratum) throw does_not_verify("a prior's stratum is missing");
    for (const Distribution& secret : prior.by_secret) {
      if (!std::includes(stratum->points.begin(), stratum->points.end(), secret.atoms().begin(),
                         secret.atoms().end()))
        throw does_not_verify("a value that may occur has no place");
    }
  }
}

// For every law that the counts allow: values that trade places as the channel that they are.
Mechanism as_table(const Claim& claim, const Swap& swap) {
  if (claim.is_joint() || swap.strata.size() != 1 || !swap.strata.front().known.empty())
    throw does_not_verify("with a confidence the values of one column trade places, and nothing is known");
  return as_channel(swap);
}

}  // namespace

Proof prove(const Claim& claim, const std::optional<BoxedLaws>& boxed, const Mechanism& mechanism,
            const Progress& progress) {
  const BoxedLaws* boxes = boxed ? &*boxed : nullptr;
  if (claim.has_boxes() != boxed.has_value())
    throw does_not_verify("laws that are known by bounds have boxes");
  check_promise(claim, ErrorKind::kGuarantee);
  if (!claim.is_plain() && claim.closeness && claim.closeness->by == Closeness::By::kBudget)
    throw does_not_verify("a smaller budget covers close beliefs where one epsilon is promised for the odds");
  check_columns_have_noise(claim, mechanism);
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) check_rows(claim, boxes, *channel);
  if (const Swap* swap = std::get_if<Swap>(&mechanism)) {
    check_points(claim, *swap);
    if (boxed) return prove(claim, boxed, as_table(claim, *swap), progress);
  }
  const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
  if (joint && boxed)
    throw does_not_verify("with noise on several columns only a smaller budget covers close beliefs");
  if (joint && !grid_is_small(claim)) return prove_by_distances(claim, *joint);
  return claim.delta.is_zero() ? prove_pure(claim, boxes, mechanism, progress)
                               : prove_with_delta(claim, boxes, mechanism, progress);
}

double at_most(double bound, const Rational& limit) {
  return std::min(bound, decimal_places(limit) ? static_cast<double>(limit) : round_up(limit));
}

}  // namespace fugu::inline in_proof
