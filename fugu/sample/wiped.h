// Scratch memory that is zeros again when it goes out of scope: no noise is left to be read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace fugu::inline in_sample {

// Writes zeros that no optimiser takes away.
void wipe(void* memory, size_t bytes);

// Not initialised; only what was asked for is wiped.
template <class T, size_t kSize>
class WipedArray {
 public:
  WipedArray() = default;
  WipedArray(const WipedArray&) = delete;
  WipedArray& operator=(const WipedArray&) = delete;
  ~WipedArray() { wipe(values_.data(), used_ * sizeof(T)); }

  static constexpr size_t size() { return kSize; }
  // Precondition: count <= kSize.
  std::span<T> first(size_t count) {
    used_ = std::max(used_, count);
    return {values_.data(), count};
  }

 private:
  std::array<T, kSize> values_;
  size_t used_ = 0;
};

}  // namespace fugu::inline in_sample
