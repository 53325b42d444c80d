#include "fugu/preview/association.h"

#include <cmath>
#include <map>

namespace fugu {
namespace {

struct Columns {
  std::vector<uint32_t> a, b;
  std::vector<double> x, y, weights;
};

Columns random_columns(uint32_t groups_a, uint32_t groups_b) {
  const auto rows = *rc::gen::inRange(2, 60);
  Columns columns;
  for (int row = 0; row < rows; ++row) {
    columns.a.push_back(*rc::gen::inRange<uint32_t>(0, groups_a));
    columns.b.push_back(*rc::gen::inRange<uint32_t>(0, groups_b));
    columns.x.push_back(*rc::gen::inRange(-9, 9));
    columns.y.push_back(columns.x.back() * *rc::gen::inRange(0, 2) + *rc::gen::inRange(-3, 4));
    columns.weights.push_back(*rc::gen::inRange(0, 4));
  }
  columns.weights[0] += 1;
  return columns;
}

// The textbook's chi-square, over the whole table of what is expected.
std::optional<double> brute_v(const Columns& columns) {
  std::map<uint32_t, double> of_a, of_b;
  std::map<std::pair<uint32_t, uint32_t>, double> cells;
  double total = 0;
  for (size_t row = 0; row < columns.a.size(); ++row) {
    const double weight = columns.weights[row];
    if (weight == 0) continue;
    of_a[columns.a[row]] += weight;
    of_b[columns.b[row]] += weight;
    cells[{columns.a[row], columns.b[row]}] += weight;
    total += weight;
  }
  const size_t least = std::min(of_a.size(), of_b.size());
  if (least < 2) return std::nullopt;
  double chi = 0;
  for (const auto& [a, m] : of_a) {
    for (const auto& [b, n] : of_b) chi += std::pow(cells[{a, b}] - m * n / total, 2) / (m * n / total);
  }
  return std::sqrt(chi / total / static_cast<double>(least - 1));
}

void expect_near(const std::optional<double>& found, const std::optional<double>& wanted) {
  RC_ASSERT(found.has_value() == wanted.has_value());
  if (found) RC_ASSERT(std::abs(*found - *wanted) < 1e-7);
}

RC_GTEST_PROP(Association, CramersVIsThatOfTheTextbook, ()) {
  const Columns columns = random_columns(4, 3);
  expect_near(cramers_v({columns.a, 4}, {columns.b, 3}, columns.weights), brute_v(columns));
}

// A table of more cells than are kept at once gives the same.
RC_GTEST_PROP(Association, CramersVOfManyCategoriesIsTheSame, ()) {
  const Columns columns = random_columns(4, 3);
  expect_near(cramers_v({columns.a, 3'000}, {columns.b, 2'000}, columns.weights), brute_v(columns));
}

// E[xy] - E[x] E[y], in one pass.
RC_GTEST_PROP(Association, CorrelationIsCovarianceOverDeviations, ()) {
  const Columns columns = random_columns(2, 2);
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t row = 0; row < columns.x.size(); ++row) {
    const double w = columns.weights[row], a = columns.x[row], b = columns.y[row];
    n += w;
    x += w * a;
    y += w * b;
    xx += w * a * a;
    yy += w * b * b;
    xy += w * a * b;
  }
  const double spread_x = n * xx - x * x, spread_y = n * yy - y * y;
  std::optional<double> wanted;
  if (spread_x > 0.5 && spread_y > 0.5) wanted = (n * xy - x * y) / std::sqrt(spread_x * spread_y);
  expect_near(correlation({.numbers = columns.x}, {.numbers = columns.y}, columns.weights), wanted);
}

// 1 - (what is left within the groups) / (all of it).
RC_GTEST_PROP(Association, CorrelationRatioIsWhatGroupsExplain, ()) {
  const Columns columns = random_columns(3, 2);
  std::map<uint32_t, std::array<double, 3>> groups;
  std::array<double, 3> all{};
  for (size_t row = 0; row < columns.x.size(); ++row) {
    const double w = columns.weights[row], x = columns.x[row];
    if (w == 0) continue;
    for (auto* sums : {&groups[columns.a[row]], &all}) {
      (*sums)[0] += w;
      (*sums)[1] += w * x;
      (*sums)[2] += w * x * x;
    }
  }
  auto squares = [](const std::array<double, 3>& sums) { return sums[2] - sums[1] * sums[1] / sums[0]; };
  std::optional<double> wanted;
  double within = 0;
  for (const auto& [group, sums] : groups) within += squares(sums);
  if (groups.size() > 1 && squares(all) > 1e-6) wanted = std::sqrt(std::max(0.0, 1 - within / squares(all)));
  const auto found = association({.numbers = columns.x}, {columns.a, 3}, columns.weights);
  RC_ASSERT(found.has_value() == wanted.has_value());
  if (found) RC_ASSERT(std::abs(*found * *found - *wanted * *wanted) < 1e-9);
}

TEST(Association, KnownEnds) {
  const std::vector<double> ones(4, 1.0);
  const Coded a{{0, 0, 1, 1}, 2}, b{{0, 1, 0, 1}, 2}, constant{{0, 0, 0, 0}, 2};
  EXPECT_NEAR(*cramers_v(a, a, ones), 1, 1e-12);
  EXPECT_NEAR(*cramers_v(a, b, ones), 0, 1e-12);
  EXPECT_FALSE(cramers_v(a, constant, ones));
  const Coded up{.numbers = {1, 2, 3, 4}}, down{.numbers = {4, 3, 2, 1}},
      same{.numbers = {0.1, 0.1, 0.1, 0.1}};
  EXPECT_NEAR(*correlation(up, down, ones), -1, 1e-12);
  EXPECT_FALSE(correlation(up, same, ones));
  EXPECT_FALSE(correlation_ratio(a, same, ones));
  EXPECT_EQ(name_of(measure_of(true, false)), "eta");
}

}  // namespace
}  // namespace fugu
