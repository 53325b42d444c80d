#include "apps/cli/plan_options.h"

#include "fugu/core/error.h"

namespace fugu::cli {

void add_method_option(CLI::App& command, std::string& method) {
  command
      .add_option("--method", method,
                  "how the noise is found; exact, the least, when not given; theorem3a and theorem3b are "
                  "for gaussian noise, harmonic for the others")
      ->type_name("sensitivity|kantorovich|relaxed|harmonic|exact|theorem3a|theorem3b")
      ->group("How much");
}

std::string one_noise(const QuestionOptions& options) {
  const auto noises = options.noises();
  if (noises.size() > 1) {
    throw Error(ErrorKind::kUsage, "--noise: a plan has one noise",
                "give one family; fugu compare takes several");
  }
  return noises.empty() ? "laplace" : noises.front();
}

void check_one_epsilon(const QuestionOptions& options) {
  if (options.epsilons().size() > 1) {
    throw Error(ErrorKind::kUsage, "--epsilon: a plan has one epsilon",
                "give one number; fugu compare takes several");
  }
}

}  // namespace fugu::cli
