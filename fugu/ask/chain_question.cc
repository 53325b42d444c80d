#include "fugu/ask/chain_question.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/ask/question.h"
#include "fugu/core/error.h"
#include "fugu/file/text_file.h"
#include "fugu/models/chain_sequence.h"

namespace fugu::inline in_ask {
namespace {

uint64_t read_length(const std::string& text) {
  const auto value = parse_number(text);
  if (!value || denominator(*value) != 1 || *value < 1 || *value > ChainModel::kLongest)
    throw usage("--length: this is not a whole number from 1 to 1000000", "for example --length 100");
  return static_cast<uint64_t>(numerator(*value));
}

}  // namespace

void ChainOptions::check() const {
  if (has_sequence() == (!matrix.empty() || chain))
    throw usage("give one of --matrix and --sequence", "--matrix names a chain, --sequence a list of states");
  if (state.empty() != histogram)
    throw usage("give one of --state and --histogram",
                "--state NAME counts one state, --histogram every state");
  if (has_sequence()) return;
  if (length.empty())
    throw usage("--length is missing", "give the number of times in the sequence, for example --length 100");
  for (const auto& [given, flag] : {std::pair{!column.empty(), "--column"},
                                    {!separator.empty(), "--separator"},
                                    {no_header, "--no-header"}})
    if (given) throw usage(std::string(flag) + ": there is no --sequence", "leave it out");
}

std::vector<int64_t> ChainInput::counted() const {
  std::vector<int64_t> numbers;
  for (size_t x = 0; x < model.states.size(); ++x)
    if (!model.counted || x == *model.counted) numbers.push_back(static_cast<int64_t>(occurrences[x]));
  return numbers;
}

ChainInput read_chain(const ChainOptions& options, const Progress& progress) {
  options.check();
  ChainInput input;
  if (!options.has_sequence()) {
    const std::string place = options.chain           ? "the chain"
                              : options.matrix == "-" ? "standard input"
                                                      : options.matrix;
    const Json json = options.chain ? *options.chain : parse_json(read_text(options.matrix), place);
    for (const char* key : {"kind", "length", "counted", "frequency", "estimated"})
      if (json.find(key))
        throw Error(ErrorKind::kData, fmt::format("{}: \"{}\" does not belong in a chain's file", place, key),
                    "give \"states\" and \"chains\"; the rest comes from the flags");
    input.model = chain_from_json(json, place);
  } else {
    const CsvOptions csv{.separator = read_separator(options.separator), .header = !options.no_header};
    const StateSequence sequence = options.states
                                       ? sequence_of(*options.states)
                                       : read_sequence(options.sequence, options.column, csv, progress);
    input.model = estimate_chain(sequence, options.states            ? "the sequence"
                                           : options.sequence == "-" ? "standard input"
                                                                     : options.sequence);
    input.occurrences = sequence.occurrences;
  }
  ChainModel& model = input.model;
  if (!options.length.empty()) model.length = read_length(options.length);
  model.frequency = options.frequency;
  if (!options.histogram) {
    const auto found = std::find(model.states.begin(), model.states.end(), options.state);
    if (found == model.states.end())
      throw usage("--state: the chain has no such state", "name one of its states as it is written there");
    model.counted = static_cast<size_t>(found - model.states.begin());
  }
  return input;
}

}  // namespace fugu::inline in_ask
