#include "fugu/verify/rate_laws.h"

#include <algorithm>

#include "fugu/law/weights.h"

namespace fugu::inline in_verify {
namespace {

constexpr double kMostCells = 3e4, kMostPairCells = 1e6, kMostLawBits = 4e8;

// Nonnegative integers as the digits of one, in a base that no sum of products of masses reaches: the product
// of two such numbers is the convolution of their digits.
class PackedLaws {
 public:
  PackedLaws(const RateModel& model, uint64_t rows) : first_(model.values.front()) {
    std::vector<Weights> laws;
    Integer largest(1);
    for (const auto& law : model.laws) {
      laws.push_back(Weights::in_proportion(law));
      largest = std::max(largest, laws.back().total());
    }
    // The masses of a sum of so many rows add up to at most the rows-th power of the largest total.
    bits_ = static_cast<unsigned>(rows * (msb(largest) + 1));
    for (size_t s = 0; s < 2; ++s) {
      for (size_t k = 0; k < model.values.size(); ++k)
        one_[s] += laws[s].at(k) << place(model.values[k] - first_);
    }
  }

  Integer power(size_t secret, uint64_t rows) const {
    return boost::multiprecision::pow(one_[secret], static_cast<unsigned>(rows));
  }

  Distribution law(const Integer& packed, uint64_t rows, size_t cells) const {
    const Integer mask = (Integer(1) << bits_) - 1;
    const int64_t low = first_ * static_cast<int64_t>(rows);
    std::vector<int64_t> atoms;
    std::vector<Rational> masses;
    for (size_t k = 0; k < cells; ++k) {
      Integer mass = (packed >> place(static_cast<int64_t>(k))) & mask;
      if (mass == 0) continue;
      atoms.push_back(low + static_cast<int64_t>(k));
      masses.emplace_back(std::move(mass));
    }
    return Distribution::from_masses(atoms, masses);
  }

 private:
  size_t place(int64_t cell) const { return static_cast<size_t>(cell) * bits_; }

  int64_t first_;
  unsigned bits_ = 0;
  Integer one_[2];
};

// The laws of all numbers of rows from `low` to `high`, from what these have in common: `low` rows with the
// second secret and the rest of them with the first.
void unfold(const PackedLaws& laws, const Integer& common, uint64_t low, uint64_t high, uint64_t rows,
            size_t cells, std::vector<Distribution>& result) {
  if (low == high) {
    result.push_back(laws.law(common, rows, cells));
    return;
  }
  const uint64_t middle = low + (high - low) / 2;
  unfold(laws, common * laws.power(0, high - middle), low, middle, rows, cells, result);
  unfold(laws, common * laws.power(1, middle + 1 - low), middle + 1, high, rows, cells, result);
}

double cells_of(const RateModel& model, uint64_t rows) {
  return static_cast<double>(rows) * static_cast<double>(model.steps_per_row()) + 1;
}

}  // namespace

Claim claim_of_row(const RateModel& model, const Epsilon& epsilon) {
  Claim claim{.epsilon = epsilon, .lattice = model.lattice, .secrets = model.secrets};
  Prior prior{"one row", {}};
  for (const auto& law : model.laws) prior.by_secret.push_back(Distribution::from_masses(model.values, law));
  claim.priors.push_back(std::move(prior));
  return claim;
}

Claim claim_of_rows(const RateModel& model, const Epsilon& epsilon, uint64_t rows, uint64_t within) {
  Claim claim{.epsilon = epsilon, .lattice = model.lattice};
  Prior prior{"all rows", {}};
  unfold(PackedLaws(model, rows), Integer(1), 0, rows, rows, static_cast<size_t>(cells_of(model, rows)),
         prior.by_secret);
  std::vector<SecretPair> pairs;
  for (uint64_t k = 0; k <= rows; ++k) {
    claim.secrets.push_back(std::to_string(k));
    for (uint64_t other = k + 1; other <= std::min(rows, k + within); ++other)
      pairs.emplace_back(static_cast<uint32_t>(k), static_cast<uint32_t>(other));
  }
  claim.priors.push_back(std::move(prior));
  claim.pairs = PairSet::of(std::move(pairs));
  return claim;
}

bool rows_are_few(const RateModel& model, uint64_t rows, uint64_t within) {
  double bits = 1;
  for (const auto& law : model.laws)
    bits = std::max(bits, static_cast<double>(msb(Weights::in_proportion(law).total())) + 1);
  const auto many = static_cast<double>(rows);
  const double cells = cells_of(model, rows) * (many + 1);
  return cells <= kMostCells && cells * static_cast<double>(within) <= kMostPairCells &&
         cells * bits * many <= kMostLawBits;
}

uint64_t rows_of_part(const RateModel& model) {
  uint64_t low = 1, high = std::min<uint64_t>(model.rows, 1000);
  while (low < high) {
    const uint64_t middle = low + (high - low + 1) / 2;
    if (rows_are_few(model, middle, 1)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace fugu::inline in_verify
