#include "fugu/scenario/scenario.h"

namespace fugu {

std::string Scenario::value_text(int64_t index) const {
  if (source && index >= 1 && static_cast<size_t>(index) <= source->labels.size()) {
    return source->labels[static_cast<size_t>(index) - 1];
  }
  return to_text(lattice.value(index));
}

}  // namespace fugu
