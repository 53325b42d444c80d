#include "apps/cli/model_options.h"

#include <fmt/format.h>

#include <sstream>

#include "apps/cli/text_io.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/observed.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/csv/csv_field.h"
#include "fugu/release/release_numbers.h"
#include "fugu/report/model_text.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

bool to_file(const ModelOptions& options) { return !options.output.empty() && options.output != "-"; }

OutputFile file_of(const ModelOptions& options) { return {options.output, options.force, Access::kPrivate}; }

void print_plan(const ModelOptions& options, const ModelPlan& plan) {
  const bool json = options.general.json();
  if (!to_file(options)) {
    print(json || options.output == "-" ? model_plan_to_json(plan).pretty() : model_plan_text(plan));
  } else if (json) {
    Json written = Json::object();
    written.add("plan", Json::string(options.output));
    print(written.pretty());
  } else {
    print(fmt::format("Wrote {}, readable by its owner only.\n{}Check it with: fugu verify {}\n",
                      printable(options.output), model_plan_text(plan),
                      printable(shell_word(options.output))));
  }
}

// What each of several numbers is the number of; empty where their order tells.
std::vector<std::string> labels_of(const Model& model) {
  const RateModel* rate = std::get_if<RateModel>(&model);
  return rate && rate->is_histogram() ? rate->labels : std::vector<std::string>{};
}

void print_released(const ModelOptions& options, const ModelPlan& plan,
                    const std::vector<int64_t>& released) {
  const Lattice lattice = plan.lattice();
  const std::vector<std::string> labels = labels_of(plan.model);
  if (options.general.json()) {
    Json numbers = Json::array();
    for (int64_t index : released) numbers.if_array()->push_back(number_to_json(lattice.value(index)));
    Json json = Json::object();
    json.add("released", std::move(numbers));
    if (!labels.empty()) json.add("labels", Json::strings(labels));
    if (to_file(options)) json.add("plan", Json::string(options.output));
    return print(json.pretty());
  }
  std::string lines;
  for (size_t k = 0; k < released.size(); ++k) {
    if (!labels.empty()) lines += csv_field(labels[k], ',') + ",";
    lines += to_text(lattice.value(released[k])) + "\n";
  }
  print(lines);
}

}  // namespace

void ModelOptions::check_output(const std::vector<std::string>& inputs) const {
  if (!observed.empty() && output == "-") {
    throw Error(ErrorKind::kUsage, "--output -: standard output is for the released numbers",
                "give the plan a file, or leave out --observed");
  }
  if (!to_file(*this)) return;
  for (const std::string& input : inputs) {
    if (same_file(input, output))
      throw Error(ErrorKind::kUsage, output + ": this is the input", "give the output another name");
  }
  file_of(*this).check();
}

void add_model_options(CLI::App& command, ModelOptions& options, const char* observed) {
  add_flags(command, options.budget);
  add_flag(command, Flag{"observed", FlagKind::kWord, "FROM", "Output", observed}.everyday(),
           options.observed);
  add_output_options(command, options.output, options.force,
                     "write the plan to FILE, mode 0600; without it the plan is shown");
  add_general_options(command, options.general);
}

std::vector<int64_t> read_observed(const Model& model) {
  std::istringstream words(read_text("-"));
  std::vector<std::string> numbers;
  for (std::string word; words >> word;) numbers.push_back(word);
  return observed_numbers(model, numbers, "standard input");
}

void finish(const ModelOptions& options, const ModelPlan& plan,
            const std::optional<std::vector<int64_t>>& observed, const Progress& progress) {
  std::optional<std::vector<int64_t>> released;
  if (observed) released = release_numbers(plan, *observed, progress);
  if (to_file(options)) file_of(options).write(model_plan_to_json(plan).pretty());
  if (released) {
    print_released(options, plan, *released);
  } else {
    print_plan(options, plan);
  }
}

}  // namespace fugu::cli
