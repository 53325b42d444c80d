// The first rows of a table as they stand in it, for its owner to look at.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/csv/chunks.h"

namespace fugu::studio {

// {"columns": the names, or the numbers where none are given, "rows": texts of at most `most` rows}. Long
// texts are cut, and end in "…" then. No more than the beginning of the file is read; what is broken after
// these rows is not noticed. Errors of ChunkReader and ChunkScanner.
Json first_rows(const std::string& path, const CsvOptions& options, size_t most);

}  // namespace fugu::studio
