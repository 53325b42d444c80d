#include "fugu/calibrate/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>
#include <memory>

#include "fugu/core/error.h"
#include "fugu/core/search.h"
#include "fugu/mechanism/laplace.h"
#include "fugu/models/chain_law.h"
#include "fugu/verify/chain_loss.h"
#include "fugu/verify/quilt_loss.h"
#include "fugu/verify/verify_model.h"

namespace fugu {
namespace {

using Loss = std::function<double(const Noise&)>;  // falling in the scale

// A loss that answers for many scales: what takes long is done once.
Loss loss_of(const ChainModel& model, const std::string& method, const Progress& progress) {
  if (method == "exact") {
    auto laws = std::make_shared<ChainLoss>(model, progress);
    return [laws](const Noise& noise) { return laws->at(noise.tail.value()).loss; };
  }
  auto cost = [&model](const Noise& noise) { return cost_of_one_state(model, noise.tail.value(), 128); };
  if (method == "group") {
    return [&model, cost](const Noise& noise) {
      return (Interval(Integer(model.length), 128) * cost(noise)).upper();
    };
  }
  std::shared_ptr<QuiltLoss> quilts =
      method == "quilt" ? best_quilts(model, progress) : one_quilt(model, progress);
  return [quilts, cost](const Noise& noise) { return quilts->at(cost(noise).upper()).loss; };
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

Scale least_scale(const ChainModel& model, const Budget& budget, const std::string& method,
                  const Progress& progress) {
  const Rational& epsilon = budget.epsilon.value();
  const double limit = round_down(epsilon);
  const Lattice lattice = model.lattice();
  const Loss loss = loss_of(model, method, progress);
  if (loss(no_noise("laplace")) <= limit) return Scale{0};
  auto at = [&](double scale) {
    report(progress, 0.5, "searching the scale");
    return loss(Laplace().at(Scale{scale}, lattice, 0));
  };
  // What one changed state does to all suffices for every method; twice that, whatever is rounded.
  const double known =
      2 * round_up(Rational(lattice.step * model.steps_per_node() * Integer(model.length) / epsilon));
  const double guess = crossing(at, limit, known);
  // On long input the last digits are not worth a pass each; 44 bits are 6e-14.
  const int digits = method == "exact" || model.length > 10000 ? 44 : 53;
  return Scale{smallest_accepted([&](double scale) { return at(scale) <= limit; }, guess, known, digits)};
}

}  // namespace

std::string best_chain_method(const ChainModel& model) {
  return ChainLaw::infeasible(model) ? "quilt" : "exact";
}

ModelPlan calibrate(const ChainModel& model, const Budget& budget, const std::string& method,
                    const Progress& progress) {
  const bool known = std::any_of(kChainMethods.begin(), kChainMethods.end(),
                                 [&](const ChainMethod& one) { return one.name == method; });
  if (!known) {
    throw usage(fmt::format("--method: a chain has no method '{}'", method),
                "use group, quilt, quilt-approx or exact");
  }
  if (!budget.delta.is_zero())
    throw usage("--delta: the methods for chains prove epsilon alone", "leave out --delta");
  if (const auto why = ChainLaw::infeasible(model); why && method == "exact")
    throw usage("--method exact: " + *why, "use --method quilt");
  ModelPlan plan{model, budget, method, {}, 0, {}, {}, {}};
  const Scale scale = least_scale(model, budget, method, progress);
  plan.noise = scale.value == 0 ? no_noise("laplace") : Laplace().at(scale, model.lattice(), 0);
  const ModelProof proof = prove(plan.model, budget, method, plan.noise, progress);
  if (!proof.holds) throw Error(ErrorKind::kBug, "a calibrated scale was refused", "please report this");
  plan.mse = mean_square_error(plan.model, plan.noise);
  plan.witness = proof.witness;
  plan.assumptions = assumptions_of(plan.model);
  return plan;
}

}  // namespace fugu
