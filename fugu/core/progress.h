// How long work tells its caller how far it is, and how the caller stops it.
#pragma once

#include <functional>
#include <string_view>

namespace fugu::inline in_core {

// Called now and then with the fraction done (0 to 1) and what is being done. It may throw to stop the work.
// Called by one thread at a time, not always the one that started the work.
using Progress = std::function<void(double fraction, std::string_view what)>;

inline void report(const Progress& progress, double fraction, std::string_view what) {
  if (progress) progress(fraction, what);
}

}  // namespace fugu::inline in_core
