// The way in which this thread rounds, for as long as the object lives.
//
// Bounds of long sums of products come from one computation done twice, once rounded down and once up: every
// number is not negative, so each operation is monotone and every result is on the right side of the truth,
// underflow included: what is 0 after rounding up is impossible. What rounds stands in sources named
// *_rounded.cc, which are compiled for any way of rounding and apart from their callers (cmake/rooms.cmake).
// Nothing else is called in between, no interval and no task.
#pragma once

namespace fugu::inline in_verify {

enum class Toward { kDown, kUp };

class Rounding {
 public:
  // Error (bug) where the processor does not do it.
  explicit Rounding(Toward toward);
  ~Rounding();
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  int before_;
};

}  // namespace fugu::inline in_verify
