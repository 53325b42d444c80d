// Laws known within a blur, and true laws within it, for property tests.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::testing {

// The same masses, each known within a factor 1 - relative and 1 + relative.
inline Distribution blurred(const Distribution& law, const Rational& relative) {
  std::vector<Rational> masses;
  for (size_t k = 0; k < law.size(); ++k) masses.push_back(law.mass(k));
  return Distribution::from_bounds({law.atoms().begin(), law.atoms().end()}, masses, relative);
}

// Some distributions blurred, more or less.
inline Scenario random_blurred(Scenario scenario) {
  static const std::vector<Rational> kBlurs = {Rational(0), Rational(1, Integer(1) << 40), Rational(1, 1000),
                                               Rational(1, 10)};
  for (Prior& prior : scenario.priors) {
    for (Distribution& law : prior.by_secret)
      law = blurred(law, kBlurs[*rc::gen::inRange<size_t>(0, kBlurs.size())]);
  }
  return scenario;
}

// A law whose masses sum to 1 and are within the blur: some atoms up, the others down, as far as they go.
// With `corner` below 1, less far.
inline Distribution law_within(const Distribution& law, const Rational& corner) {
  std::vector<bool> is_up;
  Rational up(0), down(0);
  for (size_t k = 0; k < law.size(); ++k) {
    is_up.push_back(*rc::gen::arbitrary<bool>());
    (is_up.back() ? up : down) += law.mass(k);
  }
  std::vector<Rational> masses;
  const Rational moved = law.blur() * corner * std::min(up, down);
  for (size_t k = 0; k < law.size(); ++k) {
    Rational mass = law.mass(k);
    if (moved != 0) mass *= is_up[k] ? Rational(1 + moved / up) : Rational(1 - moved / down);
    masses.push_back(mass);
  }
  return Distribution::from_masses({law.atoms().begin(), law.atoms().end()}, masses);
}

inline Scenario scenario_within(Scenario scenario) {
  const Rational corner = *rc::gen::element(Rational(1), Rational(1), Rational(1, 3));
  for (Prior& prior : scenario.priors) {
    for (Distribution& law : prior.by_secret) law = law_within(law, corner);
  }
  return scenario;
}

}  // namespace fugu::testing
