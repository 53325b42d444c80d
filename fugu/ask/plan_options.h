// What is asked of a plan besides its question, in texts.
#pragma once

#include <string>

#include "fugu/ask/question.h"
#include "fugu/calibrate/methods.h"

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

  // The method's name; exact when none is given.
  std::string method_name() const { return method.empty() ? "exact" : method; }
  // Error (usage) for flags that have no meaning with the method, before anything is read.
  void check(const std::string& noise) const;
};

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
