#include "fugu/calibrate/pure_gaussian.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "fugu/core/error.h"

namespace fugu::inline in_calibrate {
namespace {

// log sum mass e^(lambda x), x in steps from `origin`; relative to the largest term.
double log_transform(const Distribution& law, const std::vector<double>& masses, int64_t origin,
                     double lambda) {
  double anchor = -HUGE_VAL, sum = 0;
  auto term = [&](size_t k) {
    return std::log(masses[k]) + lambda * static_cast<double>(law.atoms()[k] - origin);
  };
  for (size_t k = 0; k < law.size(); ++k) anchor = std::max(anchor, term(k));
  for (size_t k = 0; k < law.size(); ++k) sum += std::exp(term(k) - anchor);
  return anchor + std::log(sum);
}

double least_for_pair(const Distribution& p, const Distribution& q) {
  if (p.atoms().front() != q.atoms().front() || p.atoms().back() != q.atoms().back()) return HUGE_VAL;
  const auto p_masses = p.approximate_masses(), q_masses = q.approximate_masses();
  double worst = std::max(std::fabs(std::log(p_masses.front() / q_masses.front())),
                          std::fabs(std::log(p_masses.back() / q_masses.back())));
  for (int64_t origin : {p.atoms().front(), p.atoms().back()}) {
    const double sign = origin == p.atoms().front() ? -1 : 1;
    auto gap = [&](double log_lambda) {
      const double lambda = sign * std::exp(log_lambda);
      return -std::fabs(log_transform(p, p_masses, origin, lambda) -
                        log_transform(q, q_masses, origin, lambda));
    };
    // lambda from where it is felt over the whole span to where only the outermost atom is left.
    const double span = static_cast<double>(p.atoms().back() - p.atoms().front()) + 1;
    const double low = std::log(1e-3 / span), high = std::log(50.0), width = 0.02;
    double best = low;
    for (int k = 1; low + k * width <= high; ++k) {
      if (const double at = low + k * width; gap(at) < gap(best)) best = at;
    }
    worst =
        std::max(worst, -boost::math::tools::brent_find_minima(gap, best - width, best + width, 40).second);
  }
  return worst * (1 + 1e-9);
}

}  // namespace

double least_pure_epsilon(const Scenario& scenario) {
  double worst = 0;
  for (const Prior& prior : scenario.priors) {
    for (auto [a, b] : scenario.pairs.list(scenario.secrets.size())) {
      worst = std::max(worst, least_for_pair(prior.by_secret[a], prior.by_secret[b]));
    }
  }
  return worst;
}

void require_attainable(const Scenario& scenario) {
  const double least = least_pure_epsilon(scenario);
  if (static_cast<double>(scenario.epsilon.value()) > least) return;
  if (std::isinf(least)) {
    throw Error(ErrorKind::kGuarantee,
                "Gaussian noise attains no epsilon here with delta 0: the lowest or highest values of two "
                "secrets differ",
                "give --delta, for example --delta 1e-6, or use --noise laplace");
  }
  // The least that it attains follows from how many people have the outermost values, and errors are logged.
  throw Error(ErrorKind::kGuarantee,
              fmt::format("Gaussian noise attains epsilon {} with delta 0 for no scale: the outermost values "
                          "of two secrets are too unlike",
                          scenario.epsilon.text()),
              "raise --epsilon, give --delta, or use --noise laplace");
}

}  // namespace fugu::inline in_calibrate
