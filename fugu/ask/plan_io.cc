#include "fugu/ask/plan_io.h"

#include "fugu/core/error.h"
#include "fugu/file/text_file.h"
#include "fugu/plan/file_kind.h"
#include "fugu/verify/verify.h"
#include "fugu/verify/verify_model.h"

namespace fugu::inline in_ask {
namespace {

std::variant<ProvedPlan, ProvedModelPlan> verify_any(const Json& json, const std::string& place) {
  check_kind(json, FileKind::kPlan, place);
  if (is_model_plan(json)) {
    ModelPlan plan = model_plan_from_json(json, place);
    ModelWitness witness = verify(plan);
    return ProvedModelPlan{std::move(plan), std::move(witness)};
  }
  Plan plan = plan_from_json(json, place);
  Witness witness = verify(plan, json, place);
  return ProvedPlan{std::move(plan), std::move(witness)};
}

// Errors name the file.
std::variant<ProvedPlan, ProvedModelPlan> verify_at(const Json& json, const std::string& place) {
  try {
    return verify_any(json, place);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee || error.message().starts_with(place)) throw;
    throw error.at(place);
  }
}

ProvedPlan of_table(std::variant<ProvedPlan, ProvedModelPlan> proved, const std::string& place) {
  if (ProvedPlan* table = std::get_if<ProvedPlan>(&proved)) return std::move(*table);
  throw Error(ErrorKind::kUsage, place + ": this is the plan of a model, not of a table",
              "release with --observed of fugu model count, rate or chain");
}

}  // namespace

std::variant<ProvedPlan, ProvedModelPlan> read_and_verify_any(const std::string& path) {
  if (path.empty()) {
    throw Error(ErrorKind::kUsage, "no plan is given",
                "name the file of a plan, as fugu calibrate -o writes it");
  }
  const std::string place = path == "-" ? "standard input" : path;
  return verify_at(parse_json(read_text(path), place), place);
}

ProvedPlan read_and_verify(const std::string& path) { return of_table(read_and_verify_any(path), path); }

Plan verified_table_plan(const Json& json, const std::string& place) {
  return of_table(verify_at(json, place), place).plan;
}

}  // namespace fugu::inline in_ask
