// What hides the value itself, whatever the secret: local differential privacy (docs/math.md, section 2).
#include <fmt/format.h>

#include "fugu/calibrate/methods.h"
#include "fugu/core/error.h"
#include "fugu/core/interval.h"
#include "fugu/law/boxes.h"
#include "fugu/scenario/domain.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr uint64_t kWeightBits = 128;
constexpr size_t kMostRows = 1000;  // a row of weights for each: a million

// Every value that a row may have: every category, every value of every prior.
std::vector<int64_t> values_of(const Scenario& scenario) {
  if (scenario.confidence) return domain_of(scenario);
  return with_categories(scenario.values(), scenario);
}

}  // namespace

Scale dp_laplace_scale(const Task& task) {
  const auto values = values_of(task.scenario);
  if (values.size() == 1) return Scale{0};
  return task.family.scale_for(Rational(task.scenario.lattice.step * (values.back() - values.front())),
                               task.scenario.least_budget().value(), Rational(0));
}

Found randomized_response(const Task& task) {
  const auto values = values_of(task.scenario);
  if (values.size() > kMostRows) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--method randomized-response: there are {} values, more than {}", values.size(),
                            kMostRows),
                "give a coarser --step; --method dp-laplace has no such limit");
  }
  // Any other value is drawn e^-epsilon times as often as the value itself, rounded up.
  const Rational epsilon = task.scenario.least_budget().value();
  const Integer keep = Integer(1) << kWeightBits,
                other = exp(Interval(Rational(-epsilon), 2 * kWeightBits)).ceil_scaled(kWeightBits);
  Channel channel{values, values, {}};
  for (size_t i = 0; i < values.size(); ++i) {
    channel.weights.emplace_back(values.size(), other);
    channel.weights[i][i] = keep;
  }
  return {std::move(channel)};
}

}  // namespace fugu::inline in_calibrate
