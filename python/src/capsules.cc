#include "python/src/capsules.h"

#include <cerrno>
#include <memory>
#include <utility>

#include "fugu/core/error.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

constexpr const char* kStream = "arrow_array_stream";

struct Outgoing {
  ArrowColumn column;
  size_t next = 0;
};

Outgoing& outgoing(ArrowArrayStream* stream) { return *static_cast<Outgoing*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  *out = outgoing(stream).column.schema.take();
  return out->release ? 0 : EINVAL;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  Outgoing& from = outgoing(stream);
  if (from.next == from.column.chunks.size()) {
    *out = {};
    return 0;
  }
  *out = from.column.chunks[from.next++].take();
  return 0;
}

const char* get_last_error(ArrowArrayStream*) { return "the column was taken already"; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<Outgoing*>(stream->private_data);
  stream->release = nullptr;
}

void free_capsule(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kStream));
  if (stream->release) stream->release(stream);
  delete stream;
}

}  // namespace

ArrowArrayStream& stream_of(const nb::object& capsule) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), kStream);
  if (!pointer) throw nb::python_error();
  return *static_cast<ArrowArrayStream*>(pointer);
}

nb::object ColumnOut::stream(const nb::object&) {
  if (!column_.schema->release)
    throw usage("this released column was taken already", "keep what was made of it");
  auto stream = std::make_unique<ArrowArrayStream>();
  *stream = {get_schema, get_next, get_last_error, release_stream, new Outgoing{std::move(column_)}};
  PyObject* capsule = PyCapsule_New(stream.get(), kStream, free_capsule);
  if (!capsule) {
    stream->release(stream.get());
    throw nb::python_error();
  }
  static_cast<void>(stream.release());  // free_capsule has it
  return nb::steal(capsule);
}

FlagsOut row_flags(const std::vector<uint8_t>& flags) {
  return flags.empty() ? FlagsOut() : FlagsOut(std::in_place, flags.data(), flags.size());
}

ReleasedOut handed_out(ArrowReleased released) {
  std::vector<ColumnOut> columns;
  for (ArrowColumn& column : released.columns) columns.emplace_back(std::move(column));
  return {std::move(columns), row_flags(released.left_out), row_flags(released.hidden)};
}

void bind_capsules(nb::module_& module) {
  nb::class_<ColumnOut>(module, "Column", "A released column, to be taken once.")
      .def("__arrow_c_stream__", &ColumnOut::stream, nb::arg("requested_schema") = nb::none());
}

}  // namespace fugu::python
