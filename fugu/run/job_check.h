// What a job would do, found out without doing it: of its table only the names of the columns are read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fugu/ask/job.h"

namespace fugu::inline in_run {

struct JobCheck {
  std::vector<std::string> sentences;  // for people
  std::vector<std::string> writes;     // files, and a table of a database by its name
};

// Error (data) where the job names no table, or one that can be read once only, writes to standard output, or
// says something of a release and has none.
void check_complete(const Job& job, const std::string& place);

// Errors of whoever runs the job, as far as flags, names of columns and files decide them; `stop` is as
// DatabaseRequest has it. Precondition: check_complete().
JobCheck check_job(const Job& job, const std::function<void()>& stop = {});

}  // namespace fugu::inline in_run
