#include "fugu/calibrate/methods.h"

#include <fmt/format.h>

#include <array>

#include "fugu/core/error.h"

namespace fugu {
namespace {

constexpr std::array kMethods{
    Method{"sensitivity", "range of the values", sensitivity_scale},
    Method{"kantorovich", "the paper's Theorem 1", kantorovich_scale},
    Method{"relaxed", "the paper's Theorem 2", relaxed_scale},
    Method{"harmonic", "Theorem 2, sharpened", harmonic_scale},
    Method{"exact", "least noise of the family", exact_scale},
};

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method& method_named(std::string_view name) {
  std::string known;
  for (const Method& method : kMethods) {
    if (method.name == name) return method;
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  }
  throw Error(ErrorKind::kUsage, fmt::format("--method: there is no method '{}'", name), "use one of " + known);
}

}  // namespace fugu
