#include "fugu/verify/rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/proof/loss.h"
#include "fugu/proof/prove.h"
#include "fugu/proof/refusals.h"
#include "fugu/verify/rate_laws.h"
#include "fugu/verify/rate_sticks.h"

namespace fugu::inline in_verify {
namespace {

// What one change of the secret says, and how many such changes there may be.
struct RateLoss {
  bool holds = false;
  double upper = std::numeric_limits<double>::infinity();  // of one change, rounded up
  std::pair<size_t, size_t> pair{0, 1};                    // secrets, or numbers of rows
};

// Whether as many changes as there may be stay within epsilon.
std::optional<bool> is_within(const Interval& loss, const Rational& epsilon) {
  const Interval limit(epsilon, loss.precision());
  if (certainly_at_most(loss, limit)) return true;
  return certainly_less(limit, loss) ? std::optional(false) : std::nullopt;
}

// ---- group ----

RateLoss group_loss(const RateModel& model, const Rational& each, const Noise& noise) {
  if (model.steps_per_row() == 0) return {true, 0, {0, 1}};
  if (noise.is_none()) return {};
  RateLoss result;
  const auto holds = decide_with_more_bits([&](Bits bits) {
    const Interval one(Integer(1), bits);
    const Interval loss =
        log(one / Interval(noise.tail.value(), bits)) * Interval(Integer(model.steps_per_row()), bits);
    result.upper = std::max(0.0, loss.upper());
    return is_within(loss, each);
  });
  result.holds = holds.value_or(false);
  return result;
}

// ---- one row in a histogram ----

// The largest ratio of two secrets' masses over all outputs is that of a set A of categories whose cells lie
// high: (r^2 + (1 - r^2) p(A)) / (r^2 + (1 - r^2) q(A)). Where L is a ratio, the set of all categories with
// p > L q gains most over L; when that is nothing, no set has more than L. Absent: infinite.
std::optional<Rational> largest_odds(const std::vector<Rational>& p, const std::vector<Rational>& q,
                                     const Rational& ratio) {
  const Rational square(ratio * ratio), rest(1 - square);
  const Rational share_p(rest / std::accumulate(p.begin(), p.end(), Rational(0))),
      share_q(rest / std::accumulate(q.begin(), q.end(), Rational(0)));
  for (Rational worst(1);;) {
    Rational over(square), under(square);
    for (size_t k = 0; k < p.size(); ++k) {
      const Rational in_p(share_p * p[k]), in_q(share_q * q[k]);
      if (in_p <= worst * in_q) continue;
      over += in_p;
      under += in_q;
    }
    if (over <= worst * under) return worst;
    if (under == 0) return std::nullopt;
    worst = over / under;
  }
}

RateLoss histogram_loss(const RateModel& model, const Rational& each, const Noise& noise) {
  Rational worst(1);
  RateLoss result;
  for (size_t a = 0; a < model.laws.size(); ++a) {
    for (size_t b = 0; b < model.laws.size(); ++b) {
      if (a == b) continue;
      const auto odds = largest_odds(model.laws[a], model.laws[b], noise.tail.value());
      if (!odds) return {false, std::numeric_limits<double>::infinity(), {a, b}};
      if (*odds <= worst) continue;
      worst = *odds;
      result.pair = {a, b};
    }
  }
  const auto holds = decide_with_more_bits([&](Bits bits) {
    const Interval loss = log(Interval(worst, bits));
    result.upper = std::max(0.0, loss.upper());
    return is_within(loss, each);
  });
  result.holds = holds.value_or(false);
  return result;
}

// ---- sums ----

RateLoss claim_loss(const Claim& claim, const Rational& each, const Noise& noise, const Progress& progress) {
  const Mechanism mechanism(noise);
  const auto decision = decide_with_more_bits([&](Bits bits) {
    return decide_loss(claim, nullptr, bounds_of(mechanism, bits, progress), Interval(each, bits), false,
                       progress);
  });
  if (!decision) return {};
  const LossPeak& peak = decision->peak;
  const double upper = peak.infinite ? std::numeric_limits<double>::infinity() : std::max(0.0, peak.upper);
  return {decision->holds, upper, {peak.pair.first, peak.pair.second}};
}

// ---- the witness ----

ModelWitness secrets_witness(const RateModel& model, const RateLoss& loss) {
  return {model.within == 1 ? "one row" : fmt::format("{} rows alike", model.within),
          {model.secrets[loss.pair.first], model.secrets[loss.pair.second]},
          {},
          {}};
}

std::string rate_words(const RateModel& model, uint64_t rows) {
  return fmt::format("{} of {} rows {}", rows, model.rows, model.secrets[1]);
}

// w times the loss of one change, rounded up.
double of_changes(uint64_t changes, double loss) {
  return std::isfinite(loss) ? round_up(Rational(exact(loss) * changes)) : loss;
}

ModelProof pure_proof(const Budget& budget, const RateLoss& loss, uint64_t changes, ModelWitness witness) {
  ModelProof proof{loss.holds, std::move(witness)};
  if (!proof.holds) return proof;
  if (budget.delta.is_zero()) {
    proof.witness.loss = at_most(of_changes(changes, loss.upper), budget.epsilon.value());
  } else {
    proof.witness.delta = 0;
  }
  return proof;
}

Error does_not_serve(const std::string& method, const std::string& why) {
  return Error(ErrorKind::kData, fmt::format("the method '{}' does not work for this: {}", method, why),
               "use the method rows");
}

void check_method(const RateModel& model, const Budget& budget, const std::string& method) {
  if (method == "group" || method == "rows") return;
  if (method != "part" && method != "exact")
    throw Error(ErrorKind::kData, fmt::format("rates have no method '{}'", method),
                "use group, rows, part or exact");
  if (model.is_histogram()) throw does_not_serve(method, "it is about counts and sums");
  if (model.secrets.size() != 2) throw does_not_serve(method, "the secret has more than two values");
  if (method == "part") {
    if (!budget.delta.is_zero()) throw does_not_serve(method, "it proves no delta");
    if (rows_of_part(model) < 2) throw does_not_serve(method, "there are too few rows or too many values");
    return;
  }
  const bool few =
      budget.delta.is_zero() ? rows_are_few(model, model.rows, model.within) : RateSticks::are_few(model);
  if (!few) throw does_not_serve(method, "there are too many rows or values");
}

ModelProof prove_sticks(const RateModel& model, const Budget& budget, const Noise& noise,
                        const Progress& progress) {
  const RatePeak peak = RateSticks(model, budget, progress).peak(noise);
  ModelProof proof{
      exact(peak.upper) <= budget.delta.value(),
      {"all rows", {rate_words(model, peak.pair.first), rate_words(model, peak.pair.second)}, {}, {}}};
  proof.witness.delta = peak.upper;
  return proof;
}

}  // namespace

ModelProof prove_rate(const RateModel& model, const Budget& budget, const std::string& method,
                      const Noise& noise, const Progress& progress) {
  check_method(model, budget, method);
  if (noise.reach() != 0) throw does_not_verify("the noise of a rate must be laplace");
  if (method == "exact" && !budget.delta.is_zero()) return prove_sticks(model, budget, noise, progress);

  const Rational each(budget.epsilon.value() / model.within);
  if (method == "group") {
    const RateLoss loss = group_loss(model, each, noise);
    return pure_proof(budget, loss, model.within, secrets_witness(model, loss));
  }
  if (method == "rows") {
    const RateLoss loss = model.is_histogram()
                              ? histogram_loss(model, each, noise)
                              : claim_loss(claim_of_row(model, budget.epsilon), each, noise, progress);
    return pure_proof(budget, loss, model.within, secrets_witness(model, loss));
  }
  if (method == "part") {
    const RateLoss loss =
        claim_loss(claim_of_rows(model, budget.epsilon, rows_of_part(model), 1), each, noise, progress);
    return pure_proof(budget, loss, model.within, secrets_witness(model, {true, 0, {0, 1}}));
  }
  const RateLoss loss = claim_loss(claim_of_rows(model, budget.epsilon, model.rows, model.within),
                                   budget.epsilon.value(), noise, progress);
  return pure_proof(
      budget, loss, 1,
      {"all rows", {rate_words(model, loss.pair.first), rate_words(model, loss.pair.second)}, {}, {}});
}

}  // namespace fugu::inline in_verify
