// The least noise for the counts of a Markov chain's states, by one of five methods (docs/math.md, section
// 12).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fugu/core/progress.h"
#include "fugu/law/budget.h"
#include "fugu/models/chain.h"
#include "fugu/plan/model_plan.h"

namespace fugu::inline in_calibrate {

struct ChainMethod {
  std::string_view name, title;
};
// From the baseline to the tightest.
inline constexpr std::array kChainMethods{
    ChainMethod{"group", "every time may change with any one"},
    ChainMethod{"quilt-approx", "one Markov quilt for all times"},
    ChainMethod{"quilt", "the best Markov quilt of each time"},
    ChainMethod{"transfer", "what each state passes on to the next"},
    ChainMethod{"exact", "the exact law of the count"},
};

// The one that is used where none is named: it serves every length, a count and a histogram, and composes.
inline constexpr std::string_view kUsualChainMethod = "transfer";

// The least scale that prove() accepts; the plan that comes back verifies. Error (usage) for an unknown
// method, a delta, or the exact method where it is not feasible.
ModelPlan calibrate(const ChainModel& model, const Budget& budget, const std::string& method,
                    const Progress& progress = {});

}  // namespace fugu::inline in_calibrate
