#include "fugu/audit/shuffled.h"

#include "fugu/core/error.h"
#include "fugu/core/json.h"
#include "fugu/file/text_file.h"

namespace fugu::inline in_audit {

bool receipt_says_shuffled(const std::string& path) {
  const std::string receipt = path + ".receipt.json";
  try {
    const Json json = parse_json(read_text(receipt), receipt);
    const Json* shuffled = json.find("shuffled");
    return json.find("statement_digest") && shuffled && shuffled->if_boolean() && *shuffled->if_boolean();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace fugu::inline in_audit
