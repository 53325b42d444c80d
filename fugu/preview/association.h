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

// None where one of the columns is constant. Preconditions: as many weights as rows, none negative.
std::optional<double> cramers_v(const Coded& a, const Coded& b, std::span<const double> weights);
std::optional<double> correlation(const Coded& a, const Coded& b, std::span<const double> weights);
std::optional<double> correlation_ratio(const Coded& category, const Coded& number,
                                        std::span<const double> weights);
// The one that fits, in either order.
std::optional<double> association(const Coded& a, const Coded& b, std::span<const double> weights);

}  // namespace fugu::inline in_preview
