#include "fugu/calibrate/rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "fugu/core/error.h"
#include "fugu/core/search.h"
#include "fugu/mechanism/family.h"
#include "fugu/verify/rate.h"
#include "fugu/verify/rate_laws.h"
#include "fugu/verify/rate_sticks.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr int kRateDigits = 18;         // of a scale that takes long to look at
constexpr double kRateWorthIt = 0.999;  // of the scale that another method needs

struct RateQuestion {
  const RateModel& model;
  const Budget& budget;
  const Progress& progress;
  std::unique_ptr<NoiseFamily> family = family_named("laplace");

  Lattice lattice() const { return model.released_lattice(); }
  Noise drawn(double scale) const { return family->at(Scale{scale}, lattice(), 0); }
  // What is enough whatever the laws are; rounded up.
  double group_scale() const {
    const Rational distance(lattice().step * model.steps_in_all());
    return family->scale_for(distance, budget.epsilon.value(), Rational(0)).value;
  }
  // Where even the next step is as good as impossible the integers would grow without end.
  bool too_narrow(double scale) const {
    return family->log_weight(static_cast<double>(lattice().step), Scale{scale}) < -700;
  }
};

std::string group_note(const RateQuestion& question) {
  const double scale = question.group_scale();
  if (scale == 0) return "beside it: group privacy needs no noise either, no row changes the number";
  const double mse = mean_square_error(question.model, question.drawn(scale));
  return fmt::format("beside it: group privacy needs laplace noise of scale {}, root mean square error {}",
                     for_people(scale), for_people(std::sqrt(mse)));
}

ModelPlan rate_plan(const RateQuestion& question, std::string method, Noise noise, ModelWitness witness,
                    std::string note) {
  ModelPlan plan{
      question.model, question.budget, std::move(method), std::move(noise), 0, std::move(witness), {}, {}};
  plan.mse = mean_square_error(plan.model, plan.noise);
  if (!std::isfinite(plan.mse))
    throw Error(ErrorKind::kGuarantee, "the noise would be wider than any number that can be written",
                "raise --epsilon, lower --within, or rescale the values");
  plan.assumptions = assumptions_of(plan.model);
  if (!note.empty()) plan.notes.push_back(std::move(note));
  plan.notes.push_back(group_note(question));
  return plan;
}

// Laplace: what it hides grows with the scale (docs/math.md, section 5).
double least_scale(const RateQuestion& question, double guess, int digits,
                   const std::function<bool(double)>& accept) {
  double known = question.group_scale();
  for (double more = 0x1p-48; question.too_narrow(known) || !accept(known); more *= 4) {
    if (more > 4)
      throw Error(ErrorKind::kGuarantee, "no scale could be proved for this rate", "raise --epsilon");
    known = question.group_scale() * (1 + more);
  }
  auto wide = [&](double scale) { return !question.too_narrow(scale) && accept(scale); };
  return smallest_accepted(wide, std::min(guess, known), known, digits);
}

// By one method. Where another needs `enough`, nothing comes back when this one would save next to nothing.
std::optional<ModelPlan> plan_by(const RateQuestion& question, const std::string& method,
                                 std::optional<double> enough) {
  const auto& [model, budget, progress, family] = question;
  auto proof_of = [&](const Noise& noise) { return prove_rate(model, budget, method, noise, progress); };
  const Noise none = no_noise("laplace");
  if (ModelProof raw = proof_of(none); raw.holds) {
    return rate_plan(question, method, none, raw.witness,
                     model.steps_per_row() == 0
                         ? "no noise is needed: every row adds the same"
                         : "no noise is needed: what the rows say of the secret is random enough");
  }
  report(progress, 0.3, "searching the scale");
  const bool sticks = method == "exact" && !budget.delta.is_zero();
  std::optional<RateSticks> laws;
  if (sticks) laws.emplace(model, budget, progress);
  auto accept = [&](double scale) {
    const Noise noise = question.drawn(scale);
    return sticks ? exact(laws->peak(noise).upper) <= budget.delta.value() : proof_of(noise).holds;
  };
  if (enough && !accept(*enough * kRateWorthIt)) return std::nullopt;
  const bool slow = method == "part" || method == "exact";
  const double guess = enough ? *enough * kRateWorthIt : question.group_scale();
  Noise noise = question.drawn(least_scale(question, guess, slow ? kRateDigits : 53, accept));
  ModelProof proof = proof_of(noise);
  if (!proof.holds)
    throw Error(ErrorKind::kGuarantee, "no scale could be proved for this rate", "raise --epsilon");
  std::string note;
  if (method == "rows" && budget.delta.is_zero() &&
      (model.is_histogram() || model.query == RateQuery::kCount || has_monotone_odds(model)))
    note = "no smaller scale of laplace noise hides this rate, however many rows there are";
  return rate_plan(question, method, std::move(noise), std::move(proof.witness), std::move(note));
}

// Which to look at, where none is named.
std::vector<std::string> methods_for(const RateModel& model, const Budget& budget) {
  std::vector<std::string> methods{"rows"};
  const bool tight = model.is_histogram() || model.query == RateQuery::kCount || has_monotone_odds(model);
  auto serves = [&](std::string_view method) { return why_not(model, budget, method).empty(); };
  if (budget.delta.is_zero() && tight) return methods;
  if (serves("exact")) {
    methods.emplace_back("exact");
  } else if (serves("part")) {
    methods.emplace_back("part");
  }
  return methods;
}

}  // namespace

std::string why_not(const RateModel& model, const Budget& budget, std::string_view method) {
  if (method == "group" || method == "rows") return "";
  if (model.is_histogram()) return "it is about counts and sums, not histograms";
  if (model.secrets.size() != 2) return "the secret has more than two values";
  if (method == "part") {
    if (!budget.delta.is_zero()) return "it proves no delta";
    return rows_of_part(model) < 2 ? "there are too few rows or too many values" : "";
  }
  const bool few =
      budget.delta.is_zero() ? rows_are_few(model, model.rows, model.within) : RateSticks::are_few(model);
  return few ? "" : "there are too many rows or values";
}

ModelPlan calibrate(const RateModel& model, const Budget& budget, std::string_view method,
                    const Progress& progress) {
  const RateQuestion question{model, budget, progress};
  if (!method.empty()) {
    const bool known = std::any_of(std::begin(kRateMethods), std::end(kRateMethods),
                                   [&](const RateMethod& each) { return each.name == method; });
    if (!known)
      throw usage(fmt::format("--method: '{}' is unknown", method), "use one of group, rows, part, exact");
    if (const std::string why = why_not(model, budget, method); !why.empty())
      throw usage(fmt::format("--method {} does not work for this: {}", method, why),
                  "leave out --method, or use --method rows");
    return *plan_by(question, std::string(method), std::nullopt);
  }
  std::optional<ModelPlan> best;
  for (const std::string& name : methods_for(model, budget)) {
    auto plan = plan_by(question, name, best ? std::optional(best->noise.scale->value) : std::nullopt);
    if (plan && (!best || plan->mse < best->mse)) best = std::move(plan);
    if (best->noise.is_none()) break;
  }
  return *best;
}

}  // namespace fugu::inline in_calibrate
