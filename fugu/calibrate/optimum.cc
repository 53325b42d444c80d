#include "fugu/calibrate/optimum.h"

#include <algorithm>
#include <cmath>

#include "fugu/core/error.h"

namespace fugu {

Patience patience_of(const Task& task) {
  using Clock = Patience::Clock;
  if (!task.optimum.seconds) return {.progress = task.progress};
  const double seconds = std::min(*task.optimum.seconds, 1e9);
  return {task.progress,
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))};
}

void check_confidence(const Task& task) {
  if (!task.scenario.confidence || task.scenario.delta.is_zero()) return;
  throw Error(ErrorKind::kUsage, "--confidence: optimal and channel take no --delta with a confidence",
              "use --method exact, or leave out --delta");
}

Integer scaled_integer(double value, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // value = fraction 2^exponent, fraction in [1/2, 1)
  const Integer mantissa(static_cast<uint64_t>(std::ldexp(fraction, 53)));
  const int shift = exponent - 53 + bits;
  return shift >= 0 ? Integer(mantissa << static_cast<unsigned>(shift))
                    : Integer(mantissa >> static_cast<unsigned>(-shift));
}

}  // namespace fugu
