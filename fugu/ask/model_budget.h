// The budget of a count or a chain, in texts.
#pragma once

#include <string>

#include "fugu/law/budget.h"

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct ModelBudget {
  std::string epsilon = {};
  std::string delta = {};

  // Error (usage) without an epsilon, with that hint, or for what is no budget.
  Budget read(const char* hint) const;
};

}  // namespace fugu::inline in_ask
