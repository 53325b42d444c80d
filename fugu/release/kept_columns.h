// Which columns may go along with a release under the plan's promise.
#pragma once

#include <string>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_release {

// All columns that the plan was calibrated against, or none: it covers whoever knows all of them, and this
// says nothing about whoever knows some. `names` are as Source has them. Error (usage), naming --keep: other
// columns, not all of them, or groups that were too small to be covered.
void check_keeps_given(const Source& source, const std::vector<std::string>& names);

// What whoever releases other columns along (--keep-unprotected) is told, by the columns' names; empty where
// there are none. `person` is the column that the plan tells people by, where it does.
std::string unprotected_warning(const std::vector<std::string>& names, const std::string& person = "");

}  // namespace fugu::inline in_release
