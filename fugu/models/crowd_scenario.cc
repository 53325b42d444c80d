#include "fugu/models/crowd_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fugu::inline in_models {
namespace {

using Masses = std::map<int64_t, Integer>;  // lattice index to weight, up to their sum

// A user's values with whole weights.
Masses weights_of(const CrowdUsers& users) {
  const Weights weights = Weights::in_proportion(users.masses);
  Masses result;
  for (size_t k = 0; k < users.values.size(); ++k) {
    if (users.masses[k] > 0) result[users.values[k]] += weights.at(k);
  }
  return result;
}

Masses sum_of(const Masses& a, const Masses& b) {
  Masses result;
  for (const auto& [x, p] : a) {
    for (const auto& [y, q] : b) result[x + y] += p * q;
  }
  return result;
}

Distribution shifted(const Masses& law, int64_t shift) {
  std::vector<int64_t> atoms;
  std::vector<Rational> masses;
  for (const auto& [x, p] : law) {
    atoms.push_back(x + shift);
    masses.emplace_back(p);
  }
  return Distribution::from_masses(atoms, masses);
}

PairSet pairs_of(CrowdPairs pairs, size_t letters) {
  std::vector<SecretPair> list;
  for (uint32_t a = 0; a < letters; ++a) {
    for (uint32_t b = a + 1; b <= letters; ++b) {
      const bool absent = b == letters;
      if (pairs == CrowdPairs::kBoth || absent == (pairs == CrowdPairs::kAbsent)) list.push_back({a, b});
    }
  }
  return pairs == CrowdPairs::kBoth ? PairSet::all() : PairSet::of(std::move(list));
}

Scenario empty_scenario(const std::vector<std::string>& letters, CrowdPairs pairs, const Budget& budget) {
  Scenario scenario{budget.epsilon, budget.delta};
  scenario.secrets = letters;
  scenario.secrets.emplace_back(kAbsentLetter);
  scenario.pairs = pairs_of(pairs, letters.size());
  return scenario;
}

void check_letters(const std::vector<Rational>& masses, const std::string& user) {
  if (std::any_of(masses.begin(), masses.end(), [](const Rational& mass) { return mass <= 0; })) {
    throw usage(fmt::format("{} cannot have every letter, and a scenario compares them all", user),
                "give every letter some probability; fugu model count handles such users without --expand");
  }
}

// The law of everyone outside [from, to) goes down; at a leaf it is that of all but one of a kind.
class ExactTree {
 public:
  ExactTree(const Crowd& crowd, Scenario& scenario) : crowd_(crowd), scenario_(scenario) {
    for (const CrowdUsers& users : crowd.users) weights_.push_back(weights_of(users));
  }

  void descend(size_t from, size_t to, const Masses& outside) {
    if (to - from == 1) return leaf(from, with(outside, from, crowd_.users[from].copies - 1));
    const size_t middle = from + (to - from) / 2;
    auto half = [&](size_t begin, size_t end, size_t others_begin, size_t others_end) {
      Masses law = outside;
      for (size_t k = others_begin; k < others_end; ++k) law = with(law, k, crowd_.users[k].copies);
      descend(begin, end, law);
    };
    half(from, middle, middle, to);
    half(middle, to, from, middle);
  }

 private:
  Masses with(Masses law, size_t kind, uint64_t copies) const {
    for (uint64_t copy = 0; copy < copies; ++copy) law = sum_of(law, weights_[kind]);
    return law;
  }

  void leaf(size_t kind, const Masses& others) {
    Prior prior{fmt::format("user{} {}", crowd_.users[kind].copies > 1 ? "s of kind" : "", kind + 1), {}};
    for (int64_t value : crowd_.users[kind].values) prior.by_secret.push_back(shifted(others, value));
    prior.by_secret.push_back(shifted(sum_of(others, weights_[kind]), 0));
    scenario_.priors.push_back(std::move(prior));
  }

  const Crowd& crowd_;
  Scenario& scenario_;
  std::vector<Masses> weights_;
};

}  // namespace

Scenario crowd_scenario(const Crowd& crowd, const Budget& budget) {
  if (crowd.size() > kMostExpanded) {
    throw usage(
        fmt::format("a scenario of {} users would be too large: at most {}", crowd.size(), kMostExpanded),
        "leave out --expand: fugu model count needs no scenario");
  }
  for (size_t k = 0; k < crowd.users.size(); ++k)
    check_letters(crowd.users[k].masses, fmt::format("user {}", k + 1));
  Scenario scenario = empty_scenario(crowd.letters, crowd.pairs, budget);
  scenario.lattice = crowd.lattice;
  ExactTree(crowd, scenario).descend(0, crowd.users.size(), Masses{{0, Integer(1)}});
  return scenario;
}

Scenario enumerate_query(const std::vector<std::vector<Rational>>& users,
                         const std::vector<std::string>& letters, const CrowdQuery& query, CrowdPairs pairs,
                         const Budget& budget) {
  if (users.empty() || letters.size() < 2) throw usage("a query needs a user and two letters", "give more");
  uint64_t combinations = 1;
  for (size_t i = 0; i < users.size(); ++i) {
    if (users[i].size() != letters.size())
      throw usage(fmt::format("user {} must have one mass for each letter", i + 1),
                  "give as many as letters");
    check_letters(users[i], fmt::format("user {}", i + 1));
    combinations *= letters.size();
    if (combinations > kMostCombinations) {
      throw usage(fmt::format("there are more than {} combinations of letters", kMostCombinations),
                  "give fewer users, or use a sum over them (Crowd)");
    }
  }
  // By user and letter, what the query says and with which mass the others make it say so.
  std::vector<std::vector<std::map<Rational, Rational>>> laws(
      users.size(), std::vector<std::map<Rational, Rational>>(letters.size() + 1));
  std::vector<size_t> chosen(users.size(), 0);
  for (uint64_t n = 0; n < combinations; ++n) {
    Rational mass(1);
    for (size_t i = 0; i < users.size(); ++i) mass *= users[i][chosen[i]];
    const Rational answer = query(chosen);
    for (size_t i = 0; i < users.size(); ++i) {
      laws[i][chosen[i]][answer] += mass / users[i][chosen[i]];
      laws[i][letters.size()][answer] += mass;
    }
    for (size_t i = 0; i < users.size() && ++chosen[i] == letters.size(); ++i) chosen[i] = 0;
  }
  std::vector<Rational> answers;
  for (const auto& [answer, mass] : laws[0].back()) answers.push_back(answer);
  Scenario scenario = empty_scenario(letters, pairs, budget);
  scenario.lattice = coarsest_lattice(answers);
  for (size_t i = 0; i < users.size(); ++i) {
    Prior prior{fmt::format("user {}", i + 1), {}};
    for (const auto& law : laws[i]) {
      std::vector<int64_t> atoms;
      std::vector<Rational> masses;
      for (const auto& [answer, mass] : law) {
        atoms.push_back(*scenario.lattice.index(answer));
        masses.push_back(mass);
      }
      prior.by_secret.push_back(Distribution::from_masses(atoms, masses));
    }
    scenario.priors.push_back(std::move(prior));
  }
  return scenario;
}

}  // namespace fugu::inline in_models
