#include "fugu/verify/quilt.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/verify/chain_loss.h"
#include "fugu/verify/quilt_loss.h"
#include "fugu/verify/stated.h"

namespace fugu {
namespace {

constexpr Bits kQuiltBits = 128;

std::string place_of(const ChainModel& model, size_t chain, uint64_t time) {
  const std::string when = time == 0 ? "every time" : fmt::format("time {}", time);
  return model.chains.size() == 1 ? when : fmt::format("{} of {}", when, model.chains[chain].name);
}

ModelProof proof_of(const ChainModel& model, const Budget& budget, double loss, size_t chain, uint64_t time,
                    std::pair<size_t, size_t> states) {
  const Rational& limit = budget.epsilon.value();
  ModelProof proof;
  proof.holds = loss < std::numeric_limits<double>::infinity() && exact(loss) <= limit;
  proof.witness = {place_of(model, chain, time),
                   {model.states[std::min(states.first, states.second)],
                    model.states[std::max(states.first, states.second)]},
                   proof.holds ? at_most(loss, limit) : loss,
                   std::nullopt};
  return proof;
}

// Every time may change with any one (docs/math.md, section 12).
ModelProof prove_group(const ChainModel& model, const Budget& budget, const Interval& cost) {
  const Rational& limit = budget.epsilon.value();
  const Interval loss = Interval(Integer(model.length), kQuiltBits) * cost;
  ModelProof proof = proof_of(model, budget, loss.upper(), 0, 0, {0, 1});
  proof.holds = certainly_at_most(loss, Interval(limit, kQuiltBits));
  if (proof.holds) proof.witness.loss = at_most(loss.upper(), limit);
  return proof;
}

ModelProof prove_exact(const ChainModel& model, const Budget& budget, const Noise& noise,
                       const Progress& progress) {
  const ChainLoss loss(model, progress);
  const ChainPeak peak = loss.at(noise.tail.value());
  return proof_of(model, budget, peak.loss, peak.chain, peak.time, peak.states);
}

}  // namespace

ModelProof prove_chain(const ChainModel& model, const Budget& budget, const std::string& method,
                       const Noise& noise, const Progress& progress) {
  if (!budget.delta.is_zero()) {
    throw Error(ErrorKind::kData, fmt::format("the method {} proves no delta", method),
                "calibrate again, with epsilon alone");
  }
  if (noise.reach() != 0) {
    throw Error(ErrorKind::kData, "the noise of a chain's counts must be Laplace's",
                "the plan was changed; calibrate again");
  }
  if (method == "exact") return prove_exact(model, budget, noise, progress);
  const Interval cost = cost_of_one_state(model, noise.tail.value(), kQuiltBits);
  if (method == "group") return prove_group(model, budget, cost);
  if (method != "quilt" && method != "quilt-approx") {
    throw Error(ErrorKind::kData, fmt::format("a chain has no method {}", method),
                "use group, quilt, quilt-approx or exact");
  }
  const auto quilts = method == "quilt" ? best_quilts(model, progress) : one_quilt(model, progress);
  const QuiltPeak peak = quilts->at(cost.upper());
  return proof_of(model, budget, peak.loss, peak.chain, peak.time, peak.states);
}

}  // namespace fugu
