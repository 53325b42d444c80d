#include "fugu/calibrate/optimum.h"

#include <algorithm>
#include <cmath>

#include "fugu/core/error.h"

namespace fugu::inline in_calibrate {

TimeLimit time_limit_of(const Task& task) {
  if (!task.optimum.seconds) return {};
  const double seconds = *task.optimum.seconds;
  return {Deadline::in(0.8 * seconds), Deadline::in(seconds + std::max(0.5, 0.05 * seconds))};
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

void centre(Noise& noise) {
  // The tails' moment is (last - first) numerator / denominator^2 in units of the ratio's own denominator.
  const Rational r = noise.tail.value(), rest = 1 - r;
  const Rational beyond = Rational(noise.reach()) * r / rest + r / (rest * rest);
  const Integer factor = denominator(beyond);
  Integer moment = (noise.weights.back() - noise.weights.front()) * numerator(beyond);
  const size_t middle = noise.weights.size() / 2;
  for (size_t k = 0; k < noise.weights.size(); ++k) {
    moment += noise.weights[k] * (static_cast<int64_t>(k) - static_cast<int64_t>(middle)) * factor;
    noise.weights[k] *= factor;
  }
  if (moment > 0) noise.weights[middle - 1] += moment;
  if (moment < 0) noise.weights[middle + 1] -= moment;
}

bool says_unfinished(std::string_view note) {
  for (const char* why : {kTimeIsOver, kWouldNotFit, kTooLarge, kNotKnownLeast, kInBlocks}) {
    if (note.find(why) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace fugu::inline in_calibrate
