#include "fugu/ask/plan_io.h"

#include "fugu/core/error.h"
#include "fugu/file/text_file.h"
#include "fugu/verify/verify.h"
#include "fugu/verify/verify_model.h"

namespace fugu::inline in_ask {
namespace {

std::variant<ProvedPlan, ProvedModelPlan> read_and_verify_at(const std::string& path,
                                                             const std::string& place) {
  const Json json = parse_json(read_text(path), place);
  if (is_model_plan(json)) {
    ModelPlan plan = model_plan_from_json(json, place);
    ModelWitness witness = verify(plan);
    return ProvedModelPlan{std::move(plan), std::move(witness)};
  }
  Plan plan = plan_from_json(json, place);
  Witness witness = verify(plan, json, place);
  return ProvedPlan{std::move(plan), std::move(witness)};
}

}  // namespace

std::variant<ProvedPlan, ProvedModelPlan> read_and_verify_any(const std::string& path) {
  if (path.empty()) {
    throw Error(ErrorKind::kUsage, "no plan is given",
                "name the file of a plan, as fugu calibrate -o writes it");
  }
  const std::string place = path == "-" ? "standard input" : path;
  try {
    return read_and_verify_at(path, place);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee || error.message().starts_with(place)) throw;
    throw error.at(place);
  }
}

ProvedPlan read_and_verify(const std::string& path) {
  auto proved = read_and_verify_any(path);
  if (ProvedPlan* table = std::get_if<ProvedPlan>(&proved)) return std::move(*table);
  throw Error(ErrorKind::kUsage, path + ": this is the plan of a model, not of a table",
              "release by it with --observed of fugu count, fugu rate or fugu chain");
}

}  // namespace fugu::inline in_ask
