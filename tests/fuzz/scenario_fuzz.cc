// Scenario files, and files of priors beside them: what is read is written and read back as the same.
#include "fugu/scenario/scenario_json.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

Scenario read(std::string_view text, const ScenarioOverrides& overrides = {}) {
  return scenario_from_json(parse_json(text, "input"), "input", overrides);
}

void holds(const Scenario& scenario) {
  const std::string text = scenario_to_json(scenario).pretty();
  const Scenario again = read(text);
  fuzz::insist(again == scenario, "a scenario reads back as itself");
  fuzz::insist(scenario_to_json(again).pretty() == text, "a scenario is written in one way");
}

// What a command line may set over the file, by the bits of a byte.
ScenarioOverrides overrides_of(uint8_t bits) {
  ScenarioOverrides overrides;
  if (bits & 1) overrides.epsilon = Epsilon::parse("0.5", "--epsilon", ErrorKind::kUsage);
  if (bits & 2) overrides.delta = Delta::parse("1e-6", "--delta", ErrorKind::kUsage);
  if (bits & 4) overrides.pairs = "neighbours";
  if (bits & 8) overrides.step = Rational(1, 4);
  if (bits & 16) overrides.confidence = Rational(19, 20);
  if (bits & 32) overrides.closeness = Rational(1, 100);
  if (bits & 64) overrides.weights = {"1", "1/2"};
  return overrides;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const ScenarioOverrides overrides = overrides_of(input.byte());
  const std::string_view text = input.until('\0');  // what follows is a file of priors
  auto scenario = fuzz::read_or_refuse([&] { return read(text, overrides); });
  if (!scenario) return 0;
  holds(*scenario);
  if (input.rest().empty()) return 0;
  const auto more = fuzz::read_or_refuse([&] {
    add_priors(*scenario, parse_json(input.rest(), "priors"), "priors");
    return true;
  });
  if (more) holds(*scenario);
  return 0;
}
