// What the text of a released column's field is to a plan: a value, missing, or nothing that it knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/scenario/scenario.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_rows {

struct Placed {
  enum Kind : uint8_t { kValue, kMissing, kUnknown } kind = kUnknown;
  int64_t index = 0;  // on the lattice, for a value
};

class FieldValues {
 public:
  // Of one column, by the map of `source` onto the lattice. Numbers are values within `range`, the outermost
  // that the plan speaks of. `known`, where given, are the only lattice points that are values.
  FieldValues(const Source& source, const Lattice& lattice, std::pair<int64_t, int64_t> range,
              const std::vector<int64_t>* known = nullptr);

  // The value that the plan's map gives this text: a category, or a number on (or snapped to) the lattice.
  Placed place(std::string_view text) const;

 private:
  Placed find(std::string_view text) const;

  std::optional<std::vector<int64_t>> known_;
  std::vector<std::string> na_;
  Shape shape_;  // the map that the values were counted by
  bool keeps_missing_;
  std::pair<int64_t, int64_t> range_;
};

}  // namespace fugu::inline in_rows
