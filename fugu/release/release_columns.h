// Which columns of a table a release reads, and which it writes.
#pragma once

#include <string>
#include <vector>

#include "fugu/plan/plan.h"
#include "fugu/release/release.h"
#include "fugu/release/row_reader.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_release {

struct ReleaseColumns {
  RowLayout rows;
  // Whether the secret columns are read and the table's counts compared with the plan's.
  bool counts = true;
  bool header = false;          // whether the first line has a name that the plan knows
  std::vector<size_t> written;  // columns, in order
  std::vector<int> released;    // which released column each of them is; -1 for one that is kept
  std::vector<bool> covered;    // of those that are kept: whether the plan was calibrated against them
  std::vector<std::string> kept, kept_unprotected;  // names; of known columns, which are always written, none
};

// `released` columns have values. Error (usage) as release_table() says.
ReleaseColumns find_release_columns(const ReleaseRequest& request, const Plan& plan, const TableHead& head,
                                    size_t released);

}  // namespace fugu::inline in_release
