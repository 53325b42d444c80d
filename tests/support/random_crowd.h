// Small random crowds, and what they say by definition: every combination of letters, in exact rationals.
#pragma once

#include <rapidcheck.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fugu/models/crowd.h"
#include "fugu/scenario/scenario.h"
#include "tests/support/random_scenario.h"

namespace fugu::testing {

inline Budget budget_of(const std::string& epsilon, const std::string& delta = "0") {
  return {epsilon_of(epsilon), Delta::parse(delta, "test", ErrorKind::kData)};
}

inline Crowd crowd_of(const std::vector<std::vector<Rational>>& masses, const std::vector<int64_t>& values,
                      CrowdPairs pairs = CrowdPairs::kBoth) {
  Crowd crowd;
  crowd.pairs = pairs;
  for (size_t k = 0; k < values.size(); ++k) crowd.letters.push_back("l" + std::to_string(k));
  for (const auto& user : masses) crowd.users.push_back({user, values, 1});
  crowd.users = gather(std::move(crowd.users));
  return crowd;
}

// Up to `most` users of two or three letters; now and then a letter that some cannot have, users that are
// alike, values of their own.
inline Crowd random_crowd(size_t most) {
  Crowd crowd;
  crowd.lattice.step = *rc::gen::element(Rational(1), Rational(1, 4), Rational(3));
  crowd.pairs = *rc::gen::element(CrowdPairs::kBoth, CrowdPairs::kValues, CrowdPairs::kAbsent);
  const auto letters = *rc::gen::inRange<size_t>(2, 4);
  for (size_t k = 0; k < letters; ++k) crowd.letters.push_back("l" + std::to_string(k));
  auto values = [&] {
    std::vector<int64_t> result;
    for (size_t k = 0; k < letters; ++k) result.push_back(*rc::gen::element<int64_t>(0, 1, 1, 2, 3, -1, -2));
    return result;
  };
  const auto shared = values();
  const bool own_values = *rc::gen::inRange(0, 3) == 0;
  const auto users = *rc::gen::inRange<size_t>(1, most + 1);
  for (size_t i = 0; i < users; ++i) {
    CrowdUsers user;
    user.values = own_values ? values() : shared;
    for (size_t k = 0; k < letters; ++k)
      user.masses.emplace_back(*rc::gen::weightedElement<int>({{1, 0}, {3, 1}, {3, 2}, {3, 5}, {1, 1000}}));
    user.masses[*rc::gen::inRange<size_t>(0, letters)] = 3;
    crowd.users.push_back(std::move(user));
  }
  crowd.users = gather(std::move(crowd.users));
  return crowd;
}

// The law of the sum when so many users of one kind join, by definition.
using ExactLaw = std::map<int64_t, Rational>;
inline ExactLaw exact_sum(ExactLaw law, const CrowdUsers& users, uint64_t copies) {
  Rational total(0);
  for (const Rational& mass : users.masses) total += mass;
  for (uint64_t copy = 0; copy < copies; ++copy) {
    ExactLaw next;
    for (const auto& [x, p] : law) {
      for (size_t k = 0; k < users.values.size(); ++k) {
        if (users.masses[k] > 0) next[x + users.values[k]] += p * users.masses[k] / total;
      }
    }
    law = std::move(next);
  }
  return law;
}

// The laws of the sum for each kind of user, given each letter that it can have and given its absence, and
// the pairs to be compared.
struct UserLaws {
  Prior prior;
  PairSet pairs = PairSet::all();
  size_t kind = 0;
};
inline std::vector<UserLaws> enumerated(const Crowd& crowd) {
  std::vector<size_t> kinds;  // of each user
  for (size_t k = 0; k < crowd.users.size(); ++k) kinds.insert(kinds.end(), crowd.users[k].copies, k);
  std::vector<UserLaws> result;
  for (size_t kind = 0; kind < crowd.users.size(); ++kind) {
    size_t user = 0;  // the first of that kind
    while (kinds[user] != kind) ++user;
    std::vector<std::map<int64_t, Rational>> laws(crowd.letters.size() + 1);
    std::vector<size_t> chosen(kinds.size(), 0);
    for (bool more = true; more;) {
      Rational others(1);
      int64_t sum = 0;
      for (size_t i = 0; i < kinds.size(); ++i) {
        if (i != user) others *= crowd.users[kinds[i]].masses[chosen[i]];
        sum += crowd.users[kinds[i]].values[chosen[i]];
      }
      laws[chosen[user]][sum] += others;
      laws.back()[sum] += others * crowd.users[kind].masses[chosen[user]];
      more = false;
      for (size_t i = 0; i < kinds.size() && !more; ++i) {
        more = ++chosen[i] < crowd.letters.size();
        if (!more) chosen[i] = 0;
      }
    }
    UserLaws laws_of_user{{"user", {}}, PairSet::all(), kind};
    for (size_t k = 0; k < laws.size(); ++k) {
      if (k < crowd.letters.size() && crowd.users[kind].masses[k] == 0) continue;
      std::vector<int64_t> atoms;
      std::vector<Rational> masses;
      for (const auto& [x, mass] : laws[k]) {
        atoms.push_back(x);
        masses.push_back(mass);
      }
      laws_of_user.prior.by_secret.push_back(Distribution::from_masses(atoms, masses));
    }
    const auto absent = static_cast<uint32_t>(laws_of_user.prior.by_secret.size() - 1);
    std::vector<SecretPair> pairs;
    for (uint32_t a = 0; a <= absent; ++a) {
      for (uint32_t b = a + 1; b <= absent; ++b) {
        if (crowd.pairs == CrowdPairs::kBoth || (b == absent) == (crowd.pairs == CrowdPairs::kAbsent))
          pairs.push_back({a, b});
      }
    }
    if (pairs.empty()) continue;  // a user with one letter only, whose values are compared
    laws_of_user.pairs = PairSet::of(std::move(pairs));
    result.push_back(std::move(laws_of_user));
  }
  return result;
}

}  // namespace fugu::testing
