// From a scenario to a proved plan, and every method side by side.
//
//   Plan plan = calibrate(scenario, "exact", "laplace");
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/calibrate/methods.h"
#include "fugu/core/progress.h"
#include "fugu/mechanism/family.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/row_facts.h"

namespace fugu::inline in_calibrate {

// Finds the method's noise and proves it as it will be drawn; the plan that comes back verifies.
// Error (usage) for an unknown method or noise or one that does not serve the other, Error (guarantee) when
// no scale attains the budget.
Plan calibrate(const Scenario& scenario, std::string_view method, std::string_view noise,
               const Progress& progress = {}, const OptimumOptions& optimum = {});

// The same with a family of your own (docs/noise.md).
Plan calibrate(const Scenario& scenario, std::string_view method, const NoiseFamily& family,
               const Progress& progress = {}, const OptimumOptions& optimum = {});

// What further releases of the same values cost.
enum class Repeated {
  kNothing,    // values are released as they are
  kAddsToAny,  // its epsilon adds to that of any other releases
  kAddsUp,     // beside each other and such as add to any (docs/math.md, section 10)
  kInfluence,  // any releases of the same influence in all keep the same epsilon
  kAsk,        // more than the sum of epsilons, or without limit: what, compose tells
};

// One row of a comparison.
struct Candidate {
  std::string method;
  std::string title;
  std::string noise;
  std::optional<Scale> scale = {};  // where the noise has one
  std::optional<double> mse =
      {};                        // of what is drawn; absent when the method gives nothing: the note says why
  double for_close_beliefs = 0;  // of epsilon, where a smaller budget is proved for their sake
  std::optional<double> loss = {};   // proved bound of the realised loss, when delta is 0
  std::optional<double> delta = {};  // proved bound of the hockey-stick, when it is not
  std::optional<double> bound = {};  // of an optimum: nothing that it chose among has a smaller error
  bool unfinished = false;           // of an optimum: the search had no time for more
  bool changes_nothing = false;      // values are released as they are
  bool baseline = false;             // it hides the value itself, not only the secret
  Repeated repeated = Repeated::kAsk;
  std::string note = {};
  std::vector<double> column_mse = {};              // as mse, of each released column
  std::optional<RowFacts> rows = {};                // what it leaves of the rows, where there is something
  std::shared_ptr<const Mechanism> mechanism = {};  // what would be drawn; null where there is nothing

  // Whether its error is known to be the least, to a millionth.
  bool is_limit() const { return mse && bound && *bound >= *mse * (1 - 1e-6); }
};

// One row: what the method makes of the family, proved, or in its note why there is nothing.
Candidate compare_one(const Scenario& scenario, const Method& method, const NoiseFamily& family,
                      const OptimumOptions& optimum = {}, const Progress& progress = {});

// Of several columns: the methods that are for them.
// Every method that serves each noise, in the order of methods_for(), each proved.
std::vector<Candidate> compare(const Scenario& scenario, const std::vector<std::string>& noises,
                               const Progress& progress = {});

// The same for the optimal noise and the optimal channel, which take longer: linear programmes are solved.
std::vector<Candidate> compare_optima(const Scenario& scenario, const OptimumOptions& optimum = {},
                                      const Progress& progress = {});

// The same for what hides the value itself, local differential privacy: with Laplace noise, where that is
// among the noises, and randomized response.
std::vector<Candidate> compare_baselines(const Scenario& scenario, const std::vector<std::string>& noises,
                                         const Progress& progress = {});

// All of these, in that order.
std::vector<Candidate> compare_all(const Scenario& scenario, const std::vector<std::string>& noises,
                                   const OptimumOptions& optimum = {}, const Progress& progress = {});

}  // namespace fugu::inline in_calibrate
