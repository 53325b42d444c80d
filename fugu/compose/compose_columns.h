// Releases of more than one column: of several columns at once, and of one column after another.
#pragma once

#include <vector>

#include "fugu/compose/compose.h"

namespace fugu::inline in_compose {

// Gives plans of several columns at once one list of points, so that their laws can be compared.
// Precondition: each is of several columns, and they are the same ones.
void share_points(std::vector<Plan>& plans);

// Every bound of several releases of the same several columns (docs/math.md, section 17). Precondition: the
// scenario has every belief. Error (guarantee) where rows trade places in one of them.
std::vector<Composition> joint_bounds(const Scenario& scenario, const std::vector<Plan>& plans);

// Whether all plans release the same value, as far as they say.
bool of_one_value(const std::vector<Plan>& plans);

// Bounds of releases of other columns, for one question of secrets. Plans of one value make a set; one set
// counts by its own bounds, each other by its range, which adds to anything (section 10). Error (guarantee)
// of check_same_value() where that leaves no bound, where the plans hide different secrets, and where one
// column is shaped in two ways, unless one of the two hides the values themselves. `asked` as in
// sound_bounds().
std::vector<Composition> bounds_across(const std::vector<Plan>& plans,
                                       const std::optional<Rational>& asked = std::nullopt,
                                       Beliefs beliefs = Beliefs::kSame);

}  // namespace fugu::inline in_compose
