// Which of fugu's JSON files one is, by its keys, for whoever gave another than the one that is asked for.
#pragma once

#include <string>

#include "fugu/core/json.h"

namespace fugu::inline in_plan {

enum class FileKind { kPlan, kStatement, kReceipt, kJob, kScenario };

// Error (data), "PLACE: this is a receipt, not a plan", where the file is clearly of another kind; the hint
// says where the wanted one is. Any other file passes: its reader says what is wrong. A receipt holds a
// statement.
void check_kind(const Json& json, FileKind wanted, const std::string& place);

}  // namespace fugu::inline in_plan
