// Strict JSON: what is read is written and read back as the same, for people and for digests.
#include "fugu/core/json.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto json = fuzz::read_or_refuse([&] { return parse_json(text, "input"); });
  if (!json) return 0;
  const std::string pretty = json->pretty(), canonical = json->canonical();
  const Json again = parse_json(pretty, "pretty");
  fuzz::insist(again.pretty() == pretty, "what is written for people reads back");
  fuzz::insist(again.canonical() == canonical, "a digest is that of what is read");
  fuzz::insist(parse_json(canonical, "canonical").canonical() == canonical, "what is digested reads back");
  return 0;
}
