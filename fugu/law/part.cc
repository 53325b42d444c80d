#include "fugu/law/part.h"

#include <algorithm>
#include <cmath>

namespace fugu::inline in_law {
namespace {

constexpr Bits kPartBits = 128;

Interval log_choose(uint64_t n, uint64_t k, Bits bits) {
  return log_factorial(n, bits) - log_factorial(k, bits) - log_factorial(n - k, bits);
}

// The least number of marked people that is not too rare: with fewer than `count` there could not be so many.
uint64_t least_marked(uint64_t count, uint64_t total, uint64_t people, const Rational& tail) {
  if (count == 0) return 0;
  const Interval limit(tail, kPartBits);
  uint64_t refuted = count - 1;  // and all below, for the tail grows with the marked
  const Integer mean = (Integer(people) * count + total - 1) / total;
  uint64_t kept = std::min(static_cast<uint64_t>(mean), people - (total - count));
  while (refuted + 1 < kept) {
    const uint64_t marked = refuted + (kept - refuted) / 2;
    const bool rare =
        certainly_at_most(hypergeometric_upper_tail(count, total, marked, people, kPartBits), limit);
    (rare ? refuted : kept) = marked;
  }
  return refuted + 1;
}

// n (q log(q / p) + (1 - q) log((1 - q) / (1 - p))) for q = k / n.
template <class Number, class Make>
Number hoeffding_exponent(uint64_t k, uint64_t n, const Number& p, Make make) {
  Number sum = make(k) * log(make(k) / (make(n) * p));
  if (k < n) sum += make(n - k) * log(make(n - k) / (make(n) * (make(1) - p)));
  return sum;
}

// As large as can be certified; 0 for a count of 0.
double hoeffding_lower_end(uint64_t count, uint64_t total, const Rational& tail) {
  if (count == 0) return 0;
  const double wanted = -std::log(static_cast<double>(tail));
  using std::log;
  auto in_doubles = [](uint64_t k) { return static_cast<double>(k); };
  double low = 0, high = static_cast<double>(count) / static_cast<double>(total);
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (hoeffding_exponent(count, total, middle, in_doubles) >= wanted ? low : high) = middle;
  }
  auto in_intervals = [](uint64_t k) { return Interval(Integer(k), kPartBits); };
  const Interval needed = in_intervals(0) - log(Interval(tail, kPartBits));
  double less = 1e-12;
  for (int tries = 0; tries < 12; ++tries, less *= 8) {
    const double end = low * (1 - less);
    if (end > 0 && certainly_at_most(needed, hoeffding_exponent(count, total, Interval(exact(end), kPartBits),
                                                                in_intervals)))
      return end;
  }
  return 0;
}

}  // namespace

// From `count` on each term is `ratio` times the one before, and the ratio falls.
Interval hypergeometric_upper_tail(uint64_t count, uint64_t total, uint64_t marked, uint64_t people,
                                   Bits bits) {
  const Interval one(Integer(1), bits);
  Interval term = exp(log_choose(marked, count, bits) + log_choose(people - marked, total - count, bits) -
                      log_choose(people, total, bits));
  Interval sum(bits);
  const double first = term.upper();
  for (uint64_t j = count;; ++j) {
    sum += term;
    if (j == std::min(marked, total)) return sum;
    const Interval ratio(Rational(Integer(marked - j) * (total - j),
                                  Integer(j + 1) * (Integer(people) - marked - total + j + 1)),
                         bits);
    term *= ratio;
    if (term.upper() < first * 1e-12 && certainly_less(ratio, one)) return sum + term / (one - ratio);
  }
}

MassBox part_box(uint64_t count, uint64_t total, PartSize size, const Rational& tail) {
  // A share of a small population is a fraction of its people: the drawn ones' own may lie between two.
  const Rational share{Integer(count), Integer(total)};
  MassBox box{round_down(share), std::min(1.0, round_up(share))};
  if (size.people == 0) {
    const double other = hoeffding_lower_end(total - count, total, tail);
    box.low = std::min(box.low, hoeffding_lower_end(count, total, tail));
    box.high = std::max(box.high, std::min(1.0, round_up(Rational(1 - exact(other)))));
    return box;
  }
  const Integer people(size.people), others(least_marked(total - count, total, size.people, tail));
  box.low =
      std::min(box.low, round_down(Rational(Integer(least_marked(count, total, size.people, tail)), people)));
  box.high = std::max(box.high, std::min(1.0, round_up(Rational(Integer(people - others), people))));
  return box;
}

}  // namespace fugu::inline in_law
