// Laws known by bounds: what the counts of a table say about the frequencies behind it (docs/math.md, section
// 9).
//
// With confidence C every cell (prior, secret, value of the domain, which was fixed beforehand) gets a
// Clopper-Pearson interval at level 1 - (1 - C) / cells, rounded outward and certified. With probability at
// least C all of them hold the truth at once, for independent draws. Where groups of given columns are
// priors, half of 1 - C is for their cells and half for the others': how many groups are large enough
// depends on the same people.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/core/interval.h"
#include "fugu/core/number.h"
#include "fugu/law/claim.h"

namespace fugu::inline in_law {

// 0 <= low <= mass <= high <= 1; these very doubles.
struct MassBox {
  double low = 0, high = 1;
};

// The box of a count among `total`, each side wrong with probability at most `tail`.
// Preconditions: count <= total, 0 < total, 0 < tail < 1/2.
MassBox clopper_pearson(uint64_t count, uint64_t total, const Rational& tail);

// An upper bound of P(Binomial(total, chance) >= count). Precondition: 0 < chance < count / total.
Interval binomial_upper_tail(uint64_t count, uint64_t total, const Rational& chance, Bits precision);

// The laws of every prior and secret over one domain.
struct BoxedLaws {
  std::vector<int64_t> domain;                           // increasing
  std::vector<std::vector<std::vector<MassBox>>> boxes;  // by prior, secret, place in the domain
};

// `domain` holds every value that can occur. Precondition: the claim has a confidence. Error (data) when its
// masses are not counts below 2^53.
BoxedLaws boxes_of(const Claim& claim, std::vector<int64_t> domain);

}  // namespace fugu::inline in_law
