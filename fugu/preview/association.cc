#include "fugu/preview/association.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fugu::inline in_preview {
namespace {

constexpr size_t kDenseCells = size_t{1} << 20;  // of a cross table; larger ones are sorted

double sum_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

std::vector<double> totals_of(const Coded& column, std::span<const double> weights) {
  std::vector<double> totals(column.groups, 0.0);
  for (size_t row = 0; row < weights.size(); ++row) totals[column.codes[row]] += weights[row];
  return totals;
}

size_t positive(const std::vector<double>& totals) {
  return static_cast<size_t>(std::count_if(totals.begin(), totals.end(), [](double one) { return one > 0; }));
}

// sum over the cells of O^2 / (row total * column total): empty cells add nothing.
double square_contingency(const Coded& a, const Coded& b, std::span<const double> weights,
                          const std::vector<double>& of_a, const std::vector<double>& of_b) {
  double sum = 0;
  auto add = [&](size_t x, size_t y, double cell) {
    if (cell > 0) sum += cell / of_a[x] * (cell / of_b[y]);
  };
  if (a.groups <= kDenseCells / b.groups) {
    std::vector<double> cells(a.groups * b.groups, 0.0);
    for (size_t row = 0; row < weights.size(); ++row)
      cells[a.codes[row] * b.groups + b.codes[row]] += weights[row];
    for (size_t cell = 0; cell < cells.size(); ++cell) add(cell / b.groups, cell % b.groups, cells[cell]);
    return sum;
  }
  std::vector<std::pair<uint64_t, double>> rows;
  rows.reserve(weights.size());
  for (size_t row = 0; row < weights.size(); ++row)
    rows.emplace_back(uint64_t{a.codes[row]} << 32 | b.codes[row], weights[row]);
  std::sort(rows.begin(), rows.end());
  for (size_t from = 0; from < rows.size();) {
    double cell = 0;
    const uint64_t key = rows[from].first;
    for (; from < rows.size() && rows[from].first == key; ++from) cell += rows[from].second;
    add(key >> 32, key & 0xffffffffU, cell);
  }
  return sum;
}

double mean_of(const Coded& column, std::span<const double> weights, double total) {
  double sum = 0;
  for (size_t row = 0; row < weights.size(); ++row) sum += weights[row] * column.numbers[row];
  return sum / total;
}

// Of numbers that are all the same, rounding may leave a little.
bool is_constant(double squares, double total, double mean) {
  return squares <= total * mean * mean * 1e-20 || squares == 0;
}

}  // namespace

std::string_view name_of(Measure measure) {
  switch (measure) {
    case Measure::kCramer:
      return "V";
    case Measure::kCorrelation:
      return "r";
    default:
      return "eta";
  }
}

Measure measure_of(bool a_is_number, bool b_is_number) {
  if (a_is_number != b_is_number) return Measure::kRatio;
  return a_is_number ? Measure::kCorrelation : Measure::kCramer;
}

std::optional<double> cramers_v(const Coded& a, const Coded& b, std::span<const double> weights) {
  const std::vector<double> of_a = totals_of(a, weights), of_b = totals_of(b, weights);
  const size_t least = std::min(positive(of_a), positive(of_b));
  if (least < 2) return std::nullopt;
  const double phi = square_contingency(a, b, weights, of_a, of_b) - 1;
  return std::sqrt(std::clamp(phi / static_cast<double>(least - 1), 0.0, 1.0));
}

std::optional<double> correlation(const Coded& a, const Coded& b, std::span<const double> weights) {
  const double total = sum_of(weights), mean_a = mean_of(a, weights, total),
               mean_b = mean_of(b, weights, total);
  double both = 0, square_a = 0, square_b = 0;
  for (size_t row = 0; row < weights.size(); ++row) {
    const double from_a = a.numbers[row] - mean_a, from_b = b.numbers[row] - mean_b;
    both += weights[row] * from_a * from_b;
    square_a += weights[row] * from_a * from_a;
    square_b += weights[row] * from_b * from_b;
  }
  if (is_constant(square_a, total, mean_a) || is_constant(square_b, total, mean_b)) return std::nullopt;
  return std::clamp(both / std::sqrt(square_a) / std::sqrt(square_b), -1.0, 1.0);
}

std::optional<double> correlation_ratio(const Coded& category, const Coded& number,
                                        std::span<const double> weights) {
  const double total = sum_of(weights), mean = mean_of(number, weights, total);
  const std::vector<double> totals = totals_of(category, weights);
  std::vector<double> sums(category.groups, 0.0);
  double squares = 0;
  for (size_t row = 0; row < weights.size(); ++row) {
    const double from = number.numbers[row] - mean;
    sums[category.codes[row]] += weights[row] * from;
    squares += weights[row] * from * from;
  }
  if (is_constant(squares, total, mean) || positive(totals) < 2) return std::nullopt;
  double between = 0;
  for (size_t group = 0; group < sums.size(); ++group) {
    if (totals[group] > 0) between += sums[group] / totals[group] * sums[group];
  }
  return std::sqrt(std::clamp(between / squares, 0.0, 1.0));
}

std::optional<double> association(const Coded& a, const Coded& b, std::span<const double> weights) {
  switch (measure_of(a.is_number(), b.is_number())) {
    case Measure::kCramer:
      return cramers_v(a, b, weights);
    case Measure::kCorrelation:
      return correlation(a, b, weights);
    default:
      return a.is_number() ? correlation_ratio(b, a, weights) : correlation_ratio(a, b, weights);
  }
}

}  // namespace fugu::inline in_preview
