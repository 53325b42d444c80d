// The laws of a sum over rows, given how many of them have the secret (docs/math.md, section 12).
#pragma once

#include <cstdint>

#include "fugu/law/claim.h"
#include "fugu/models/rate.h"

namespace fugu::inline in_verify {

// One row: a secret for each of the model's, all pairs. Precondition: no histogram.
Claim claim_of_row(const RateModel& model, const Epsilon& epsilon);

// So many rows: the secrets are the numbers of rows with the second secret, from 0 on, as exact laws of the
// sum; the pairs are those at most `within` apart. Preconditions: two secrets, no histogram, rows >= 1.
Claim claim_of_rows(const RateModel& model, const Epsilon& epsilon, uint64_t rows, uint64_t within);

// Whether such a claim is small enough to be looked at.
bool rows_are_few(const RateModel& model, uint64_t rows, uint64_t within);

// How many rows the method "part" looks at, one of which changes: as many as are few, at least 1.
uint64_t rows_of_part(const RateModel& model);

}  // namespace fugu::inline in_verify
