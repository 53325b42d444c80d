#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>
#include <optional>

#include "fugu/calibrate/grid_loss.h"
#include "fugu/calibrate/hockey_guess.h"
#include "fugu/calibrate/laplace_loss.h"
#include "fugu/calibrate/methods.h"
#include "fugu/calibrate/scan.h"
#include "fugu/calibrate/shape_loss.h"
#include "fugu/core/search.h"
#include "fugu/proof/hockey.h"
#include "fugu/proof/loss.h"
#include "fugu/scenario/domain.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_calibrate {
namespace {

// Ideal Laplace noise: bounds of r = exp(-step/theta) itself, not of the dyadic that is drawn, so that what
// is decided speaks of the scale.
NoiseBounds ideal_laplace(const Task& task, Scale scale, Bits bits) {
  const Interval one(Integer(1), bits);
  Interval r = exp(task.family.log_weight(task.scenario.lattice.step, scale, bits));
  Interval total = (one + r) / (one - r);
  return {{one}, std::move(r), std::move(total)};
}

// Does it attain the budget of that claim, which is the task's or a part of it? Where digits run out the
// answer is no.
bool attains(const Task& task, const Claim& scenario, const BoxedLaws* boxed, Scale scale, Bits first) {
  auto decision = decide_with_more_bits(
      [&](Bits bits) -> std::optional<bool> {
        const NoiseBounds noise = ideal_laplace(task, scale, bits);
        if (!scenario.delta.is_zero())
          return bound_hockey(scenario, boxed, noise, nullptr, bits, task.progress).holds;
        auto loss = decide_loss(scenario, boxed, noise, Interval(scenario.epsilon.value(), bits), false,
                                task.progress);
        return loss ? std::optional(loss->holds) : std::nullopt;
      },
      first, scenario.blur() == 0 ? 8 * first : 2 * first);
  return decision.value_or(false);
}

// Where a falling measure of the scale crosses `limit`: in logarithms, uncertified.
double crossing(const std::function<double(Scale)>& measure, double limit, double known,
                const Progress& progress) {
  auto excess = [&](double log_scale) {
    report(progress, 0.5, "searching the scale");
    return std::clamp(std::log(measure(Scale{std::exp(log_scale)}) / limit), -50.0, 50.0);
  };
  double high = std::log(known), low = high - std::log(2.0);
  if (excess(high) >= 0) return known;
  while (excess(low) < 0) {
    high = low;
    low -= std::log(2.0);
    if (std::log(known) - low > 100) return std::exp(low);
  }
  std::uintmax_t steps = 60;
  auto [a, b] = boost::math::tools::toms748_solve(excess, low, high,
                                                  boost::math::tools::eps_tolerance<double>(51), steps);
  return std::exp((a + b) / 2);
}

// What a claim says of some of its pairs.
Claim part_of(const Claim& claim, const std::vector<SecretPair>& pairs) {
  std::vector<uint32_t> secrets;
  for (auto [a, b] : pairs) secrets.insert(secrets.end(), {a, b});
  std::sort(secrets.begin(), secrets.end());
  secrets.erase(std::unique(secrets.begin(), secrets.end()), secrets.end());
  Claim part{.epsilon = claim.epsilon, .delta = claim.delta, .lattice = claim.lattice};
  for (uint32_t s : secrets) part.secrets.push_back(claim.secrets[s]);
  for (const Prior& prior : claim.priors) {
    Prior& some = part.priors.emplace_back(Prior{prior.name, {}});
    for (uint32_t s : secrets) some.by_secret.push_back(prior.by_secret[s]);
  }
  auto place = [&](uint32_t secret) {
    return static_cast<uint32_t>(std::lower_bound(secrets.begin(), secrets.end(), secret) - secrets.begin());
  };
  std::vector<SecretPair> list;
  for (auto [a, b] : pairs) list.emplace_back(place(a), place(b));
  part.pairs = PairSet::of(std::move(list));
  return part;
}

Bits bits_for(const Scenario& scenario) {
  // A hockey-stick is a difference: a small delta needs as many digits more.
  return scenario.delta.is_zero()
             ? 128
             : 128 + static_cast<Bits>(-std::log2(static_cast<double>(scenario.delta.value())));
}

// On large input the last digits are not worth a certified pass each; 38 bits are 4e-12.
int digits_for(size_t cells) { return cells < 100000 ? 53 : 38; }

// With delta every pair has a sum of its own. Doubles say which come near delta, and only these are decided
// with certainty: the least scale for all of them is that of the worst.
Scale exact_by_suspects(const Task& task, const HockeyGuess& guess, size_t cells, double known) {
  const auto delta = static_cast<double>(task.scenario.delta.value());
  std::vector<SecretPair> suspects;
  auto is_new = [&](const SecretPair& pair) {
    return std::find(suspects.begin(), suspects.end(), pair) == suspects.end();
  };
  double scale = known;
  for (auto worst = guess.worst(Scale{scale}); is_new(worst.pair); worst = guess.worst(Scale{scale})) {
    suspects.push_back(worst.pair);
    scale = crossing([&](Scale at) { return guess.at(suspects, at); }, delta, known, task.progress);
  }
  for (;;) {
    const Claim part = part_of(task.scenario, suspects);
    scale = smallest_accepted(
        [&](double value) {
          report(task.progress, 0.9, "proving the scale");
          return attains(task, part, nullptr, Scale{value}, bits_for(task.scenario));
        },
        scale, known, digits_for(cells));
    const size_t before = suspects.size();
    std::vector<SecretPair> near = guess.near_delta(Scale{scale});
    std::erase_if(near, [&](const SecretPair& pair) { return !is_new(pair); });
    suspects.insert(suspects.end(), near.begin(), near.end());
    if (suspects.size() == before) return Scale{scale};
  }
}

// The loss and the hockey-stick of Laplace noise fall as the scale grows (docs/math.md, section 5), so the
// least scale is where they cross: guessed in doubles, then decided with certainty around the guess.
Scale exact_laplace(const Task& task) {
  const Scenario& scenario = task.scenario;
  const LaplaceLoss loss(scenario);
  const std::optional<BoxedLaws> boxes = boxes_if_any(scenario);
  const BoxedLaws* boxed = boxes ? &*boxes : nullptr;
  const bool pure = scenario.delta.is_zero();
  // The harmonic scale suffices and is the closer start; over very many pairs Theorem 1's costs far less.
  const bool few = static_cast<double>(scenario.pair_count()) * static_cast<double>(loss.cells()) < 2e7;
  const Scenario plain = plain_scenario(scenario);
  const Task odds{plain, task.family, task.progress, task.farthest, task.optimum};
  const Scale known = few ? harmonic_scale(odds) : kantorovich_scale(odds);
  if (HockeyGuess::serves(scenario))
    return exact_by_suspects(task, HockeyGuess(scenario), loss.cells(), known.value);
  const Bits bits = bits_for(scenario);
  auto measure = [&](Scale scale) {
    if (pure) return loss.at(scale);
    return bound_hockey(scenario, boxed, ideal_laplace(task, scale, bits), nullptr, bits, task.progress)
        .peak.upper;
  };
  const double limit = static_cast<double>(pure ? scenario.epsilon.value() : scenario.delta.value());
  const double guess = crossing(measure, limit, known.value, task.progress);
  return Scale{smallest_accepted(
      [&](double value) {
        report(task.progress, 0.9, "proving the scale");
        return attains(task, scenario, boxed, Scale{value}, bits);
      },
      guess, known.value, digits_for(loss.cells()))};
}

// The same over every law that the counts allow: the worst of falling losses falls.
Scale robust_laplace(const Task& task) {
  const ShapeLoss loss(task);
  const Scale known = sensitivity_scale(task);
  const double guess =
      crossing([&](Scale scale) { return loss.over_budget(scale); }, 1, known.value, task.progress);
  return Scale{smallest_accepted(
      [&](double value) {
        report(task.progress, 0.9, "proving the scale");
        return prove(task.scenario, task.drawn(Scale{value}), task.progress).holds;
      },
      guess, known.value, 44)};
}

// Several columns: each coordinate's noise at a larger scale is that at a smaller one with more added, so the
// loss falls here too (docs/math.md, section 11).
Scale joint_laplace_scale(const Task& task) {
  const GridLoss loss(task.scenario);
  const Scale known = sensitivity_scale(task);
  const auto limit = static_cast<double>(task.scenario.epsilon.value());
  const double guess =
      crossing([&](Scale scale) { return loss.at(scale); }, limit, known.value, task.progress);
  return Scale{smallest_accepted(
      [&](double value) {
        report(task.progress, 0.9, "proving the scale");
        return prove(task.scenario, task.released(Scale{value}), task.progress).holds;
      },
      guess, known.value, loss.cells() < 100000 ? 44 : 38)};
}

// Whether no noise is needed. Where one pair that is far from it says no, the others are not asked.
bool needs_none(const Task& task) {
  const Mechanism none = task.released(Scale{0});
  if (HockeyGuess::serves(task.scenario)) {
    const HockeyGuess guess(task.scenario);
    const auto worst = guess.worst(Scale{0});
    if (guess.is_above(worst) &&
        !prove(part_of(task.scenario, {worst.pair}), std::nullopt, none, task.progress).holds)
      return false;
  }
  return prove(task.scenario, none, task.progress).holds;
}

}  // namespace

Scale exact_scale(const Task& task) {
  if (needs_none(task)) return Scale{0};
  if (task.scenario.is_joint()) return joint_laplace_scale(task);
  if (task.scenario.has_boxes() && task.family.name() == "laplace") return robust_laplace(task);
  return task.family.name() == "laplace" ? exact_laplace(task) : scan_for_least_scale(task);
}

}  // namespace fugu::inline in_calibrate
