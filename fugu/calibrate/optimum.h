// The least error that privacy allows: over all additive noise that is symmetric, or of mean zero, and over
// all channels with given outputs (docs/math.md, sections 7 and 8).
//
// A linear programme finds it in doubles, a repair makes integers of it that the verifier accepts, and the
// error is recomputed from these.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/calibrate/methods.h"
#include "fugu/core/deadline.h"
#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_calibrate {

// A linear programme with more coefficients than this is refused.
inline constexpr double kMostCoefficients = 3e7;

// What a time limit leaves for each part of the work. The search ends early enough for its answer to be
// repaired and proved. What is there without it, such as exact Laplace, may take a little longer than the
// limit.
struct TimeLimit {
  Deadline search, last;
};
// From now on, by the task's seconds.
TimeLimit time_limit_of(const Task& task);

// Why a search for the least error ended before its time, for people.
inline constexpr const char* kTimeIsOver = "the time limit came first";
inline constexpr const char* kWouldNotFit =
    "the search stopped early, because the whole linear programme would not fit the time limit";
inline constexpr const char* kTooLarge = "the linear programme would be too large";
inline constexpr const char* kNotKnownLeast = "this is not known to be the least error";
inline constexpr const char* kInBlocks = "too many kinds of rows for one linear programme";
// Whether a note of a plan says that its search for the least error was left before it was known.
bool says_unfinished(std::string_view note);
// Precondition: the programme is unfinished.
inline const char* why_unfinished(const LpResult& result) {
  return result.outcome == LpResult::kTooLarge  ? kTooLarge
         : result.outcome == LpResult::kTooLong ? kWouldNotFit
                                                : kTimeIsOver;
}

// Error (usage) for a confidence with a delta: the laws at different outputs cannot be chosen one by one
// then.
void check_confidence(const Task& task);

// Shifts a little weight so that the mean is exactly zero.
void centre(Noise& noise);

// Exactly what a double is, as lattice weights: floor(value * 2^bits).
Integer scaled_integer(double value, int bits);

}  // namespace fugu::inline in_calibrate
