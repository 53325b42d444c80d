// A std::vector for millions of plain numbers that are about to be written anyway.
//
// resize() leaves new elements unset. From 4 MB up the memory lies on huge pages, and a freed block is kept
// for the next of its size, 64 MB in all: the kernel zeroes fresh pages, which takes half as long as a
// transport plan.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace fugu::inline in_core {

inline constexpr size_t kLargeBytes = size_t{4} << 20;

// Blocks of at least kLargeBytes; `bytes` is the same at both calls. Threads may share a block.
void* take_large_block(size_t bytes);
void return_large_block(void* block, size_t bytes) noexcept;

template <class T>
struct LargeAllocator {
  static_assert(std::is_trivially_destructible_v<T>);
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < kLargeBytes ? ::operator new(bytes) : take_large_block(bytes));
  }
  void deallocate(T* data, size_t count) noexcept {
    const size_t bytes = count * sizeof(T);
    bytes < kLargeBytes ? ::operator delete(data) : return_large_block(data, bytes);
  }
  template <class Element, class... Values>
  void construct(Element* at, Values&&... values) {
    if constexpr (sizeof...(Values) == 0) {
      ::new (static_cast<void*>(at)) Element;
    } else {
      ::new (static_cast<void*>(at)) Element(std::forward<Values>(values)...);
    }
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace fugu::inline in_core
