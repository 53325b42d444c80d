// How beliefs close to the priors are covered: by boxes, or by a smaller budget under the priors themselves
// (docs/math.md, section 9).
#pragma once

#include <vector>

#include "fugu/calibrate/methods.h"

namespace fugu::inline in_calibrate {

// Whether a question with a closeness does not say yet how it is to be covered.
bool closeness_is_open(const Scenario& scenario);

// The question as it can be proved: by boxes where method, noise and size allow it, which without a delta
// never needs more noise; else, and with a delta besides, by a smaller budget. Never empty. Error (usage)
// where boxes do not do and the closeness leaves nothing of epsilon.
std::vector<Scenario> readings_of(const Task& task, const Method& method);

}  // namespace fugu::inline in_calibrate
