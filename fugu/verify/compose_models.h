// What several releases about one model promise together (docs/math.md, sections 10 and 12).
#pragma once

#include <vector>

#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"
#include "fugu/verify/compose.h"

namespace fugu {

// Counts, shares and histograms of one Markov chain: a quilt only looks at the noise, so whatever the plans'
// methods, its influence is paid once and the costs of a near state add (bound "quilt"). Several sums over
// one crowd have no such bound yet. Precondition: every plan verifies. Error (guarantee) when the plans are
// not of one chain model. A single plan's is its own.
Composition compose(const std::vector<ModelPlan>& plans, const Progress& progress = {});

}  // namespace fugu
