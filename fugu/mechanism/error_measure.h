// How bad it is to release y for x: what the optimal methods make small on average.
#pragma once

#include <string>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/core/lattice.h"
#include "fugu/core/number.h"

namespace fugu::inline in_mechanism {

struct ErrorMeasure {
  enum Kind { kSquared, kAbsolute, kZeroOne, kTable };
  Kind kind = kSquared;
  // kTable: costs[i][k] is that of outputs[k] for inputs[i], lattice indices, increasing.
  std::vector<int64_t> inputs = {}, outputs = {};
  std::vector<std::vector<Rational>> costs = {};

  // Whether every pair of these has a cost; only a table may lack some.
  bool covers(const std::vector<int64_t>& from, const std::vector<int64_t>& to) const;
  // In data units. Precondition: covered.
  Rational of(int64_t input, int64_t output, const Lattice& lattice) const;
  // squared, absolute, zero-one or table.
  std::string name() const;
  friend bool operator==(const ErrorMeasure&, const ErrorMeasure&) = default;
};

// squared, absolute or zero-one. Error (usage), naming `option`, for any other name.
ErrorMeasure error_measure_named(const std::string& name, const std::string& option);

// A name, or {"inputs", "outputs", "costs"} of a table. Error (data).
Json error_measure_to_json(const ErrorMeasure& measure, const Lattice& lattice);
ErrorMeasure error_measure_from_json(const Json& json, const Lattice& lattice, const std::string& place);

}  // namespace fugu::inline in_mechanism
