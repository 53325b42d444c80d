// The first draft of a job, of what a look at the table shows: names and kinds of columns, and nothing that
// depends on a row besides.
#pragma once

#include "fugu/ask/job.h"
#include "fugu/inspect/inspection.h"

namespace fugu::cli {

// Columns of the question have their roles, those that may be a person's number that of a person where there
// is such a role, all others are left out. Error (data) where the first line is data, which is no name;
// errors of job_from_json(), as for a password.
Job drafted_job(const QuestionOptions& question, const Inspection& inspection);

}  // namespace fugu::cli
