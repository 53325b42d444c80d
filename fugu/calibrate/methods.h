// The methods: each finds a scale at which the family's noise attains (epsilon, delta), by a theorem or by
// search; two find the noise, or the channel, of least error; two are baselines that hide more than the
// secret.
//
// Every scale is rounded outward. What a method returns is not believed by anyone: calibrate() proves the
// noise that will be drawn with the verifier before it makes a plan, and widens it where the lattice needs
// more.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/mechanism/error_measure.h"
#include "fugu/mechanism/family.h"
#include "fugu/mechanism/mechanism.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_calibrate {

// What may be asked of the methods that minimise an error.
struct OptimumOptions {
  ErrorMeasure measure = {};           // of noise: squared or absolute
  bool measure_said = false;           // by the user; a swap has a measure of its own for what it moves
  bool by_columns = false;             // of whole rows: in how many columns they change, and how far
  std::vector<double> weights = {};    // of the columns, where not all cost the same
  double least_kept = 0;               // of each kind of row, the share that a swap leaves as it is
  bool asymmetric = false;             // noise of mean zero that need not be symmetric
  bool unbiased = false;               // a channel whose mean output is its input
  std::vector<int64_t> outputs = {};   // of a channel, lattice indices, increasing; the values when empty
  std::optional<double> seconds = {};  // in which the best that is proved will do
};

// The question a method answers, and what it may lean on.
struct Task {
  const Scenario& scenario;
  const NoiseFamily& family;
  const Progress& progress;
  int64_t farthest;  // steps that mass travels at most: W_inf
  OptimumOptions optimum = {};

  // What would be drawn at that scale: of several columns, noise on each.
  Mechanism released(Scale scale) const;
  // The noise that would be drawn at that scale. Precondition: one column.
  Noise drawn(Scale scale) const {
    return family.at(scale, scenario.lattice,
                     family.reach(scale, scenario.lattice, farthest, scenario.delta.value()));
  }
};

// docs/math.md, section 2: the range of the values.
Scale sensitivity_scale(const Task& task);
// Section 3, Theorem 1 (and Lemma 1): the farthest that the transport plan moves mass; with delta, of what is
// not spared. Gaussian, section 6: the analytic condition at that distance.
Scale kantorovich_scale(const Task& task);
// Section 4, Theorem 2: the plan's cost averaged over each row and column. Gaussian: the plan's mean
// hockey-stick.
Scale relaxed_scale(const Task& task);
// Section 4, ours: the same with the harmonic mean; never more than Theorem 2. Of several rows of a person
// everything is sent everywhere (section 18).
Scale harmonic_scale(const Task& task);
// Of several rows of a person. Precondition: several columns, and has_mean_bound().
Scale mean_scale(const Task& task);
// Section 17, ours: the least that any bound from what exchanges of values keep can give, so that releases
// add up; between harmonic and exact. Error (usage) for a delta, and for very many pairs and values.
Scale sharp_scale(const Task& task);
// Section 6, Theorem 3 (a), for epsilon up to 1, and (b).
Scale theorem3a_scale(const Task& task);
Scale theorem3b_scale(const Task& task);
// Section 5, ours: the least noise of the family; the least found where the loss need not fall with the
// scale.
Scale exact_scale(const Task& task);

// A mechanism that a method found and the verifier accepted, with what people should know of it.
struct Found {
  Mechanism mechanism;
  std::string note = {};
  // Below the error of every mechanism that the method chose among, in doubles.
  std::optional<double> bound = {};
  // The time or the size was too much for the search: others may be better, and the note says so.
  bool unfinished = false;
};
// Section 7, ours: the symmetric additive noise of least error, or with `asymmetric` any of mean zero. Error
// (usage) for a measure that does not fit.
Found optimal_noise(const Task& task);
// Section 8, ours: the channel of least error on its outputs. Error (usage) for outputs that do not fit,
// Error (data) for a table of losses that lacks some, Error (guarantee) when there is no unbiased channel
// with these outputs.
Found optimal_channel(const Task& task);

// Section 16, ours: values, of several columns whole rows, that trade places so that every frequency stays,
// with the least cost. Error (usage) for a delta, a confidence, and masses that are no counts.
Found optimal_swap(const Task& task);
// What it makes small where nobody says: of a number the squared error, else what changes.
ErrorMeasure measure_of_swap(const Scenario& scenario, const OptimumOptions& optimum);

// Section 2: what hides the value itself, whatever the secrets and the priors. Laplace noise for the whole
// range of the values, every category included.
Scale dp_laplace_scale(const Task& task);
// Randomized response: each other value is e^epsilon times less likely than the value itself. Error (usage)
// for more than a thousand values.
Found randomized_response(const Task& task);

// What a method serves.
enum Serves : unsigned {
  kCosts = 1,      // noise whose cost of a distance is bounded
  kGaussian = 2,   // Gaussian noise
  kRobust = 4,     // every law that the counts allow; the others take the table as the truth
  kJoint = 8,      // several columns at once
  kBaseline = 16,  // it hides the value itself, not only the secret
  kLaplace = 32,   // Laplace noise alone
  kAdds = 64,      // epsilons of releases by such methods of the same values add up (section 10)
  kLimits = 128,   // a promise in belief, and budgets of their own (section 19)
};

struct Method {
  std::string_view name;
  std::string_view title;            // for tables read by people
  Scale (*scale)(const Task& task);  // null where a method finds more than a scale
  unsigned serves_what;              // some of Serves
  Found (*mechanism)(const Task& task) = nullptr;
  bool is(Serves what) const { return (serves_what & what) != 0; }
  bool makes_mechanism() const { return mechanism != nullptr; }
  // Whether it makes an error as small as it can be.
  bool is_optimum() const { return makes_mechanism() && !is(kBaseline); }
  bool serves(const NoiseFamily& family) const {
    return is(family.has_cost_bound() ? kCosts : kGaussian) || (is(kLaplace) && family.name() == "laplace");
  }
};

// The methods that serve a family, in the order of the paper.
std::vector<Method> methods_for(const NoiseFamily& family);

// The methods that find the noise or the channel of least error.
std::vector<Method> optimum_methods();

// The methods that hide the value itself; all are pure, with Laplace noise or with a channel.
std::vector<Method> baseline_methods();

// Of several columns: Laplace noise, pure epsilon and, for noise, a grid that can be looked at; and the
// methods that are for them. Error (usage) for anything else. One column passes.
void check_columns_served(const Scenario& scenario, const NoiseFamily& family);
void check_columns_served(const Scenario& scenario, const Method& method);
// Whether a method is for this scenario of several columns: of several rows of a person harmonic is, too.
bool serves_joint(const Method& method, const Scenario& scenario);

// The method where nobody names one, and why: by what is asked and how large it is, never by how long it
// takes. Categories and several columns trade places; so does a number of so few values, secrets and priors
// that the square of the first times the others is at most kMostSwapWork; else it is the least noise. With a
// confidence categories do where all that can occur are in the table and are few.
inline constexpr uint64_t kMostSwapWork = 1'000'000;
struct DefaultMethod {
  std::string method;
  std::string why;
};
DefaultMethod default_method(const Scenario& scenario);

// One of any kind; of the latter two only with Laplace, the family when none is named. Error (usage) listing
// the methods for a name that is unknown or does not serve the family.
Method method_named(std::string_view name, const NoiseFamily& family);

}  // namespace fugu::inline in_calibrate
