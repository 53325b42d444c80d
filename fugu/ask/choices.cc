#include "fugu/ask/choices.h"

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/plan/publishable.h"

namespace fugu::inline in_ask {
namespace {

constexpr size_t kFew = 4;
constexpr size_t kMostChannelWork = 200'000;  // values squared times laws: a channel within a second or so

struct Wanted {
  Method method;
  std::shared_ptr<const NoiseFamily> family;
  bool is(const Wanted& other) const {
    return method.name == other.method.name &&
           (method.makes_mechanism() || family->name() == other.family->name());
  }
};

bool is_of_categories(const Scenario& scenario) {
  return !scenario.is_joint() && scenario.shape(0).is_categorical();
}

bool is_quick_channel(const Scenario& scenario) {
  const size_t values = scenario.own_support().size(),
               laws = scenario.secrets.size() * scenario.priors.size();
  return values < 1000 && values * values * laws <= kMostChannelWork;
}

// In the order in which they are worth knowing.
std::vector<std::string_view> names_worth_knowing(const Scenario& scenario) {
  if (scenario.is_joint()) return {"swap", "exact", "harmonic", "kantorovich", "sensitivity"};
  if (is_of_categories(scenario))
    return {"swap", "channel", "sharp", "randomized-response", "exact", "sensitivity"};
  return {"exact", "sharp", "dp-laplace", "sensitivity", "kantorovich"};
}

bool may_serve(const Scenario& scenario, const Wanted& wanted) {
  const Method& method = wanted.method;
  if (scenario.is_joint() && !serves_joint(method, scenario)) return false;
  if (scenario.has_boxes() && !method.is(kRobust)) return false;
  if (!scenario.is_plain() && !method.is(kLimits)) return false;
  if (!scenario.delta.is_zero() && (method.name == "sharp" || method.name == "swap")) return false;
  if (method.name == "channel" && !is_quick_channel(scenario)) return false;
  return true;
}

// Every method with each noise that it serves, in the order of compare_all().
std::vector<Wanted> all_methods(const Scenario& scenario, const std::vector<std::string>& noises) {
  std::vector<Wanted> all;
  for (const std::string& noise : noises) {
    const std::shared_ptr<const NoiseFamily> family = family_named(noise);
    check_columns_served(scenario, *family);
    for (const Method& method : methods_for(*family)) {
      if (!scenario.is_joint() || serves_joint(method, scenario)) all.push_back({method, family});
    }
  }
  const bool laplace = std::find(noises.begin(), noises.end(), "laplace") != noises.end();
  const std::shared_ptr<const NoiseFamily> family = family_named("laplace");
  for (const auto& methods : {optimum_methods(), baseline_methods()}) {
    for (const Method& method : methods) {
      if (!laplace && !method.makes_mechanism()) continue;
      if (!scenario.is_joint() || method.is(kJoint)) all.push_back({method, family});
    }
  }
  return all;
}

// The one that is taken first.
std::vector<Wanted> wanted_methods(const Scenario& scenario, const DefaultMethod& taken,
                                   const std::vector<std::string>& noises, Shown shown) {
  const std::vector<Wanted> all = all_methods(scenario, noises);
  std::vector<Wanted> wanted;
  auto add = [&](const Wanted& one) {
    const bool known =
        std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& other) { return other.is(one); });
    if (!known && (shown == Shown::kAll || wanted.size() < kFew)) wanted.push_back(one);
  };
  for (const Wanted& one : all) {
    if (one.method.name == taken.method && wanted.empty()) add(one);
  }
  if (shown == Shown::kAll) {
    for (const Wanted& one : all) add(one);
    return wanted;
  }
  for (std::string_view name : names_worth_knowing(scenario)) {
    for (const Wanted& one : all) {
      if (one.method.name == name && may_serve(scenario, one)) add(one);
    }
  }
  return wanted;
}

Choice choice_of(const Scenario& scenario, Candidate candidate, uint64_t rows) {
  Choice choice{std::move(candidate)};
  if (!choice.candidate.mechanism) return choice;
  choice.share = typical_share(scenario, *choice.candidate.mechanism, rows);
  try {
    check_publishable(scenario, *choice.candidate.mechanism, kPublishMin);
  } catch (const Error& error) {
    choice.refused = error.message();
    choice.hint = error.hint();
  }
  return choice;
}

}  // namespace

const Choice& Choices::recommended() const {
  return *std::find_if(methods.begin(), methods.end(),
                       [](const Choice& choice) { return choice.candidate.mse.has_value(); });
}

uint64_t released_rows(const TableCounts& counts) {
  if (counts.people > 0 && !counts.stand_for) return counts.people;
  const uint64_t left_out = counts.dropped + counts.outside;
  return counts.rows > left_out ? counts.rows - left_out : 0;
}

std::vector<Choices> choices_of(const Question& question, const QuestionOptions& options,
                                const OptimumOptions& optimum, Shown shown, const Progress& progress) {
  std::vector<Epsilon> epsilons = options.epsilons();
  if (epsilons.empty()) epsilons.push_back(question.scenario.stated().epsilon);
  std::vector<std::string> noises = options.noises();
  if (noises.empty()) {
    noises = {"laplace"};
    if (!question.scenario.delta.is_zero()) noises.emplace_back("gaussian");
  }
  std::vector<Choices> result;
  for (const Epsilon& epsilon : epsilons) {
    Scenario scenario = question.scenario;
    scenario.promise({epsilon, question.scenario.stated().delta}, scenario.lambda());
    Choices choices{.scenario = scenario,
                    .taken = method_for(scenario, options, {}),
                    .methods = {},
                    .rows = question.rows ? released_rows(*question.rows) : 0};
    const std::vector<Wanted> wanted = wanted_methods(scenario, choices.taken, noises, shown);
    for (size_t k = 0; k < wanted.size(); ++k) {
      const std::string name(wanted[k].method.name);
      const Progress part = [&](double fraction, std::string_view) {
        report(progress, (static_cast<double>(k) + fraction) / static_cast<double>(wanted.size()), name);
      };
      Candidate found = compare_one(scenario, wanted[k].method, *wanted[k].family, optimum, part);
      choices.methods.push_back(choice_of(scenario, std::move(found), choices.rows));
    }
    if (std::none_of(choices.methods.begin(), choices.methods.end(),
                     [](const Choice& choice) { return choice.candidate.mse.has_value(); })) {
      throw Error(ErrorKind::kGuarantee,
                  "no method can keep the promise here: " + choices.methods.back().candidate.note,
                  "give --delta, raise --epsilon, or use --noise laplace");
    }
    result.push_back(std::move(choices));
  }
  return result;
}

}  // namespace fugu::inline in_ask
