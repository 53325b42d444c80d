// Small random Markov chains, with impossible steps and starts of their own.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/models/chain.h"

namespace fugu::testing {

inline std::vector<Rational> random_law(size_t states, int most) {
  std::vector<Rational> law;
  Rational sum(0);
  for (size_t x = 0; x < states; ++x) {
    law.emplace_back(*rc::gen::resize(100, rc::gen::inRange(0, most)));
    sum += law.back();
  }
  if (sum == 0) law.front() = sum = 1;
  for (Rational& mass : law) mass /= sum;
  return law;
}

inline MarkovChain random_chain(size_t states) {
  MarkovChain chain{"chain", {}, {}};
  const int most = *rc::gen::element(2, 5, 1000);
  for (size_t x = 0; x < states; ++x) chain.transition.push_back(random_law(states, most));
  try {
    stationary_law(chain.transition, "chain");
    if (*rc::gen::inRange(0, 2)) return chain;
  } catch (const Error&) {
  }
  chain.start = random_law(states, most);
  return chain;
}

inline ChainModel random_model(uint64_t longest) {
  const size_t states = *rc::gen::inRange<size_t>(2, 4);
  ChainModel model;
  for (size_t x = 0; x < states; ++x) model.states.push_back(std::to_string(x));
  const int chains = *rc::gen::inRange(1, 3);
  for (int k = 0; k < chains; ++k) model.chains.push_back(random_chain(states));
  model.length = *rc::gen::inRange<uint64_t>(1, longest + 1);
  model.counted = *rc::gen::inRange<size_t>(0, states);
  return model;
}

}  // namespace fugu::testing
