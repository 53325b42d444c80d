// Where the last whole record of a block ends.
#pragma once

#include <string_view>

#include "fugu/csv/record_parser.h"

namespace fugu::inline in_csv {

struct RecordCut {
  size_t size = 0;  // bytes of whole records up to the last that is not a blank line; 0 when there are none
  bool broken = false;  // the block holds a record that cannot be read; then size is all of it
};

// The block begins with a record, and more bytes may come after it. What is a record is RecordParser's to
// say.
RecordCut cut_records(std::string_view block, const CsvLayout& layout);

}  // namespace fugu::inline in_csv
