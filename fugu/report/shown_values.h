// The values of a column as pictures show them: each by itself, or in bins where they are many.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_report {

class ShownValues {
 public:
  // `atoms` are lattice indices, increasing, not empty. More than `most` of them are put into bins of equal
  // width.
  explicit ShownValues(const std::vector<int64_t>& atoms, size_t most = kMost);
  static constexpr size_t kMost = 120;

  size_t size() const { return first_.size(); }
  // Steps that a bin has; 0 where each value stands for itself.
  int64_t width() const { return width_; }
  // Where a value is shown. Precondition: it is one of the atoms.
  size_t place(int64_t atom) const;
  // [{"value", "label"}], of bins the middle, with "low" and "high".
  Json to_json(const Scenario& scenario) const;

 private:
  std::vector<int64_t> first_;  // the value, or the lowest of its bin
  int64_t width_ = 0;
};

// {"column", "secret", "categorical", "step", "bin": the width of bins or null}: which column is shown, and
// how.
Json column_to_json(const Scenario& scenario, const ShownValues& values);

// The columns by themselves, each with a name: the scenario itself where there is one.
std::vector<Scenario> columns_of(const Scenario& scenario);

bool is_categorical(const Scenario& scenario);

// "occupation", or "value" where the scenario does not say.
std::string value_words(const Scenario& scenario);

// The secrets that belong to some pair, increasing.
std::vector<uint32_t> paired_secrets(const Scenario& scenario);

}  // namespace fugu::inline in_report
