// Arrow data between Python and the core: capsules of the C data interface.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/release/arrow_release.h"

namespace fugu::python {

// The stream that a capsule named "arrow_array_stream" holds; the capsule's own destructor finds it taken
// when the core has read it. Raises TypeError for anything else.
ArrowArrayStream& stream_of(const nanobind::object& capsule);

// A released column, handed out once: `__arrow_c_stream__` as Arrow's Python protocol has it.
class ColumnOut {
 public:
  explicit ColumnOut(ArrowColumn column) : column_(std::move(column)) {}
  nanobind::object stream(const nanobind::object& requested_schema);

 private:
  ArrowColumn column_;
};

// One byte for each row, or none where there is nothing to say.
using FlagsOut = std::optional<nanobind::bytes>;
FlagsOut row_flags(const std::vector<uint8_t>& flags);

// Columns; of each row whether it was left out, and whether what is known of it is not written.
using ReleasedOut = std::tuple<std::vector<ColumnOut>, FlagsOut, FlagsOut>;
ReleasedOut handed_out(ArrowReleased released);

void bind_capsules(nanobind::module_& module);

}  // namespace fugu::python
