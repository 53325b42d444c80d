// A table whose rate is secret: how many of its rows have which value of an attribute (docs/math.md, section
// 12).
//
// Each of n rows has a secret value s and a published value X. Given how many rows have which s, the rows are
// independent, and X follows the law of its row's s. What is hidden is the rate itself: two tables that come
// from each other by changing the secret of at most `within` rows must not be told apart by what is released
// of all X: a count, a sum, a mean or a histogram.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/number.h"

namespace fugu::inline in_models {

enum class RateQuery { kCount, kSum, kMean, kHistogram };
// "count", "sum", "mean", "histogram".
std::string_view rate_query_name(RateQuery query);

// Invariants: two secrets at least, all different; 1 <= within <= rows <= kMostRows; values increase
// strictly; a law for each secret with a mass for each value, none negative, not all zero; each value has
// mass under some secret. A histogram's values are 0, 1, … and have a label each; those of a count are 0 and
// 1, and 1 is a row that is counted. The lattice of one row's value has origin 0, and sums stay within
// kMaxSpan steps.
struct RateModel {
  static constexpr uint64_t kMostRows = 1'000'000'000;

  std::vector<std::string> secrets;
  uint64_t rows = 1;
  uint64_t within = 1;
  RateQuery query = RateQuery::kCount;
  std::string column = {};               // what is published, in words; may be empty
  std::vector<std::string> labels = {};  // the histogram's, or those that are counted
  Lattice lattice{};
  std::vector<int64_t> values;              // lattice indices
  std::vector<std::vector<Rational>> laws;  // [secret][value], up to their sum
  bool estimated = false;                   // from the very table
  friend bool operator==(const RateModel&, const RateModel&) = default;

  bool is_histogram() const { return query == RateQuery::kHistogram; }
  Lattice released_lattice() const;  // of a mean its steps are those of a row over the number of rows
  size_t released_numbers() const { return is_histogram() ? values.size() : 1; }
  // By how many steps, summed over what is released, another value in one row changes it: of a histogram 2.
  int64_t steps_per_row() const;
  // The same for as many rows as may change.
  Integer steps_in_all() const { return Integer(steps_per_row()) * within; }
};

// Error (data) with `place` where an invariant does not hold. What every maker of a model ends with: values
// without mass are taken out beforehand.
void check_rate(const RateModel& model, const std::string& place);

// The plan's "model", with "kind": "rate".
Json rate_to_json(const RateModel& model);
RateModel rate_from_json(const Json& json, const std::string& place);

// What the model takes for granted, in words that may be published: nothing of the laws.
std::vector<std::string> assumptions_of(const RateModel& model);

// Whether P(x|1) / P(x|0) rises with x, or falls. Then a release tells most at its ends.
bool has_monotone_odds(const RateModel& model);
// The same, and both laws are log-concave on the lattice.
bool is_ordered(const RateModel& model);

}  // namespace fugu::inline in_models
