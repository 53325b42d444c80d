// How two columns go together, between 0 (correlation: -1) and 1, in rows that have weights.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace fugu::inline in_preview {

enum class Measure {
  kCramer,       // two categories: Cramér's V
  kCorrelation,  // two numbers: Pearson's r
  kRatio,        // a category and a number: the correlation ratio, eta
};
// "V", "r", "eta".
std::string_view name_of(Measure measure);
Measure measure_of(bool a_is_number, bool b_is_number);

// A column of rows: codes of categories, 0 … groups - 1, or numbers.
struct Coded {
  std::vector<uint32_t> codes = {};
  size_t groups = 0;
  std::vector<double> numbers = {};  // then there are no codes
  bool is_number() const { return groups == 0; }
};

// How much each row counts. A table that was drawn has chance cells, whose squares look like an association,
// the more the more categories there are. So the rows are parted into two that were drawn independently, and
// products of both stand in place of squares: on average those of the expected table. Rows that were counted
// are not parted: both parts are all of them.
struct RowWeights {
  std::span<const double> first, second;
  RowWeights(std::span<const double> all) : first(all), second(all) {}
  RowWeights(const std::vector<double>& all) : first(all), second(all) {}
  RowWeights(std::span<const double> one, std::span<const double> other) : first(one), second(other) {}
  double of(size_t row) const { return first[row] + second[row]; }
  size_t rows() const { return first.size(); }
};

// None where one of the columns is constant. Preconditions: as many weights as rows, none negative.
std::optional<double> cramers_v(const Coded& a, const Coded& b, const RowWeights& weights);
std::optional<double> correlation(const Coded& a, const Coded& b, const RowWeights& weights);
std::optional<double> correlation_ratio(const Coded& category, const Coded& number,
                                        const RowWeights& weights);
// The one that fits, in either order.
std::optional<double> association(const Coded& a, const Coded& b, const RowWeights& weights);

}  // namespace fugu::inline in_preview
