#include "apps/cli/plan_io.h"

#include "apps/cli/text_io.h"
#include "fugu/core/error.h"
#include "fugu/verify/verify.h"

namespace fugu::cli {

ProvedPlan read_and_verify(const std::string& path) {
  if (path.empty()) {
    throw Error(ErrorKind::kUsage, "no plan is given",
                "name the file of a plan, as fugu calibrate -o writes it");
  }
  const std::string place = path == "-" ? "standard input" : path;
  Plan plan = plan_from_json(parse_json(read_text(path), place), place);
  try {
    Witness witness = verify(plan);
    return {std::move(plan), std::move(witness)};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee) throw;
    throw error.at(place);
  }
}

}  // namespace fugu::cli
