// What several releases about one model promise together (docs/math.md, sections 10 and 12).
#pragma once

#include <vector>

#include "fugu/compose/compose.h"
#include "fugu/core/progress.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_compose {

// Counts, shares and histograms of one Markov chain: what a state passes on to the next only looks at the
// noise. So whatever the plans' methods, the costs of a changed state add, and what states say of each other
// is paid once (bound "transfer", never above that of quilts). Releases may be chosen one after another. One
// sum over one crowd, released several times by Lemma 2: the losses add (bound "lemma2"). Releases
// about one rate of one table: what their noise costs adds, whatever the laws are (bound "group").
// Precondition: every plan verifies. Error (guarantee) when the plans are not of one model, or rest on the
// others' randomness. A single plan's is its own.
Composition compose(const std::vector<ModelPlan>& plans, const Progress& progress = {});

}  // namespace fugu::inline in_compose
