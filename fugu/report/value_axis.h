// The values of a scenario along a side of a picture: where they lie and how they are written.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fugu/report/svg.h"
#include "fugu/scenario/scenario.h"

namespace fugu {

// Lattice indices with half a gap at each end. Precondition: increasing, not empty.
struct ValueSpan {
  double low = 0, high = 1;
  double gap = 1;  // the least distance of two values
};
ValueSpan span_of(std::span<const int64_t> values);

// The categories' names, as many as fit `apart` pixels from each other; of few numbers each; else round ones.
// The axis is in lattice indices.
std::vector<Tick> value_ticks(const Scenario& scenario, std::span<const int64_t> values,
                              const ChartAxis& axis, double apart);

// The longest text of the ticks, in characters.
size_t longest_text(const std::vector<Tick>& ticks);

// "occupation", or "value" where the scenario does not say.
std::string value_words(const Scenario& scenario);
// "race = White", or "given White".
std::string secret_words(const Scenario& scenario, size_t secret);
// " (prior NAME)" where there are several.
std::string prior_words(const Scenario& scenario, size_t prior);

// The secrets that belong to some pair, increasing.
std::vector<uint32_t> paired_secrets(const Scenario& scenario);

}  // namespace fugu
