#include "fugu/csv/mark_scan.h"

#include <algorithm>
#include <array>

namespace fugu::inline in_csv {

MarkScan::Run MarkScan::next(uint32_t* marks) {
  std::array<BlockMarks, kBlocks> found;
  const auto left = static_cast<size_t>(end_ - at_);
  const size_t size = std::min(kBlocks * kBlockSize, left), count = (size + kBlockSize - 1) / kBlockSize;
  const size_t regular = code_.find(at_, size, separator_, bits_, found.data());
  Run result;
  for (size_t k = 0; k < regular; ++k) result.bare &= !found[k].rare;
  const MarkCounts written = code_.write(found.data(), regular, static_cast<uint32_t>(at_ - begin_), marks);
  result.marks = written.marks;
  result.line_ends = written.line_ends;
  if (regular < count) return result;
  at_ += size;
  result.more = at_ < end_;
  return result;
}

}  // namespace fugu::inline in_csv
