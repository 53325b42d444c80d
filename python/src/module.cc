// fugu._core: the library as the Python package sees it. The package's own files give it its shape; nothing
// here computes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "fugu/ask/flags.h"
#include "fugu/core/error.h"
#include "fugu/file/atomic_file.h"
#include "fugu/report/plot.h"
#include "fugu/show/wording.h"
#include "python/src/capsules.h"
#include "python/src/errors.h"
#include "python/src/objects.h"

namespace nb = nanobind;

namespace {

// The package's tests see every kind arrive as its own exception.
void raise_error(int status, const std::string& message, const std::string& hint) {
  throw fugu::Error(static_cast<fugu::ErrorKind>(status), message, hint);
}

// The plots of a picture's numbers, which come as the core gave them out.
std::string draw_plots(const std::string& picture, const std::vector<std::string>& secrets,
                       const std::string& method) {
  return fugu::plots_to_json(fugu::parse_json(picture, "picture"), {secrets, method},
                             fugu::PlotsFor::kThemselves)
      .canonical();
}

}  // namespace

NB_MODULE(_core, module) {
  fugu::python::translate_errors();
  // A thread that works when the interpreter ends keeps its objects, as it should.
  nb::set_leak_warnings(false);
  module.attr("version") = FUGU_VERSION;
  module.attr("flags") = fugu::flags_to_json().pretty();
  fugu::python::bind_capsules(module);
  fugu::python::bind_plan(module);
  fugu::python::bind_scenario(module);
  fugu::python::bind_models(module);
  fugu::python::bind_job(module);
  fugu::python::bind_ledger(module);
  module.def("draw", &draw_plots, nb::arg("picture"), nb::arg("secrets"), nb::arg("method"));
  module.def(
      "printable", [](const std::string& text) { return fugu::printable(text); }, nb::arg("text"));
  module.def("public_mode", [](const std::string& path) { return fugu::public_mode(path); });
  module.def("raise_error", &raise_error, nb::arg("status"), nb::arg("message"), nb::arg("hint"),
             "Raises the exception of an exit status, as the library would.");
}
