// Random scenarios for property tests: ragged supports, gaps, many secrets, several priors, pair lists.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::testing {

inline Epsilon epsilon_of(const std::string& text) { return Epsilon::parse(text, "test", ErrorKind::kData); }

// 1 to `most` atoms with counts 1 to `largest`, each of `values` taken or left at random.
inline Distribution random_distribution(const std::vector<int64_t>& values, uint64_t largest) {
  std::vector<int64_t> atoms;
  std::vector<uint64_t> counts;
  for (int64_t value : values) {
    if (!*rc::gen::weightedElement<bool>({{3, true}, {1, false}})) continue;
    atoms.push_back(value);
    counts.push_back(*rc::gen::inRange<uint64_t>(1, largest + 1));
  }
  if (atoms.empty()) {
    atoms.push_back(values[*rc::gen::inRange<size_t>(0, values.size())]);
    counts.push_back(1);
  }
  return Distribution::from_counts(std::move(atoms), std::move(counts));
}

// Up to `most` values; some neighbours, some gaps, now and then a wide one.
inline std::vector<int64_t> random_values(size_t most) {
  const auto count = *rc::gen::inRange<size_t>(1, most + 1);
  std::vector<int64_t> values{*rc::gen::inRange<int64_t>(-20, 20)};
  while (values.size() < count) {
    int64_t gap = *rc::gen::weightedElement<int64_t>({{8, 1}, {3, 2}, {1, 3}, {1, 17}});
    values.push_back(values.back() + gap);
  }
  return values;
}

inline Scenario random_scenario(size_t most_atoms = 40, size_t most_secrets = 5) {
  static const std::vector<std::string> kEpsilons = {"0.01", "0.1", "0.3", "0.5", "1", "1.7", "3", "1/3"};
  Scenario scenario{epsilon_of(kEpsilons[*rc::gen::inRange<size_t>(0, kEpsilons.size())])};
  static const std::vector<Rational> kSteps = {Rational(1), Rational(1, 4), Rational(1, 100), Rational(7)};
  scenario.lattice = Lattice{kSteps[*rc::gen::inRange<size_t>(0, kSteps.size())], Rational(0)};
  const auto secrets = *rc::gen::inRange<size_t>(2, most_secrets + 1);
  for (size_t s = 0; s < secrets; ++s) scenario.secrets.push_back("s" + std::to_string(s));
  const auto priors = *rc::gen::inRange<size_t>(1, 3);
  const auto largest = *rc::gen::element<uint64_t>(1, 3, 20, 1000);
  for (size_t p = 0; p < priors; ++p) {
    Prior prior{"prior " + std::to_string(p), {}};
    const auto values = random_values(most_atoms);
    for (size_t s = 0; s < secrets; ++s) prior.by_secret.push_back(random_distribution(values, largest));
    scenario.priors.push_back(std::move(prior));
  }
  if (*rc::gen::inRange(0, 3) == 0) {
    std::vector<SecretPair> pairs;
    for (const SecretPair& pair : PairSet::all().list(secrets)) {
      if (*rc::gen::inRange(0, 2) == 0) pairs.push_back(pair);
    }
    if (!pairs.empty()) scenario.pairs = PairSet::of(std::move(pairs));
  }
  return scenario;
}

// Few values, close together, under up to `most_priors` priors: brute force looks at every joint output.
inline Scenario small_scenario(size_t most_values, size_t most_priors) {
  Scenario scenario{epsilon_of("0.5")};
  const auto secrets = *rc::gen::inRange<size_t>(2, 4);
  for (size_t s = 0; s < secrets; ++s) scenario.secrets.push_back("s" + std::to_string(s));
  std::vector<int64_t> values{*rc::gen::inRange<int64_t>(-3, 3)};
  const auto count = *rc::gen::inRange<size_t>(2, most_values + 1);
  while (values.size() < count) values.push_back(values.back() + *rc::gen::element<int64_t>(1, 1, 2, 3));
  const auto priors = *rc::gen::inRange<size_t>(1, most_priors + 1);
  for (size_t p = 0; p < priors; ++p) {
    Prior prior{"p" + std::to_string(p), {}};
    for (size_t s = 0; s < secrets; ++s) prior.by_secret.push_back(random_distribution(values, 9));
    scenario.priors.push_back(std::move(prior));
  }
  return scenario;
}

}  // namespace fugu::testing
