// How the values of a column are shown: as categories, of which the rare ones are put together, or as bins of
// numbers; and what is counted by that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fugu/core/lattice.h"
#include "fugu/preview/association.h"
#include "fugu/scenario/column_shape.h"

namespace fugu::inline in_preview {

constexpr size_t kMostLabels = 40;

// Values of rows, each with a weight.
struct WeightedValues {
  std::span<const int64_t> values;
  std::span<const double> weights;
};

class ShownColumn {
 public:
  // labels[k] is that of the value first + k.
  static ShownColumn category(std::string name, std::vector<std::string> labels, int64_t first,
                              const WeightedValues& before);
  // Lattice points. Bins are those that both have many rows in.
  static ShownColumn number(std::string name, const ColumnShape& shape, const Lattice& lattice,
                            const WeightedValues& before, const WeightedValues& after);

  const std::string& name() const { return name_; }
  bool is_number() const { return number_; }
  bool is_date() const { return number_ && shape_.reads.date.has_value(); }
  const std::vector<std::string>& labels() const { return labels_; }
  // Which label a value has.
  size_t group(int64_t value) const;
  // Of a number.
  double number(int64_t value) const { return origin_ + step_ * static_cast<double>(value); }
  // The lattice point next to a number, as people write it.
  std::string text(double number) const;
  // For associations, every category by itself.
  Coded coded(std::span<const int64_t> values) const;
  // By label: the share of the rows.
  std::vector<double> shares(const WeightedValues& rows) const;
  // Of numbers: the mean and the standard deviation.
  std::pair<double, double> moments(const WeightedValues& rows) const;

 private:
  explicit ShownColumn(std::string name) : name_(std::move(name)) {}
  void make_bins(int64_t low, int64_t high, int64_t least, int64_t most);

  std::string name_;
  bool number_ = false;
  std::vector<std::string> labels_;
  // Categories:
  int64_t first_ = 0;
  std::vector<uint32_t> groups_;  // by value - first_
  // Numbers: bins of so many lattice points from low_ on, high_ the last.
  ColumnShape shape_;
  Lattice lattice_;
  double origin_ = 0, step_ = 1;
  int64_t low_ = 0, high_ = 0, width_ = 1;
  bool below_ = false, above_ = false;  // there is a bin for what lies outside
};

}  // namespace fugu::inline in_preview
