// The law of the loss of several releases when one value is exchanged for another, from above (docs/math.md,
// section 10).
#pragma once

#include <cstddef>
#include <vector>

#include "fugu/compose/exchange_outputs.h"
#include "fugu/compose/loss_law_rounded.h"

namespace fugu::inline in_compose {

// Releases of one and the same mechanism.
struct Copies {
  ExchangeOutputs outputs;
  size_t number = 1;
};

// The key of an exchange for each of them.
using ExchangeKeys = std::vector<ExchangeOutputs::Key>;

// How finely a law is kept. Whatever these are, the law is one from above.
struct LossFineness {
  double above;   // what each cut may give away of the mass of large losses: it counts as infinite
  double below;   // and of that of small ones, which count as larger
  double points;  // of the grid, across the range of the sum
};

// Bounds of the powers of e^step.
LossGrid loss_grid(double step, size_t count);

// The grid keeps what excess_of() needs of it.
struct ExchangeLaw {
  LossLaw law;
  LossGrid grid;
};
ExchangeLaw exchange_law(const std::vector<Copies>& releases, const ExchangeKeys& keys,
                         const LossFineness& fine);

}  // namespace fugu::inline in_compose
