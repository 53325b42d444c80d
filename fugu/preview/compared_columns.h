// The columns of a plan with the values of two sets of rows, before and after a release, and what is said of
// them side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/plan/plan.h"
#include "fugu/preview/preview.h"
#include "fugu/preview/shown_column.h"
#include "fugu/release/column_map.h"

namespace fugu::inline in_preview {

struct ComparedColumn {
  enum Role { kReleased, kKnown, kSecret };
  ShownColumn shown;
  Role role;
  std::vector<std::string> called;  // besides its name
  std::vector<int64_t> before, after;
};

// Rows before and after need not be the same ones, nor as many; each has a weight.
class ComparedColumns {
 public:
  // The scenario and the weights must outlive it.
  ComparedColumns(const Scenario& scenario, const std::vector<double>& before,
                  const std::vector<double>& after)
      : scenario_(scenario), weights_before_(before), weights_after_(after), parts_after_(after) {}

  // Rows after that were drawn independently of each other, for associations.
  void part(const RowWeights& parts) { parts_after_ = parts; }

  // The c-th released column; lattice indices.
  void add_released(const ColumnMap& map, size_t c, std::vector<int64_t> before, std::vector<int64_t> after);
  // Values are places among the labels.
  void add_known(size_t k, std::vector<std::string> labels, std::vector<int64_t> before,
                 std::vector<int64_t> after);
  void add_secret(std::vector<int64_t> before, std::vector<int64_t> after);

  const std::vector<ComparedColumn>& all() const { return columns_; }

  // Labels, shares, means and spreads; nothing about which rows change.
  PreviewColumn facts(const ComparedColumn& column) const;
  void associate(Preview& preview) const;
  // Error (usage) for names that are none, or the same.
  PreviewCross cross(const std::pair<std::string, std::string>& names) const;

  static constexpr size_t kMostAssociated = 24;

 private:
  WeightedValues before(const ComparedColumn& column) const { return {column.before, weights_before_}; }
  WeightedValues after(const ComparedColumn& column) const { return {column.after, weights_after_}; }
  const ComparedColumn& named(const std::string& name) const;
  void add_numbers(const ComparedColumn& column, PreviewColumn& facts) const;

  const Scenario& scenario_;
  const std::vector<double>&weights_before_, &weights_after_;
  RowWeights parts_after_;
  std::vector<ComparedColumn> columns_;
};

// The texts of the k-th known column, and by prior which of them it has: people of small strata are released
// without it.
inline constexpr const char* kLeftBlank = "(left blank)";
std::string known_text(const Prior& prior, size_t columns, size_t k);

}  // namespace fugu::inline in_preview
