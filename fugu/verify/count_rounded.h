// How often a state occurs in a Markov chain together with the state at one time, in whichever way the thread
// rounds (verify/rounding.h, docs/math.md, section 12).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fugu::inline in_verify {

using Reals = std::vector<long double>;

// A chain with numbers rounded to one side. What it computes is a bound on that side.
struct RoundedChain {
  size_t states = 0, counted = 0;
  Reals matrix, start;
  long double ratio = 0;  // of the noise
};

// [t][x * (t + 1) + c] = P(c of the t states after this one are the counted one | this one is x), t < length.
std::vector<Reals> counts_after(const RoundedChain& chain, uint64_t length);

// [x * (length + 1) + c] = P(c of the first states are the counted one, the last of them is x), from time to
// time.
Reals counts_at_start(const RoundedChain& chain, uint64_t length);
void step_counts(const RoundedChain& chain, uint64_t time, Reals& counts);

// P(X_time = x), from the counts until then.
long double mass_of_state(const RoundedChain& chain, const Reals& counts, size_t state);
// P(released = y, X_time = x) for y = 0 … length, up to the noise's total: the two counts' convolution, then
// the noise by the recurrence from each side (section 5).
Reals released_with(const RoundedChain& chain, const Reals& counts, const Reals& after, uint64_t time,
                    size_t state);

// a / b, and as a double.
long double rounded_quotient(long double a, long double b);
double rounded_double(long double value);

}  // namespace fugu::inline in_verify
