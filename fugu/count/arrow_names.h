// Names of a table in memory that are data (count/column_name.h), where no rows are counted.
#pragma once

#include <string>
#include <vector>

#include "fugu/count/arrow_rows.h"

namespace fugu::inline in_count {

// Error (data): the name of a column is one of its own texts. `na` as in ColumnName. `numbers` are those of
// the columns, from 1, in the table that they were taken from. Columns that cannot be read hold no texts.
void check_arrow_names(const ArrowTable& table, const std::vector<std::string>& na,
                       const std::vector<size_t>& numbers);

}  // namespace fugu::inline in_count
