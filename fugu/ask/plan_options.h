// What is asked of a plan besides its question, in texts.
#pragma once

#include <string>

#include "fugu/ask/question.h"
#include "fugu/calibrate/calibrate.h"

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct PlanOptions {
  std::string method = {};
  std::string loss = {};
  std::string cost = {};
  std::string least_kept = {};
  std::string outputs = {};
  std::string time_limit = {};
  bool asymmetric = false;
  bool unbiased = false;

  // Error (usage) for flags that have no meaning with the method, before anything is read; where none is
  // named, with none that it may be.
  void check(const std::string& noise) const;
};

// The method that is named, or where none is that of default_method(), or exact where the question asks for
// noise; and why, where none is named.
DefaultMethod method_for(const Scenario& scenario, const QuestionOptions& question,
                         const PlanOptions& options);

// The plan that is asked for, by that method; a note says why where none is named. Errors of check(),
// calibrate() and read_optimum().
Plan make_plan(const Scenario& scenario, const QuestionOptions& question, const PlanOptions& options,
               const Progress& progress);

// What the flags ask of the optimal methods for this scenario. Error (usage) for outputs that are not on its
// lattice, and for a file of losses that is no table; Error (io) when it cannot be read.
OptimumOptions read_optimum(const PlanOptions& options, const Scenario& scenario);

// The seconds of --time-limit, or `otherwise`. Error (usage).
double read_time_limit(const std::string& text, double otherwise);

// The people of --publish-min, or kPublishMin where the text is empty. Error (usage).
uint64_t read_publish_min(const std::string& text);

// The one noise of a plan; Laplace when none is named. Error (usage) for several.
std::string one_noise(const QuestionOptions& options);
// Error (usage) for several epsilons.
void check_one_epsilon(const QuestionOptions& options);

}  // namespace fugu::inline in_ask
