#include "fugu/calibrate/crowd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fugu/calibrate/crowd_peak.h"
#include "fugu/core/search.h"
#include "fugu/verify/crowd.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr std::string_view kHidden = "no noise is needed: the other users' own randomness hides each of them";
constexpr std::string_view kNoHelp =
    "this is Lemma 2's noise: what the other users say would save less than a thousandth of it, or nothing "
    "that "
    "could be proved";
constexpr double kWorthIt = 0.999;  // of Lemma 2's scale
constexpr double kWide = 2000;      // steps of a scale from which on each look takes long
constexpr std::string_view kNothingSaid = "no noise is needed: no user changes the sum";

struct Question {
  const Crowd& crowd;
  const Budget& budget;
  const NoiseFamily& family;
  const Progress& progress;
  int64_t farthest;  // steps by which one user changes the sum

  int64_t reach(Scale scale) const {
    return family.reach(scale, crowd.lattice, farthest, budget.delta.value());
  }
  Noise drawn(Scale scale) const { return family.at(scale, crowd.lattice, reach(scale)); }
  // Where even the next step is as good as impossible nothing is hidden, and the integers would grow without
  // end.
  bool too_narrow(double scale) const { return family.log_weight(step(), Scale{scale}) < -700; }
  double step() const { return static_cast<double>(crowd.lattice.step); }
  Rational distance() const { return Rational(crowd.lattice.step * farthest); }
};

int64_t farthest_steps(const Crowd& crowd) {
  int64_t farthest = 0;
  for (const CrowdUsers& users : crowd.users) {
    const LatticeTerm term = term_of(users);
    farthest = std::max(farthest, term.values.back() - term.values.front());
  }
  return farthest;
}

Error unproved(const Question& question, const std::string& hint) {
  return Error(ErrorKind::kGuarantee,
               fmt::format("no scale of {} noise could be proved for these users", question.family.name()),
               hint);
}

// ---- pure epsilon ----

// Lemma 2 asks nothing of the others, so the scale is searched for one kind of user at a time.
Scale lemma2_scale(const Question& question, size_t first) {
  Crowd one = question.crowd;
  auto proved = [&](double scale) {
    return !question.too_narrow(scale) &&
           prove_lemma2(one, question.budget, question.drawn(Scale{scale})).proof.holds;
  };
  // What suffices for any two values that far apart; rounded weights may need a little more.
  const double start =
      question.family.scale_for(question.distance(), question.budget.epsilon.value(), Rational(0)).value;
  double scale = 0;
  for (size_t kind = first;;) {
    report(question.progress, 0.5, "searching the scale");
    one.users = {question.crowd.users[kind]};
    if (scale == 0 || !proved(scale)) {
      double known = start;
      for (double more = 0x1p-48; !proved(known); more *= 4) {
        if (more > 1) throw unproved(question, "use --noise laplace");
        known = start * (1 + more);
      }
      scale = smallest_accepted(proved, known, known);
    }
    const CrowdProof all = prove_lemma2(question.crowd, question.budget, question.drawn(Scale{scale}));
    if (all.proof.holds) return Scale{scale};
    kind = all.kind;
  }
}

// ---- with delta ----

// The users that have turned out worst, each with the law of everyone else, without noise.
class Suspects {
 public:
  explicit Suspects(const Question& question) : question_(question), terms_(terms_of(question.crowd)) {}

  bool has(size_t kind) const { return others_.contains(kind); }
  void add(size_t kind) {
    const Noise none = no_noise("none");
    SumLaw law = law_of_noise(question_.crowd, question_.budget, none);
    std::vector<LatticeTerm> rest = terms_;
    if (--rest[kind].copies == 0) rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(kind));
    law.add(rest);
    others_.emplace(kind, std::move(law));
  }

  // The largest hockey-stick over delta with this noise.
  double over_budget(const SumLaw& noise) const {
    double worst = 0;
    for (const auto& [kind, others] : others_) {
      SumLaw law = noise;
      law.add(others);
      worst = std::max(worst, peak_of_kind(question_.crowd, kind, law, question_.budget).upper);
    }
    return worst / static_cast<double>(question_.budget.delta.value());
  }
  double over_budget(Scale scale) const {
    report(question_.progress, 0.5, "searching the scale");
    return over_budget(law_of_noise(question_.crowd, question_.budget, question_.drawn(scale)));
  }
  // The same from the ideal shape in doubles: fast, and good enough to scan with.
  double guess(Scale scale) const {
    report(question_.progress, 0.3, "scanning scales");
    const int64_t reach = question_.reach(scale);
    std::vector<double> masses;
    for (int64_t z = -reach; z <= reach; ++z) {
      masses.push_back(std::exp(
          question_.family.log_weight(question_.step() * static_cast<double>(std::llabs(z)), scale)));
    }
    const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
    for (double& mass : masses) mass /= total;
    return over_budget(
        SumLaw(-reach, masses, 0, 0, static_cast<double>(question_.budget.delta.value()) * 1e-15));
  }

 private:
  const Question& question_;
  std::vector<LatticeTerm> terms_;
  std::map<size_t, SumLaw> others_;
};

constexpr int kDigits = 38;  // of a scale: 4e-12, more than the bound's own slack allows for many users

// A scale that is accepted, from `start` on.
double accepted_scale(const Question& question, double start, const std::function<bool(double)>& accept) {
  double scale = std::max(start, question.step() / 8);
  for (int k = 0; !accept(scale); ++k, scale *= 1.25) {
    if (k == 40)
      throw unproved(question, "epsilon or delta is too small for the arithmetic: raise one of them");
  }
  return scale;
}

// Laplace: what it hides grows with the scale (docs/math.md, section 5).
double least_laplace(const Question& question, const std::function<bool(double)>& accept) {
  const double start =
      question.family
          .scale_for(question.distance(), question.budget.epsilon.value(), question.budget.delta.value())
          .value;
  const double known = accepted_scale(question, start, accept);
  return smallest_accepted(accept, known / 2, known, kDigits);
}

// Any other: nothing rests on that, as in calibrate/scan.cc. A scan down over all scales, then refined.
double least_scanned(const Question& question, const Suspects& suspects,
                     const std::function<bool(double)>& accept) {
  auto guessed = [&](double scale) { return suspects.guess(Scale{scale}) <= 1; };
  const double start =
      question.family
          .scale_for(question.distance(), question.budget.epsilon.value(), question.budget.delta.value())
          .value;
  const double top = accepted_scale(question, start, guessed);
  double best = top, refused = 0, last = top;
  for (double scale = top; question.family.log_weight(question.step(), Scale{scale}) > -60;
       scale *= scale > 4 * question.step() ? 0.9 : 0.99) {
    last = scale;
    if (guessed(scale)) {
      best = scale;
      refused = 0;
    } else if (refused == 0) {
      refused = scale;
    }
  }
  double low = refused == 0 ? last / 2 : refused, high = best;
  while (high / low > 1 + 1e-11) {
    const double middle = std::sqrt(low * high);
    (guessed(middle) ? high : low) = middle;
  }
  double known = high;
  for (double widen = 1e-11; !accept(known); widen *= 4) {
    if (widen > 1) throw unproved(question, "use --noise laplace, or raise --delta");
    known = high * (1 + widen);
  }
  return smallest_accepted(accept, known, known, kDigits);
}

// Whether a noise keeps the promise, and who is worst: as the search bounds it, and if that is within the
// budget, as the verifier does. The search's bound is stated where the verifier bears it out.
CrowdProof exact_proof(const Question& question, const Noise& noise) {
  const auto& [crowd, budget, family, progress, farthest] = question;
  const CrowdPeak peak = peak_of_crowd(crowd, budget, noise, progress);
  ModelWitness witness = witness_at(crowd, CrowdPlace{peak.kind, peak.pair});
  witness.delta = peak.upper;
  if (exact(peak.upper) > budget.delta.value()) return {{false, std::move(witness)}, peak.kind};
  return {prove(crowd, budget, "exact", noise, &witness, progress), peak.kind};
}

// Found for the users known to be worst, proved for all; whoever turns out worse joins them.
std::pair<Noise, ModelWitness> exact_noise(const Question& question, size_t first) {
  Suspects suspects(question);
  suspects.add(first);
  double margin = 0;  // the proof for all sums in another order
  for (;;) {
    auto accept = [&](double scale) {
      return !question.too_narrow(scale) && suspects.over_budget(Scale{scale}) <= 1 - margin;
    };
    const double scale = question.family.name() == "laplace" ? least_laplace(question, accept)
                                                             : least_scanned(question, suspects, accept);
    Noise noise = question.drawn(Scale{scale});
    CrowdProof proof = exact_proof(question, noise);
    if (proof.proof.holds) return {std::move(noise), std::move(proof.proof.witness)};
    if (!suspects.has(proof.kind)) {
      suspects.add(proof.kind);
    } else {
      margin = std::max(1e-13, 8 * margin);
      if (margin > 0.1) throw unproved(question, "raise --delta, or leave it out");
    }
  }
}

// Where the others' sum only moves in steps that no difference of this user's values is a multiple of, it
// shows that difference whatever they say.
std::string betrayal(const Crowd& crowd, size_t kind) {
  int64_t step = 0;
  for (size_t k = 0; k < crowd.users.size(); ++k) {
    if (k == kind && crowd.users[k].copies == 1) continue;
    const LatticeTerm term = term_of(crowd.users[k]);
    for (int64_t value : term.values) step = std::gcd(step, value - term.values.front());
  }
  const LatticeTerm own = term_of(crowd.users[kind]);
  for (int64_t value : own.values) {
    const int64_t difference = value - own.values.front();
    if (step == 0 ? difference == 0 : difference % step == 0) continue;
    return fmt::format("noise is needed because the lattice gives one user away: {}",
                       step == 0 ? "no one else's answer is uncertain"
                                 : fmt::format("the others change the sum by multiples of {} only",
                                               to_text(Rational(crowd.lattice.step * step))));
  }
  return "";
}

ModelPlan plan_of(const Crowd& crowd, const Budget& budget, std::string method, Noise noise,
                  ModelWitness witness, std::string note) {
  ModelPlan plan{crowd, budget, std::move(method), std::move(noise), 0, std::move(witness), {}, {}};
  plan.mse = mean_square_error(plan.model, plan.noise);
  if (!std::isfinite(plan.mse)) {
    throw Error(ErrorKind::kGuarantee, "the noise would be wider than any number that can be written",
                "the values lie too far apart for this epsilon: rescale them, or raise --epsilon");
  }
  plan.assumptions = assumptions_of(plan.model);
  if (!note.empty()) plan.notes.push_back(std::move(note));
  return plan;
}

ModelPlan lemma2_plan(const Question& question, size_t first) {
  Noise drawn = question.drawn(lemma2_scale(question, first));
  CrowdProof proof = prove_lemma2(question.crowd, question.budget, drawn);
  return plan_of(question.crowd, question.budget, "lemma2", std::move(drawn), std::move(proof.proof.witness),
                 "");
}

ModelPlan exact_plan(const Question& question, size_t first) {
  auto [drawn, witness] = exact_noise(question, first);
  return plan_of(question.crowd, question.budget, "exact", std::move(drawn), std::move(witness),
                 betrayal(question.crowd, first));
}

std::string method_of(const Budget& budget, std::string_view asked, const NoiseFamily& family) {
  std::string method = budget.delta.is_zero() ? "lemma2" : "exact";
  if (!asked.empty() && asked != method) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--method {} does not work for {}", asked,
                            budget.delta.is_zero() ? "pure epsilon" : "a budget with delta"),
                fmt::format("use --method {}, or leave it out", method));
  }
  if (budget.delta.is_zero() && !family.has_cost_bound()) {
    throw Error(ErrorKind::kUsage, fmt::format("--noise {}: this noise needs a delta", family.name()),
                "give --delta, for example --delta 1e-6, or use --noise laplace");
  }
  return method;
}

}  // namespace

ModelPlan calibrate(const Crowd& crowd, const Budget& budget, std::string_view noise, std::string_view asked,
                    const Progress& progress) {
  const auto family = family_named(noise);
  const std::string method = method_of(budget, asked, *family);
  const Question question{crowd, budget, *family, progress, farthest_steps(crowd)};
  const Noise none = no_noise(family->name());
  const CrowdProof raw = method == "lemma2" ? prove_lemma2(crowd, budget, none) : exact_proof(question, none);
  if (raw.proof.holds) {
    return plan_of(crowd, budget, method, none, raw.proof.witness,
                   std::string(question.farthest == 0 ? kNothingSaid : kHidden));
  }
  if (method == "lemma2") return lemma2_plan(question, raw.kind);
  if (!family->has_cost_bound()) return exact_plan(question, raw.kind);
  // Lemma 2's noise keeps the promise too. Where the others help little it is not worth a long search.
  ModelPlan certain = lemma2_plan(question, raw.kind);
  certain.notes.emplace_back(kNoHelp);
  if (!asked.empty() && asked != "exact") return certain;
  if (family->name() == "laplace" && certain.noise.scale->value > kWide * question.step()) {
    Suspects suspect(question);
    suspect.add(raw.kind);
    if (suspect.over_budget(Scale{certain.noise.scale->value * kWorthIt}) > 1) return certain;
  }
  try {
    ModelPlan found = exact_plan(question, raw.kind);
    if (found.mse < certain.mse) return found;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee) throw;
  }
  return certain;
}

namespace {

Candidate candidate_of(const Crowd& crowd, const Budget& budget, const std::string& noise, std::string title,
                       const Progress& progress) {
  Candidate row{
      .method = budget.delta.is_zero() ? "lemma2" : "exact", .title = std::move(title), .noise = noise};
  try {
    const ModelPlan plan = calibrate(crowd, budget, noise, row.method, progress);
    row.scale = plan.noise.scale;
    row.mse = plan.mse;
    row.loss = plan.witness.loss;
    row.delta = plan.witness.delta;
    row.changes_nothing = plan.noise.is_none();
    if (!plan.notes.empty()) row.note = plan.notes.front();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kGuarantee && error.kind() != ErrorKind::kUsage) throw;
    row.note = error.message();
  }
  return row;
}

}  // namespace

std::vector<Candidate> compare(const Crowd& crowd, const Budget& budget,
                               const std::vector<std::string>& noises, const Progress& progress) {
  std::vector<Candidate> rows;
  const Budget pure{budget.epsilon};
  for (const std::string& noise : noises) {
    if (!family_named(noise)->has_cost_bound()) continue;
    rows.push_back(candidate_of(crowd, pure, noise, "Lemma 2: the others may be known", progress));
    if (!budget.delta.is_zero() && rows.back().mse) {
      // Pure epsilon is a delta of 0.
      rows.back().loss.reset();
      rows.back().delta = 0;
    }
  }
  if (budget.delta.is_zero()) return rows;
  for (const std::string& noise : noises)
    rows.push_back(candidate_of(crowd, budget, noise, "exact: the others' randomness helps", progress));
  return rows;
}

}  // namespace fugu::inline in_calibrate
