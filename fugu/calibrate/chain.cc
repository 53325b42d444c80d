#include "fugu/calibrate/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>
#include <memory>

#include "fugu/calibrate/chain_law.h"
#include "fugu/calibrate/chain_loss.h"
#include "fugu/calibrate/quilt_loss.h"
#include "fugu/core/error.h"
#include "fugu/core/search.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/plan/model_place.h"
#include "fugu/verify/quilt.h"
#include "fugu/verify/stated.h"
#include "fugu/verify/transfer.h"
#include "fugu/verify/verify_model.h"

namespace fugu::inline in_calibrate {
namespace {

struct LossPlace {
  double loss = 0;
  ChainPlace place;
};
using Loss = std::function<LossPlace(const Noise&)>;  // falling in the scale

// A loss that answers for many scales: what takes long is done once.
Loss loss_of(const ChainModel& model, const std::string& method, const Progress& progress) {
  if (method == "exact") {
    auto laws = std::make_shared<ChainLoss>(model, progress);
    return [laws](const Noise& noise) {
      const ChainPeak peak = laws->at(noise.tail.value());
      return LossPlace{peak.loss, {peak.chain, peak.time, peak.states}};
    };
  }
  if (method == "transfer") {
    return [&model, progress](const Noise& noise) {
      const TransferLoss found =
          transfer_loss(model, odds_of_change(model, noise.tail.value()), std::nullopt, progress);
      return LossPlace{found.loss, found.place};
    };
  }
  auto cost = [&model](const Noise& noise) { return cost_of_one_state(model, noise.tail.value(), 128); };
  if (method == "group") {
    return [&model, cost](const Noise& noise) {
      return LossPlace{(Interval(Integer(model.length), 128) * cost(noise)).upper(), {}};
    };
  }
  std::shared_ptr<QuiltLoss> quilts =
      method == "quilt" ? best_quilts(model, progress) : one_quilt(model, progress);
  return [quilts, cost](const Noise& noise) {
    const QuiltPeak peak = quilts->at(cost(noise).upper());
    return LossPlace{peak.loss, {peak.chain, peak.time, peak.states}};
  };
}

// Where the loss crosses epsilon; only a guess. In 1 / scale the loss of a quilt is a straight line.
double crossing(const std::function<double(double)>& loss, double epsilon, double known) {
  auto excess = [&](double rate) { return std::min(loss(1 / rate) - epsilon, 1e6); };
  double low = 1 / known, high = 2 * low;
  while (excess(high) < 0) {
    low = high;
    high *= 2;
    if (high * known > 1e15) return 1 / low;
  }
  std::uintmax_t steps = 60;
  const auto [a, b] = boost::math::tools::toms748_solve(excess, low, high,
                                                        boost::math::tools::eps_tolerance<double>(48), steps);
  return 1 / a;
}

Scale least_scale(const ChainModel& model, const Budget& budget, const std::string& method, const Loss& loss,
                  const Progress& progress) {
  const Rational& epsilon = budget.epsilon.value();
  const double limit = round_down(epsilon);
  const Lattice lattice = model.lattice();
  if (loss(no_noise("laplace")).loss <= limit) return Scale{0};
  auto at = [&](double scale) {
    report(progress, 0.5, "searching the scale");
    return loss(Laplace().at(Scale{scale}, lattice, 0)).loss;
  };
  // What one changed state does to all suffices for every method; twice that, whatever is rounded.
  const double known =
      2 * round_up(Rational(lattice.step * model.steps_per_node() * Integer(model.length) / epsilon));
  const double guess = crossing(at, limit, known);
  // On long input the last digits are not worth a pass each; 44 bits are 6e-14, 36 are 2e-11.
  const bool many = method == "transfer" && model.states.size() > 2 && model.length > 1000;
  const int digits = many ? 36 : method == "exact" || model.length > 10000 ? 44 : 53;
  return Scale{smallest_accepted([&](double scale) { return at(scale) <= limit; }, guess, known, digits)};
}

}  // namespace

ModelPlan calibrate(const ChainModel& model, const Budget& budget, const std::string& method,
                    const Progress& progress) {
  const bool known = std::any_of(kChainMethods.begin(), kChainMethods.end(),
                                 [&](const ChainMethod& one) { return one.name == method; });
  if (!known) {
    throw usage(fmt::format("--method: a chain has no method '{}'", method),
                "use group, quilt-approx, quilt, transfer or exact");
  }
  if (!budget.delta.is_zero())
    throw usage("--delta: the methods for chains prove epsilon alone", "leave out --delta");
  if (const auto why = ChainLaw::infeasible(model); why && method == "exact")
    throw usage("--method exact: " + *why, "use --method transfer");
  ModelPlan plan{model, budget, method, {}, 0, {}, {}, {}};
  const Loss loss = loss_of(model, method, progress);
  Scale scale = least_scale(model, budget, method, loss, progress);
  for (double more = 0x1p-48;; more *= 8) {
    plan.noise = scale.value == 0 ? no_noise("laplace") : Laplace().at(scale, model.lattice(), 0);
    const LossPlace found = loss(plan.noise);
    plan.witness = witness_at(model, found.place);
    plan.witness.loss = at_most(found.loss, budget.epsilon.value());
    // What the search says is stated where the verifier bears it out.
    const ModelProof proof = prove(plan.model, budget, method, plan.noise, &plan.witness, progress);
    plan.witness = proof.witness;
    if (proof.holds) break;
    if (scale.value == 0 || more > 1)
      throw Error(ErrorKind::kBug, "a calibrated scale was refused", "please report this");
    scale.value *= 1 + more;
  }
  plan.mse = mean_square_error(plan.model, plan.noise);
  plan.assumptions = assumptions_of(plan.model);
  return plan;
}

}  // namespace fugu::inline in_calibrate
