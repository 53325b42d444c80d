// What several releases about one model promise together (docs/math.md, sections 10 and 12).
#pragma once

#include <vector>

#include "fugu/compose/compose.h"
#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_compose {

// Counts, shares and histograms of one Markov chain: a quilt only looks at the noise, so whatever the plans'
// methods, its influence is paid once and the costs of a near state add (bound "quilt"). One sum over one
// crowd, released several times by Lemma 2: the losses add (bound "lemma2"). Precondition: every plan
// verifies. Error (guarantee) when the plans are not of one model, or rest on the others' randomness. A
// single plan's is its own.
Composition compose(const std::vector<ModelPlan>& plans, const Progress& progress = {});

}  // namespace fugu::inline in_compose
