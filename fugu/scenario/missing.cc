#include "fugu/scenario/missing.h"

#include <iterator>

namespace fugu::inline in_scenario {
namespace {

constexpr std::string_view kMissingWords[] = {"error", "drop", "keep"};

}  // namespace

std::string word_of(Missing missing) { return std::string(kMissingWords[static_cast<size_t>(missing)]); }

std::optional<Missing> missing_named(std::string_view word) {
  for (size_t k = 0; k < std::size(kMissingWords); ++k) {
    if (kMissingWords[k] == word) return static_cast<Missing>(k);
  }
  return std::nullopt;
}

}  // namespace fugu::inline in_scenario
