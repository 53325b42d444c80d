// Further beliefs beside what a table says of itself: somebody may think that its columns have nothing to do
// with each other, or trust its frequencies less where they are small (docs/math.md, section 16).
//
// Each is a belief about the rows that occur among the same people, and gives no mass to any other row.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_scenario {

struct Belief {
  enum Kind {
    kIndependent,  // given the secret the columns are independent: the product of their margins
    kSmoothed,     // every row that occurs, under every secret, counts by `more` more
  } kind = kIndependent;
  Rational more{0};  // > 0 where it is smoothed
  friend bool operator==(const Belief&, const Belief&) = default;

  // As people ask for it: "independent", "smoothed:0.5"; and as priors are named: "smoothed by 0.5".
  std::string text() const;
  std::string name() const;
};

// What such a text says; nullopt where it says nothing.
std::optional<Belief> belief_named(std::string_view text);

// The priors of the beliefs that the source names, one of each for everybody whom the table speaks of by
// itself (own_priors()), with their known texts. Preconditions: every text of source->also is a belief; the
// masses of own_priors() are exact; the columns are several where one is independent.
std::vector<Prior> further_priors(const Scenario& scenario);

}  // namespace fugu::inline in_scenario
