// The odds on a released file by an event that was chosen on the file itself: on one half of its rows, and
// counted on the other. So faults that draws of the right mechanism do not show are seen too.
//
// The half that is tested has of every stratum, secret and true value half of the rows, whichever chance
// picks. Where their number is odd, half a row is missing: it is taken to have happened or not, whatever
// speaks for the release. So the other half's rows have together the secret's law, or less of what is looked
// for.
#pragma once

#include <optional>

#include "fugu/audit/audit.h"
#include "fugu/audit/original_rows.h"

namespace fugu::inline in_audit {

// The largest bound over the pairs with enough rows, both ways; all of them hold at once but for `error`.
// Nothing where no pair has. Precondition: the plan was made from the original's rows.
std::optional<Seen> bound_on_halves(const Plan& plan, const OriginalRows& original, const AuditedRows& rows,
                                    const Rational& error);

}  // namespace fugu::inline in_audit
