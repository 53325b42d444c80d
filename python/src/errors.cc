#include "python/src/errors.h"

#include <nanobind/nanobind.h>

#include <exception>

#include "fugu/core/error.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

const char* exception_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "UsageError";
    case ErrorKind::kData:
      return "DataError";
    case ErrorKind::kGuarantee:
      return "GuaranteeError";
    case ErrorKind::kIo:
      return "FileError";
    case ErrorKind::kBudget:
      return "BudgetError";
    case ErrorKind::kBug:
      break;
  }
  return "InternalError";
}

// A message may quote bytes of a file, which need not be UTF-8.
nb::object text(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

void raise(const Error& error) {
  try {
    // Looked up when it is needed: the package imports this module before it has its exceptions.
    nb::object type = nb::module_::import_("fugu._errors").attr(exception_name(error.kind()));
    nb::object exception = type(text(error.message()), text(error.hint()));
    PyErr_SetObject(type.ptr(), exception.ptr());
  } catch (nb::python_error& failure) {
    failure.restore();
  }
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace fugu::python
