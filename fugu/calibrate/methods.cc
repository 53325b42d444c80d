#include "fugu/calibrate/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "fugu/calibrate/boxed_circulation.h"
#include "fugu/core/error.h"
#include "fugu/mechanism/joint_laplace.h"
#include "fugu/plan/publishable.h"
#include "fugu/proof/distance_bounds.h"
#include "fugu/proof/grid_kernel.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr std::array kMethods{
    Method{"sensitivity", "range of the values", sensitivity_scale,
           kCosts | kGaussian | kRobust | kJoint | kAdds | kLimits},
    Method{"theorem3a", "the paper's Theorem 3 (a)", theorem3a_scale, kGaussian | kAdds},
    Method{"theorem3b", "the paper's Theorem 3 (b)", theorem3b_scale, kGaussian | kAdds},
    Method{"kantorovich", "the paper's Theorem 1", kantorovich_scale, kCosts | kGaussian | kJoint | kAdds},
    Method{"relaxed", "the paper's Theorem 2", relaxed_scale, kCosts | kGaussian | kAdds},
    Method{"harmonic", "Theorem 2, sharpened", harmonic_scale, kCosts | kAdds},
    Method{"sharp", "least noise that composes", sharp_scale, kLaplace | kRobust},
    Method{"exact", "least noise of the family", exact_scale,
           kCosts | kGaussian | kRobust | kJoint | kLimits},
};
constexpr std::array kOptima{
    Method{"optimal", "symmetric noise of least error", nullptr, kRobust | kLimits, optimal_noise},
    Method{"channel", "least error on these outputs", nullptr, kRobust | kLimits, optimal_channel},
    Method{"swap", "values trade places, frequencies stay", nullptr, kRobust | kJoint | kLimits,
           optimal_swap},
};
constexpr std::array kBaselines{
    Method{"dp-laplace", "baseline: local differential privacy, Laplace", dp_laplace_scale,
           kRobust | kBaseline | kAdds | kLimits},
    Method{"randomized-response", "baseline: local differential privacy, randomized response", nullptr,
           kRobust | kBaseline | kAdds | kLimits, randomized_response},
};

// Of numbers that are no end of the clip: whether fewer people have one than may be told.
bool has_values_of_few(const Scenario& scenario) {
  std::set<int64_t> values;
  for (const Prior* own : scenario.own_priors()) {
    for (int64_t atom : union_support(own->by_secret)) values.insert(atom);
  }
  if (const auto clip = clip_range(scenario.shape(0), scenario.lattice)) {
    values.erase(clip->first);
    values.erase(clip->second);
  }
  const std::vector<Integer> people = scenario.people({values.begin(), values.end()});
  return std::any_of(people.begin(), people.end(),
                     [](const Integer& count) { return count > 0 && count < kPublishMin; });
}

bool has_weights_by_spread(const Scenario& scenario) {
  const std::vector<Rational> usual = weights_by_spread(scenario);
  return std::equal(usual.begin(), usual.end(), scenario.axes.begin(), scenario.axes.end(),
                    [](const Rational& weight, const Axis& axis) { return weight == axis.weight; });
}

DefaultMethod default_with_confidence(const Scenario& scenario) {
  const bool categories = !scenario.is_joint() && scenario.shape(0).is_categorical();
  if (!categories || scenario.source->clamp || scenario.source->weight)
    return {"exact", "with a confidence it is the least noise"};
  if (scenario.source->has_strata())
    return {"exact", "with a confidence values trade places only where no columns are known"};
  const std::vector<int64_t> values = scenario.own_support();
  if (values.size() != scenario.shape(0).labels.size())
    return {"exact", "with a confidence values trade places only where all that can occur do"};
  if (!fits_boxed_circulation(values.size(), scenario.secrets.size() * scenario.priors.size()))
    return {"exact", "with a confidence these are too many values to trade places"};
  return {"swap", "categories trade places"};
}

}  // namespace

Mechanism Task::released(Scale scale) const {
  if (!scenario.is_joint()) return drawn(scale);
  std::vector<Lattice> lattices;
  std::vector<Rational> weights;
  for (const Axis& axis : scenario.axes) {
    lattices.push_back(axis.lattice);
    weights.push_back(axis.weight);
  }
  return joint_laplace(scale, lattices, weights);
}

void check_columns_served(const Scenario& scenario, const NoiseFamily& family) {
  if (!scenario.is_joint()) return;
  if (family.name() != "laplace") {
    throw Error(ErrorKind::kUsage, fmt::format("--noise: {} noise is for one column", family.name()),
                "with several columns use --noise laplace");
  }
  check_columns(scenario, ErrorKind::kUsage);
}

void check_columns_served(const Scenario& scenario, const Method& method) {
  if (!scenario.is_joint()) return;
  const bool bags = scenario.rows_per_person() > 1;
  if (bags && method.name == "swap") {
    throw Error(ErrorKind::kUsage, "--method: swap is for one row per person",
                "leave out --rows-per-person, or use one of exact, harmonic, sensitivity");
  }
  if (bags && method.name == "harmonic") {
    if (has_mean_bound(scenario)) return;
    throw Error(ErrorKind::kUsage, "--method: harmonic looks at every two people, and there are too many",
                "use sensitivity, or give a coarser --step or --bin");
  }
  if (bags && method.name == "sensitivity") return;
  if (bags && !method.makes_mechanism() && !grid_is_small(scenario)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--method: the rows of a person have too many combinations of values for {}",
                            method.name),
                "use harmonic or sensitivity, take fewer --rows-per-person, or give a coarser --step or "
                "--bin");
  }
  if (!method.is(kJoint)) {
    throw Error(ErrorKind::kUsage, fmt::format("--method: {} is for one column", method.name),
                bags ? "with several rows of a person use one of exact, harmonic, kantorovich, sensitivity"
                     : "with several columns use one of swap, exact, kantorovich, sensitivity");
  }
  if (!method.makes_mechanism()) check_grid(scenario);
}

std::vector<Method> methods_for(const NoiseFamily& family) {
  std::vector<Method> result;
  for (Method method : kMethods) {
    if (!method.serves(family)) continue;
    if (!family.has_cost_bound() && method.name == "kantorovich")
      method.title = "transport distance, analytic";
    if (!family.has_cost_bound() && method.name == "relaxed") method.title = "transport plan, analytic";
    // Only of Laplace is it known that the loss falls as the scale grows: others are scanned (scan.h).
    if (family.name() != "laplace" && method.name == "exact") method.title = "least found of the family";
    result.push_back(method);
  }
  return result;
}

std::vector<Method> optimum_methods() { return {kOptima.begin(), kOptima.end()}; }

std::vector<Method> baseline_methods() { return {kBaselines.begin(), kBaselines.end()}; }

namespace {

// Of bags of rows: what is least, of what can be looked at.
DefaultMethod default_of_bags(const Scenario& scenario) {
  if (grid_is_small(scenario)) return {"exact", "it is the least noise for the rows of a person together"};
  return has_mean_bound(scenario)
             ? DefaultMethod{"harmonic",
                             "the rows of a person have too many combinations of values to look at each"}
             : DefaultMethod{"sensitivity",
                             "the rows of a person have too many combinations of values, and "
                             "there are too many people, to look at each"};
}

}  // namespace

bool serves_joint(const Method& method, const Scenario& scenario) {
  return method.is(kJoint) || (scenario.rows_per_person() > 1 && method.name == "harmonic");
}

DefaultMethod default_method(const Scenario& scenario) {
  if (scenario.rows_per_person() > 1) return default_of_bags(scenario);
  if (!scenario.source) return {"exact", "a scenario by itself has no rows that could trade places"};
  if (!scenario.delta.is_zero()) return {"exact", "with a delta it is the least noise"};
  if (!scenario.is_plain() && (scenario.confidence || scenario.closeness))
    return {"exact",
            "with a confidence or a closeness it keeps budgets of their own, and promises in belief"};
  if (scenario.confidence) return default_with_confidence(scenario);
  if (scenario.source->weight) return {"exact", "rows have weights"};
  if (scenario.has_laws() || scenario.blur() != 0) return {"exact", "a law that a model states has no rows"};
  size_t values = 0;
  for (const Prior* own : scenario.own_priors()) {
    const std::vector<int64_t> atoms = union_support(own->by_secret);
    values = std::max(values, atoms.size());
    for (const Prior& prior : scenario.priors) {
      if (prior.known != own->known) continue;
      const std::vector<int64_t> others = union_support(prior.by_secret);
      if (!std::includes(atoms.begin(), atoms.end(), others.begin(), others.end()))
        return {"exact", "a prior has values that do not occur in the table"};
    }
  }
  if (scenario.source->clamp) return {"exact", "--range is for noise"};
  if (scenario.is_joint() && !has_weights_by_spread(scenario))
    return {"exact", "--noise-shares is for noise"};
  if (scenario.is_joint()) return {"swap", "several columns trade places as whole rows"};
  if (scenario.shape(0).is_categorical()) return {"swap", "categories trade places"};
  if (has_values_of_few(scenario))
    return {"exact",
            "few people have some of the numbers, and numbers that trade places are released unchanged"};
  const size_t laws = scenario.secrets.size() * scenario.priors.size();
  const bool small =
      values <= kMostSwapWork && laws <= kMostSwapWork && values * values * laws <= kMostSwapWork;
  return small ? DefaultMethod{"swap", "the numbers are few enough to trade places"}
               : DefaultMethod{"exact", "the numbers are too many to trade places"};
}

Method method_named(std::string_view name, const NoiseFamily& family) {
  std::vector<Method> serving = methods_for(family);
  // These make their own noise or channel: they go with the family that is used when none is named.
  if (family.name() == "laplace") {
    serving.insert(serving.end(), kOptima.begin(), kOptima.end());
    serving.insert(serving.end(), kBaselines.begin(), kBaselines.end());
  }
  std::string known;
  for (const Method& method : serving) {
    if (method.name == name) return method;
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  }
  auto is_it = [&](const Method& method) { return method.name == name; };
  const bool exists = std::any_of(kMethods.begin(), kMethods.end(), is_it) ||
                      std::any_of(kOptima.begin(), kOptima.end(), is_it) ||
                      std::any_of(kBaselines.begin(), kBaselines.end(), is_it);
  throw Error(ErrorKind::kUsage,
              exists ? fmt::format("--method: {} does not work for {} noise", name, family.name())
                     : fmt::format("--method: there is no method '{}'", name),
              "use one of " + known);
}

}  // namespace fugu::inline in_calibrate
