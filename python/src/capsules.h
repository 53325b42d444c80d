// Arrow data between Python and the core: capsules of the C data interface.
#pragma once

#include <nanobind/nanobind.h>

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

void bind_capsules(nanobind::module_& module);

}  // namespace fugu::python
