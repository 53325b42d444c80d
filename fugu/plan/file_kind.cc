#include "fugu/plan/file_kind.h"

#include <fmt/format.h>

#include <optional>

#include "fugu/core/json_read.h"

namespace fugu::inline in_plan {
namespace {

std::optional<FileKind> kind_of(const Json& json) {
  if (const Json* statement = json.find("statement")) {
    if (statement->if_object()) return FileKind::kReceipt;
    if (statement->if_string()) return FileKind::kStatement;
  }
  if (json.find("guarantee") && (json.find("scenario") || json.find("model"))) return FileKind::kPlan;
  if (json.find("priors")) return FileKind::kScenario;
  const Json* format = json.find("format");
  if (format && format->if_string() && *format->if_string() == "fugu-job") return FileKind::kJob;
  return std::nullopt;
}

const char* word_of(FileKind kind) {
  switch (kind) {
    case FileKind::kPlan:
      return "a plan";
    case FileKind::kStatement:
      return "a statement";
    case FileKind::kReceipt:
      return "a receipt";
    case FileKind::kJob:
      return "a job";
    default:
      return "a scenario";
  }
}

const char* where_is(FileKind wanted, FileKind found) {
  const bool is_plan = found == FileKind::kPlan;
  switch (wanted) {
    case FileKind::kPlan:
      if (found == FileKind::kJob) return "fugu run carries it out, and writes the plan";
      if (found == FileKind::kScenario)
        return "make a plan of it with fugu calibrate --scenario FILE -o plan.json";
      return "give the private file that calibrate or release wrote, such as out.csv.plan.json";
    case FileKind::kJob:
      return is_plan ? "release by it with fugu release TABLE --plan FILE -o out.csv"
                     : "fugu inspect TABLE --secret COL --public COL --job prints a job";
    case FileKind::kScenario:
      return is_plan ? "a plan is made already: fugu verify and fugu release --plan take it"
                     : "give a scenario file; fugu demo writes one";
    default:
      return is_plan ? "give the receipt, such as out.csv.receipt.json, or what fugu statement writes of it"
                     : "give the receipt of the release, such as out.csv.receipt.json, or its statement";
  }
}

}  // namespace

void check_kind(const Json& json, FileKind wanted, const std::string& place) {
  const std::optional<FileKind> found = kind_of(json);
  if (!found || *found == wanted || (wanted == FileKind::kStatement && *found == FileKind::kReceipt)) return;
  throw data_error(place, fmt::format("this is {}, not {}", word_of(*found), word_of(wanted)),
                   where_is(wanted, *found));
}

}  // namespace fugu::inline in_plan
