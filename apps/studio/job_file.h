// Jobs on the page: a file that is opened fills its fields, and the fields are saved as such a file.
#pragma once

#include <string>

#include "apps/studio/asking.h"
#include "fugu/ask/job.h"

namespace fugu::studio {

// {"table", "roles": {role: [columns]}, "question": {flag: text}, "plan": {flag: text}, "output", "keep",
// "shuffle", "not_here": [places]}: what the page has fields for, and what it keeps for the file alone.
// Errors of job_from_json().
Json opened_job(const std::string& text);

// What the page asks, over the job that was opened there, if any: what the page has no field for stays.
Job saved_job(const Asking& asking);

}  // namespace fugu::studio
