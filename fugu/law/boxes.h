// Laws known by bounds: what the counts of a table say about the frequencies behind it, and what beliefs are
// close to a law (docs/math.md, section 9).
//
// What may go wrong, 1 - C, is shared alike by the laws (prior, secret). With boxes every value of the
// domain, which was fixed beforehand, gets a Clopper-Pearson interval at its part of its law's share, rounded
// outward and certified. A band bounds the masses up to each value, all at once, whatever values there are.
// With both each has half. With probability at least C all bounds hold the truth at once, for draws as the
// claim says that they were made. Where groups of given columns are priors, half of 1 - C is for them and
// half for the others: how many groups are large enough depends on the same people.
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

// By how much the share of the people up to any value, all values at once, may be off with probability at
// most `wrong`, for independent draws (Dvoretzky, Kiefer, Wolfowitz; Massart's constant): rounded up.
double band_width(uint64_t total, const Rational& wrong);

// The laws of every prior and secret over one domain. Those of a table are never none: its own frequencies
// are within all bounds.
struct BoxedLaws {
  std::vector<int64_t> domain;                           // increasing
  std::vector<std::vector<std::vector<MassBox>>> boxes;  // by prior, secret, place in the domain
  // Of the masses up to each place, that one included; empty where nothing is known of them.
  std::vector<std::vector<std::vector<MassBox>>> bands = {};
  // Null where nothing is known of them.
  const std::vector<MassBox>* band(size_t prior, size_t secret) const {
    return bands.empty() ? nullptr : &bands[prior][secret];
  }
};

// Error of the given kind where the people of a table are more than the population that they are a part of.
void check_population(const Claim& claim, ErrorKind kind);

// `domain` holds every value that can occur. Where beliefs close to the laws are covered by boxes, each is
// wider by the factor e^lambda both ways: a box of such beliefs. Precondition: the claim has boxes. Error
// (data) when there is a confidence and its masses are not counts below 2^53, or the people are more than
// their population; error (guarantee) when a value lies outside the domain.
BoxedLaws boxes_of(const Claim& claim, std::vector<int64_t> domain);

}  // namespace fugu::inline in_law
