#include "fugu/law/distribution.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "fugu/core/error.h"

namespace fugu::inline in_law {

Distribution Distribution::from_masses(const std::vector<int64_t>& atoms,
                                       const std::vector<Rational>& masses) {
  const bool apart = std::adjacent_find(atoms.begin(), atoms.end(), std::greater_equal<>()) == atoms.end();
  if (apart && std::find(masses.begin(), masses.end(), 0) == masses.end())
    return Distribution(atoms, Weights::in_proportion(masses));
  std::map<int64_t, Rational> sums;
  for (size_t k = 0; k < atoms.size(); ++k) {
    if (masses[k] != 0) sums[atoms[k]] += masses[k];
  }
  std::vector<int64_t> kept;
  std::vector<Rational> values;
  for (auto& [atom, mass] : sums) {
    kept.push_back(atom);
    values.push_back(std::move(mass));
  }
  return Distribution(std::move(kept), Weights::in_proportion(values));
}

Distribution Distribution::from_counts(std::vector<int64_t> atoms, std::vector<uint64_t> counts) {
  size_t kept = 0;
  for (size_t k = 0; k < atoms.size(); ++k) {
    if (counts[k] == 0) continue;
    atoms[kept] = atoms[k];
    counts[kept++] = counts[k];
  }
  atoms.resize(kept);
  counts.resize(kept);
  return Distribution(std::move(atoms), Weights(std::move(counts)));
}

Distribution Distribution::from_bounds(const std::vector<int64_t>& atoms,
                                       const std::vector<Rational>& nominal, const Rational& relative) {
  if (relative < 0 || relative >= 1 ||
      std::any_of(nominal.begin(), nominal.end(), [](const Rational& mass) { return mass <= 0; })) {
    throw Error(ErrorKind::kData, "a mass that is known by bounds may be zero",
                "leave out the value, or know its mass better");
  }
  const Rational sum = std::accumulate(nominal.begin(), nominal.end(), Rational(0));
  const Rational off = abs(Rational(sum - 1)), spread = relative * sum;
  if (off > spread) {
    throw Error(ErrorKind::kData, "masses that are known by bounds cannot sum to 1",
                "give the masses of every value");
  }
  // true / (nominal / sum) is within sum (1 - relative) and sum (1 + relative).
  const Rational blur = off + spread;
  const Rational rounded = blur == 0 ? blur : exact(round_up(blur));
  if (rounded >= 1) {
    throw Error(ErrorKind::kData, "masses that are known by bounds are known too badly",
                "know them better than by a factor of 2");
  }
  return Distribution(atoms, Weights::in_proportion(nominal), rounded);
}

std::vector<double> Distribution::approximate_masses() const {
  std::vector<double> result;
  result.reserve(size());
  if (weights_.is_small()) {
    const auto whole = static_cast<double>(static_cast<uint64_t>(total()));
    for (uint64_t weight : weights_.small()) result.push_back(static_cast<double>(weight) / whole);
  } else {
    for (size_t k = 0; k < size(); ++k) result.push_back(static_cast<double>(mass(k)));
  }
  return result;
}

std::vector<int64_t> union_support(std::span<const Distribution> distributions) {
  std::vector<int64_t> result;
  std::vector<int64_t> merged;
  for (const Distribution& distribution : distributions) {
    auto atoms = distribution.atoms();
    if (std::includes(result.begin(), result.end(), atoms.begin(), atoms.end())) continue;
    merged.clear();
    std::set_union(result.begin(), result.end(), atoms.begin(), atoms.end(), std::back_inserter(merged));
    result.swap(merged);
  }
  return result;
}

}  // namespace fugu::inline in_law
