#include "fugu/core/large_vector.h"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>

namespace fugu::inline in_core {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kMostKept = size_t{64} << 20;

struct Block {
  void* start;
  size_t bytes;
};

struct Kept {
  Kept() { blocks.reserve(kMostKept / kLargeBytes); }

  std::mutex mutex;
  std::vector<Block> blocks;
  size_t bytes = 0;
};

// Never destroyed: vectors in static storage may outlive any order of destruction.
Kept& kept() {
  static Kept& blocks = *new Kept;
  return blocks;
}

size_t whole_pages(size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

void release(void* start) { ::operator delete(start, std::align_val_t{kHugePage}); }

}  // namespace

void* take_large_block(size_t bytes) {
  bytes = whole_pages(bytes);
  Kept& spare = kept();
  std::lock_guard lock(spare.mutex);
  auto fits = std::find_if(spare.blocks.begin(), spare.blocks.end(),
                           [&](const Block& block) { return block.bytes == bytes; });
  if (fits != spare.blocks.end()) {
    void* start = fits->start;
    spare.blocks.erase(fits);
    spare.bytes -= bytes;
    return start;
  }
  // Sizes have moved on: what was kept for the old ones goes.
  for (const Block& block : spare.blocks) release(block.start);
  spare.blocks.clear();
  spare.bytes = 0;
  void* start = ::operator new(bytes, std::align_val_t{kHugePage});
#ifdef MADV_HUGEPAGE
  madvise(start, bytes, MADV_HUGEPAGE);  // advice only: without it the pages are small
#endif
  return start;
}

void return_large_block(void* block, size_t bytes) noexcept {
  bytes = whole_pages(bytes);
  Kept& spare = kept();
  std::lock_guard lock(spare.mutex);
  if (spare.bytes + bytes > kMostKept) return release(block);
  spare.blocks.push_back({block, bytes});
  spare.bytes += bytes;
}

}  // namespace fugu::inline in_core
