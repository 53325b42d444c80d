#include "fugu/mechanism/family.h"

#include <fmt/format.h>

#include "fugu/core/error.h"
#include "fugu/mechanism/laplace.h"

namespace fugu {

std::unique_ptr<NoiseFamily> family_named(std::string_view name) {
  if (name == "laplace") return std::make_unique<Laplace>();
  throw Error(ErrorKind::kUsage, fmt::format("--noise: there is no noise '{}'", name), "use laplace");
}

}  // namespace fugu
