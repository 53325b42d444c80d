// A table with the texts of a question about it, as flags of the command line have them: the scenario that
// comes of both is written and read back as the same.
#include "fugu/ask/flags.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_options.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

// Lines such as secret=race, up to an empty one.
void read_flags(fuzz::Input& input, QuestionOptions& question, PlanOptions& plan) {
  for (std::string_view line = input.until('\n'); !line.empty(); line = input.until('\n')) {
    const size_t equals = std::min(line.find('='), line.size());
    const std::string_view name = line.substr(0, equals);
    const std::string value(line.substr(std::min(equals + 1, line.size())));
    for (const auto* row : flags_of_page<QuestionOptions>())
      if (name == row->flag.name) set_text(question, *row, row->flag.is_switch() ? "yes" : value);
    for (const auto* row : flags_of_page<PlanOptions>())
      if (name == row->flag.name) set_text(plan, *row, row->flag.is_switch() ? "yes" : value);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  QuestionOptions options;
  PlanOptions plan;
  read_flags(input, options, plan);
  const fuzz::MemoryFile table(input.rest());
  options.table = table.path();
  const auto question = fuzz::read_or_refuse([&] { return read_question(options, {}); });
  fuzz::read_or_refuse([&] {
    plan.check(one_noise(options));
    return true;
  });
  if (!question) return 0;
  const Scenario& scenario = question->scenario;
  const std::string text = scenario_to_json(scenario).pretty();
  const auto again =
      fuzz::read_or_refuse([&] { return scenario_from_json(parse_json(text, "written"), "written"); });
  fuzz::insist(again && *again == scenario, "the scenario of a table reads back as itself");
  if (plan.loss.empty() || plan.loss == "squared" || plan.loss == "absolute" || plan.loss == "zero-one")
    fuzz::read_or_refuse([&] { return read_optimum(plan, scenario).outputs.size(); });
  return 0;
}
