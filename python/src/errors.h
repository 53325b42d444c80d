// fugu::Error as Python sees it: the exceptions of python/fugu/_errors.py.
#pragma once

namespace fugu::python {

// From here on every fugu::Error that leaves the module arrives as the exception of its kind, with message
// and hint. Any other C++ exception keeps nanobind's own translation.
void translate_errors();

}  // namespace fugu::python
