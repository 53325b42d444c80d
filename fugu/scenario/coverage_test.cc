// How often the laws that the counts allow do not hold the true one (docs/math.md, section 9): tables drawn
// from known laws of two secrets, at a confidence of 0.9.
//
// Each test draws 500 tables, with FUGU_LONG 10,000, and prints the rate of misses with its standard error. A
// reading that misses exactly as often as it may, in a tenth of the tables, fails its test in 1 of 10^6 runs
// (five standard errors). The control is the reading of an early version, boxes on the table's own values:
// the same tables refute it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <random>

#include "fugu/scenario/domain.h"

namespace fugu {
namespace {

constexpr int64_t kPoints = 10'000'000;
constexpr uint64_t kPeople = 100;
constexpr double kMayMiss = 0.1;

// A law on 0, 1, …: how a value is drawn, and the mass up to a value.
struct TrueLaw {
  std::function<int64_t(std::mt19937_64&)> draw;
  std::function<double(int64_t)> up_to;
  double between(int64_t first, int64_t last) const { return up_to(last) - up_to(first - 1); }
};

TrueLaw uniform(int64_t points) {
  return {[points](std::mt19937_64& random) {
            return std::uniform_int_distribution<int64_t>(0, points - 1)(random);
          },
          [points](int64_t value) {
            return std::clamp(static_cast<double>(value + 1) / static_cast<double>(points), 0.0, 1.0);
          }};
}

// P(X > x) = (x + 2)^-exponent, held below `points`: the mean is infinite without that.
TrueLaw heavy_tailed(double exponent, int64_t points) {
  auto up_to = [=](int64_t value) {
    if (value < 0) return 0.0;
    return value >= points - 1 ? 1.0 : 1 - std::pow(static_cast<double>(value) + 2, -exponent);
  };
  auto draw = [=](std::mt19937_64& random) {
    const double far = std::pow(1 - std::uniform_real_distribution<double>()(random), -1 / exponent);
    auto value = static_cast<int64_t>(std::min(far, 1e15)) - 1;
    value = std::clamp<int64_t>(value, 0, points - 1);
    while (value > 0 && far < std::pow(1 - up_to(value - 1), -1 / exponent)) --value;
    return value;
  };
  return {draw, up_to};
}

TrueLaw listed(std::vector<double> masses) {
  return {[masses](std::mt19937_64& random) {
            return std::discrete_distribution<int64_t>(masses.begin(), masses.end())(random);
          },
          [masses](int64_t value) {
            double sum = 0;
            for (size_t k = 0; k < masses.size() && static_cast<int64_t>(k) <= value; ++k) sum += masses[k];
            return sum;
          }};
}

// What was declared: cells of `width` points each.
struct Cells {
  int64_t points, width = 1;
};

using DrawnTable = std::vector<std::map<int64_t, uint64_t>>;  // counts by secret and cell

Claim drawn_claim(const DrawnTable& table, BoundKind bounds) {
  Claim claim{Epsilon::parse("1", "test", ErrorKind::kBug)};
  claim.secrets = {"a", "b"};
  claim.priors.push_back({"p", {}});
  claim.confidence = Rational(9, 10);
  claim.bounded_by = bounds;
  for (const auto& counts : table) {
    std::vector<int64_t> atoms;
    std::vector<uint64_t> weights;
    for (auto [atom, count] : counts) {
      atoms.push_back(atom);
      weights.push_back(count);
    }
    claim.priors[0].by_secret.push_back(Distribution::from_counts(atoms, weights));
  }
  return claim;
}

bool holds(const MassBox& box, double truth) { return box.low <= truth + 1e-12 && truth - 1e-12 <= box.high; }

// Whether the laws that a table allows hold both true ones. What lies between two cells of the domain must
// have no mass; a band alone bounds the masses there too.
bool covers(const BoxedLaws& boxed, const std::vector<TrueLaw>& laws, const Cells& cells, bool every_point) {
  const auto& domain = boxed.domain;
  for (size_t s = 0; s < laws.size(); ++s) {
    double unknown = 1;
    for (size_t k = 0; k < domain.size(); ++k) {
      const int64_t first = domain[k] * cells.width, last = std::min(first + cells.width, cells.points) - 1;
      const double mass = laws[s].between(first, last);
      unknown -= mass;
      if (!every_point && !holds(boxed.boxes[0][s][k], mass)) return false;
      if (const auto* band = boxed.band(0, s)) {
        const int64_t next = k + 1 < domain.size() ? domain[k + 1] * cells.width - 1 : cells.points - 1;
        if (!holds((*band)[k], laws[s].up_to(last))) return false;
        if (every_point && !holds((*band)[k], laws[s].up_to(next))) return false;
      }
    }
    if (!every_point && unknown > 1e-9) return false;
  }
  return true;
}

enum class Taken { kOwnValues, kDeclared, kOwnValuesByBand };

// The share of tables whose laws miss the truth.
struct Misses {
  double rate, error;
  // More than may be, or fewer, which is no accident.
  bool too_many() const { return rate > kMayMiss + 5 * error; }
  bool fewer_than(double share) const { return rate < share - 5 * error; }
};

Misses misses(const char* name, const std::vector<TrueLaw>& laws, const Cells& cells, Taken reading,
              BoundKind bounds) {
  const int tables = std::getenv("FUGU_LONG") ? 10'000 : 500;
  std::mt19937_64 random(20);
  std::vector<int64_t> declared;
  for (int64_t first = 0; reading == Taken::kDeclared && first < cells.points; first += cells.width)
    declared.push_back(first / cells.width);
  int missed = 0;
  for (int t = 0; t < tables; ++t) {
    DrawnTable table;
    for (const TrueLaw& law : laws) {
      table.emplace_back();
      for (uint64_t person = 0; person < kPeople; ++person) ++table.back()[law.draw(random) / cells.width];
    }
    const Claim claim = drawn_claim(table, bounds);
    std::vector<int64_t> domain = reading == Taken::kDeclared ? declared : claim.values();
    // A band knows the end of the range, where all of the mass is.
    const int64_t last = (cells.points - 1) / cells.width;
    if (reading == Taken::kOwnValuesByBand && domain.back() != last) domain.push_back(last);
    missed += !covers(boxes_of(claim, domain), laws, cells, reading == Taken::kOwnValuesByBand);
  }
  const double rate = static_cast<double>(missed) / tables,
               error = std::sqrt(kMayMiss * (1 - kMayMiss) / tables);
  std::cout << name << ", " << name_of(bounds) << ": " << missed << " of " << tables << " missed, " << rate
            << " where " << kMayMiss << " may be (standard error " << error << ")\n";
  return {rate, error};
}

const std::vector<TrueLaw> kUniform{uniform(kPoints), uniform(kPoints)};
const std::vector<TrueLaw> kHeavy{heavy_tailed(0.8, 1000), heavy_tailed(1.5, 1000)};
const std::vector<TrueLaw> kRare{listed({0.97, 0.02, 0.005, 0.004, 0.001}),
                                 listed({0.5, 0.4, 0.098, 0.001, 0.001})};

TEST(CoverageProperty, OfManyPointsTheTablesOwnValuesAreFalse) {
  EXPECT_TRUE(
      misses("ten million points", kUniform, {kPoints}, Taken::kOwnValues, BoundKind::kBoxes).too_many());
}

// It is not wider than it must be, either: of a smooth law it misses nearly as often as it may.
TEST(CoverageProperty, OfManyPointsABandHoldsAtEveryOne) {
  const Misses found =
      misses("ten million points", kUniform, {kPoints}, Taken::kOwnValuesByBand, BoundKind::kBand);
  EXPECT_FALSE(found.too_many());
  EXPECT_FALSE(found.fewer_than(0.5 * kMayMiss));
}

TEST(CoverageProperty, OfManyPointsInDeclaredCellsAllBoundsHold) {
  for (BoundKind bounds : {BoundKind::kBoxes, BoundKind::kBand, BoundKind::kBoth})
    EXPECT_FALSE(
        misses("in a thousand steps", kUniform, {kPoints, 10'000}, Taken::kDeclared, bounds).too_many());
}

TEST(CoverageProperty, OfHeavyTailsTheTablesOwnValuesAreFalse) {
  EXPECT_TRUE(misses("heavy tails", kHeavy, {1000}, Taken::kOwnValues, BoundKind::kBoxes).too_many());
}

TEST(CoverageProperty, OfHeavyTailsAllBoundsHold) {
  for (BoundKind bounds : {BoundKind::kBoxes, BoundKind::kBand, BoundKind::kBoth})
    EXPECT_FALSE(misses("heavy tails", kHeavy, {1000}, Taken::kDeclared, bounds).too_many());
}

TEST(CoverageProperty, OfRareCategoriesThoseThatWereSeenAreFalse) {
  EXPECT_TRUE(misses("rare categories", kRare, {5}, Taken::kOwnValues, BoundKind::kBoxes).too_many());
}

TEST(CoverageProperty, OfRareCategoriesAllBoundsHold) {
  for (BoundKind bounds : {BoundKind::kBoxes, BoundKind::kBand, BoundKind::kBoth})
    EXPECT_FALSE(misses("rare categories", kRare, {5}, Taken::kDeclared, bounds).too_many());
}

}  // namespace
}  // namespace fugu
