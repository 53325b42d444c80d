// Long work called from Python: without the interpreter's lock, with progress, stopped by Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>

#include "fugu/core/progress.h"

namespace fugu::python {

// Runs `work` on a thread of its own. Meanwhile this one, which holds Python's lock, tells `callback`
// (a callable of fraction and words, or None) how far it is, and looks for signals; what either raises stops
// the work and is raised here. Errors of `work` are thrown here.
void run(const nanobind::object& callback, const std::function<void(const Progress&)>& work);

// The same for work that has a result.
template <class Work>
auto result_of(const nanobind::object& callback, const Work& work) {
  std::optional<decltype(work(Progress{}))> result;
  run(callback, [&](const Progress& progress) { result.emplace(work(progress)); });
  return std::move(*result);
}

}  // namespace fugu::python
