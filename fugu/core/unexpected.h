// What is said of an exception that is no Error: the memory does not suffice, or fugu made a mistake.
#pragma once

#include <exception>

#include "fugu/core/error.h"

namespace fugu::inline in_core {

Error unexpected(const std::exception& caught);

}  // namespace fugu::inline in_core
