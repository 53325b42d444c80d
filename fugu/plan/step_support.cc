#include "fugu/plan/step_support.h"

#include <algorithm>
#include <utility>

namespace fugu::inline in_plan {
namespace {

std::vector<uint64_t> prime_factors(uint64_t number) {
  std::vector<uint64_t> primes;
  for (uint64_t p = 2; p * p <= number; p += p == 2 ? 1 : 2) {
    if (number % p != 0) continue;
    primes.push_back(p);
    while (number % p == 0) number /= p;
  }
  if (number > 1) primes.push_back(number);
  return primes;
}

// Pairs of values of which one lies among those that stay, with both its values, whoever of fewer than `most`
// people leaves, unless one value alone stays. Of 2 `most` values paired off more than half stay; of fewer
// values all pairs are there.
std::vector<std::pair<int64_t, int64_t>> pairs_that_stay(const std::vector<int64_t>& values, uint64_t most) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (values.size() >= 2 * most) {
    for (size_t k = 0; k < 2 * most; k += 2) pairs.emplace_back(values[k], values[k + 1]);
    return pairs;
  }
  for (size_t b = 1; b < values.size(); ++b)
    for (size_t a = 0; a < b; ++a) pairs.emplace_back(values[a], values[b]);
  return pairs;
}

}  // namespace

uint64_t step_support(const std::vector<int64_t>& values, const std::vector<Integer>& people, uint64_t most) {
  Integer all(0), commonest(0);
  for (const Integer& count : people) {
    all += count;
    commonest = std::max(commonest, count);
  }
  Integer support = std::min(Integer(most), Integer(all - commonest));
  for (const auto& [a, b] : pairs_that_stay(values, most)) {
    for (const uint64_t prime : prime_factors(static_cast<uint64_t>(b) - static_cast<uint64_t>(a))) {
      Integer outside(0);
      for (size_t k = 0; k < values.size() && outside < support; ++k) {
        const auto [low, high] = std::minmax(values[k], a);
        if ((static_cast<uint64_t>(high) - static_cast<uint64_t>(low)) % prime != 0) outside += people[k];
      }
      support = std::min(support, outside);
    }
  }
  return static_cast<uint64_t>(support);
}

}  // namespace fugu::inline in_plan
