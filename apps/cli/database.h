// Tables in databases, as commands take them: Ctrl-C stops the server's work too.
#pragma once

#include <memory>

#include "fugu/ask/question.h"

namespace fugu::cli {

// The database that the question names, null where it names a file; the question then counts there.
std::shared_ptr<DatabaseTable> open_for(QuestionOptions& question, bool writes = false);

// read_question(), and Ctrl-C while a database counts.
Question ask(QuestionOptions question, const Progress& progress);

}  // namespace fugu::cli
