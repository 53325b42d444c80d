#include "fugu/verify/quilt.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/plan/model_place.h"
#include "fugu/verify/count_loss.h"
#include "fugu/verify/quilt_search.h"
#include "fugu/verify/stated.h"
#include "fugu/verify/transfer.h"

namespace fugu::inline in_verify {
namespace {

constexpr Bits kQuiltBits = 128;
constexpr double kMuch = 1e-4;  // a search may miss the best quilt by less

ModelProof proof_of(const ChainModel& model, const Budget& budget, double loss, const ChainPlace& place) {
  const Rational& limit = budget.epsilon.value();
  ModelProof proof{loss < std::numeric_limits<double>::infinity() && exact(loss) <= limit,
                   witness_at(model, place)};
  proof.witness.loss = proof.holds ? at_most(loss, limit) : loss;
  return proof;
}

// Every time may change with any one (docs/math.md, section 12).
ModelProof prove_group(const ChainModel& model, const Budget& budget, const Interval& cost) {
  const Rational& limit = budget.epsilon.value();
  const Interval loss = Interval(Integer(model.length), kQuiltBits) * cost;
  ModelProof proof = proof_of(model, budget, loss.upper(), {});
  proof.holds = certainly_at_most(loss, Interval(limit, kQuiltBits));
  if (proof.holds) proof.witness.loss = at_most(loss.upper(), limit);
  return proof;
}

bool is_bound(const ModelWitness& stated, double proved, const Budget& budget) {
  return !stated.delta && is_stated_bound(stated.loss, proved, budget.epsilon.value());
}

ModelProof prove_exact(const ChainModel& model, const Budget& budget, const Noise& noise,
                       const ModelWitness* stated, const Progress& progress) {
  const auto named = stated ? place_of(model, *stated) : std::nullopt;
  const CountLoss found = count_loss(model, noise.tail.value(), named, progress);
  ModelProof proof = proof_of(model, budget, found.loss, found.place);
  if (proof.holds && found.may_be_named && is_bound(*stated, found.loss, budget) &&
      found.loss >= *stated->loss * (1 - kMuch))
    proof.witness = *stated;
  return proof;
}

ModelProof prove_transfer(const ChainModel& model, const Budget& budget, const Noise& noise,
                          const ModelWitness* stated, const Progress& progress) {
  const auto named = stated ? place_of(model, *stated) : std::nullopt;
  const TransferLoss found = transfer_loss(model, odds_of_change(model, noise.tail.value()), named, progress);
  ModelProof proof = proof_of(model, budget, found.loss, found.place);
  if (proof.holds && named && is_bound(*stated, found.loss, budget) &&
      found.at_named >= *stated->loss * (1 - kMuch))
    proof.witness = *stated;
  return proof;
}

// With a stated loss it is enough that each time has a quilt that loses no more, and the named time none that
// loses much less.
ModelProof prove_quilts(const ChainModel& model, const Budget& budget, const std::string& method, double cost,
                        const ModelWitness* stated, const Progress& progress) {
  auto loss = [&](double known, const std::optional<ChainPlace>& named) {
    return method == "quilt" ? loss_by_quilts(model, cost, known, named, progress)
                             : loss_by_one_quilt(model, cost, named);
  };
  const auto named = stated ? place_of(model, *stated) : std::nullopt;
  if (named && stated->loss && *stated->loss > 0 && is_bound(*stated, *stated->loss, budget)) {
    const double known = std::min(*stated->loss, round_down(budget.epsilon.value()));
    const QuiltLossAt found = loss(known, named);
    if (found.loss <= known && found.at_named >= *stated->loss * (1 - kMuch)) return {true, *stated};
  }
  const QuiltLossAt found = loss(0, std::nullopt);
  return proof_of(model, budget, found.loss, found.place);
}

}  // namespace

Interval cost_of_one_state(const ChainModel& model, const Rational& tail_ratio, Bits precision) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (tail_ratio == 0) return Interval(kInfinite, kInfinite, precision);
  return Interval(Integer(model.steps_per_node()), precision) *
         log(Interval(Integer(1), precision) / Interval(tail_ratio, precision));
}

double quilt_loss(const ChainModel& model, double cost, const Progress& progress) {
  return loss_by_quilts(model, cost, 0, std::nullopt, progress).loss;
}

ModelProof prove_chain(const ChainModel& model, const Budget& budget, const std::string& method,
                       const Noise& noise, const ModelWitness* stated, const Progress& progress) {
  if (!budget.delta.is_zero()) {
    throw Error(ErrorKind::kData, fmt::format("the method {} proves no delta", method),
                "calibrate again, with epsilon alone");
  }
  if (noise.reach() != 0) {
    throw Error(ErrorKind::kData, "the noise of a chain's counts must be Laplace's",
                "the plan was changed; calibrate again");
  }
  if (method == "exact") return prove_exact(model, budget, noise, stated, progress);
  if (method == "transfer") return prove_transfer(model, budget, noise, stated, progress);
  const Interval cost = cost_of_one_state(model, noise.tail.value(), kQuiltBits);
  if (method == "group") return prove_group(model, budget, cost);
  if (method != "quilt" && method != "quilt-approx") {
    throw Error(ErrorKind::kData, fmt::format("a chain has no method {}", method),
                "use group, quilt-approx, quilt, transfer or exact");
  }
  return prove_quilts(model, budget, method, cost.upper(), stated, progress);
}

}  // namespace fugu::inline in_verify
