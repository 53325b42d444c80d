#include "fugu/estimate/provenance.h"

#include <fmt/format.h>

#include "fugu/core/digest.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/file/file_digest.h"

namespace fugu::inline in_estimate {
namespace {

Error other_release(const GivenTable& table, const std::string& what) {
  return Error(
      ErrorKind::kData, fmt::format("{}: {}", table.name, what),
      table.part
          ? "give the receipt of this release"
          : "give the receipt of this release, or --part if these are some of its rows, or a rewritten copy");
}

}  // namespace

ReleaseFacts release_facts(const Json& json, const std::string& place) {
  ReleaseFacts facts;
  const Json* statement = json.find("statement");
  if (!statement || !statement->if_object()) return facts;
  if (const Json* stated = json.find("statement_digest");
      stated && need_string(*stated, place + ".statement_digest") != sha256(statement->canonical()))
    throw data_error(place + ".statement", "this is not the statement that the receipt was written with",
                     "use the receipt as it was written");
  const Integer rows = need_natural(need(json, "rows", place), place + ".rows");
  if (rows >= Integer(INT64_MAX))
    throw data_error(place + ".rows", "the number is too large", "use the receipt as it was written");
  facts.rows = static_cast<uint64_t>(rows);
  if (const Json* output = json.find("output"); output && !output->is_null())
    facts.digest = need_string(*output, place + ".output");
  return facts;
}

std::vector<std::string> check_provenance(const ReleaseFacts& facts, const GivenTable& table) {
  if (facts.rows && (table.part ? table.rows > *facts.rows : table.rows != *facts.rows)) {
    throw other_release(table, fmt::format("the table has {} rows, and the release of the receipt {}",
                                           table.rows, *facts.rows));
  }
  const bool compares = facts.digest && table.file && !table.part;
  if (compares && digest_of_file(*table.file) != *facts.digest)
    throw other_release(table, "the file is not the one that the receipt was written for");
  std::vector<std::string> unknown;
  if (!table.has_names) unknown.emplace_back("the columns' names");
  if (!facts.rows || table.part) unknown.emplace_back("the number of rows");
  if (!compares) unknown.emplace_back("the file's digest");
  if (unknown.empty()) return {};
  return {fmt::format("{} could not be compared with the release's{}", fmt::join(unknown, " and "),
                      facts.rows ? "" : ": the receipt would say")};
}

}  // namespace fugu::inline in_estimate
