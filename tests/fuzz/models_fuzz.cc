// Users and Markov chains from files: tables of probabilities, sequences of states, chains as JSON, and the
// numbers observed of them. A model that is read is written and read back as the same.
#include "fugu/ask/chain_question.h"
#include "fugu/ask/crowd_question.h"
#include "fugu/ask/observed.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

void observe(const Model& model, std::string_view text) {
  fuzz::read_or_refuse([&] { return observed_numbers(model, {std::string(text)}, "--observed"); });
}

void check_chain(const ChainOptions& options, std::string_view observed) {
  const auto input = fuzz::read_or_refuse([&] { return read_chain(options, {}); });
  if (!input) return;
  const ChainModel again =
      chain_from_json(parse_json(chain_to_json(input->model).pretty(), "written"), "written");
  fuzz::insist(again == input->model, "a chain reads back as itself");
  if (options.has_sequence()) (void)input->counted();
  observe(input->model, observed);
}

void check_crowd(const CrowdOptions& options, std::string_view observed) {
  const auto crowd = fuzz::read_or_refuse([&] { return read_crowd(options); });
  if (!crowd) return;
  const Crowd again = crowd_from_json(parse_json(crowd_to_json(*crowd).pretty(), "written"), "written");
  fuzz::insist(again == *crowd, "a crowd reads back as itself");
  observe(*crowd, observed);
}

// Anything but numbers may name a file, of which this machine has some.
std::string values_of(std::string_view text) {
  return text.find_first_not_of("0123456789,.") == std::string_view::npos && !text.starts_with('.')
             ? std::string(text)
             : "";
}

}  // namespace

// A line each for what is observed and two texts of flags; then the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const uint8_t bits = input.byte();
  const std::string_view observed = input.until('\n');
  const std::string first(input.until('\n')), second(input.until('\n'));
  const fuzz::MemoryFile file(input.rest());
  const bool flag = (bits & 4) != 0;
  switch (bits & 3) {
    case 0:
      check_chain({.matrix = file.path(), .length = first, .state = second, .histogram = flag}, observed);
      break;
    case 1:
      check_chain({.sequence = file.path(),
                   .column = first,
                   .state = second,
                   .no_header = (bits & 8) != 0,
                   .histogram = flag},
                  observed);
      break;
    case 2:
      check_crowd({.probabilities = file.path(), .letters = first, .values = values_of(second)}, observed);
      break;
    default:
      const std::string letters(input.until('\n'));
      check_crowd({.users = first, .p = second, .letters = letters, .values = values_of(input.rest())},
                  observed);
  }
  return 0;
}
