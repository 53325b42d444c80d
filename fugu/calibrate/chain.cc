#include "fugu/calibrate/chain.h"

#include <fmt/format.h>

#include <algorithm>
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

Error usage(std::string message, std::string hint) {
  return Error(ErrorKind::kUsage, std::move(message), std::move(hint));
}

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

// Where the loss crosses epsilon, by bisection of the scale's logarithm; only a guess.
double crossing(const std::function<double(double)>& loss, double epsilon, double known) {
  double high = std::log(known), low = high;
  do {
    low -= 1;
  } while (loss(std::exp(low)) <= epsilon && low > -30);
  high = std::min(high, low + 1);
  // The loss is nearly a straight line in 1 / scale: false position in that, held by bisection.
  double at_low = loss(std::exp(low)), at_high = loss(std::exp(high));
  for (int k = 0; k < 60 && high - low > 1e-15 * std::fabs(high); ++k) {
    const double a = std::exp(-low), b = std::exp(-high);
    double middle = -std::log(b + (a - b) * (epsilon - at_high) / (at_low - at_high));
    if (k % 3 == 2 || !(middle > low && middle < high)) middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    const double here = loss(std::exp(middle));
    if (here <= epsilon) {
      high = middle;
      at_high = here;
    } else {
      low = middle;
      at_low = here;
    }
  }
  return std::exp(high);
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
