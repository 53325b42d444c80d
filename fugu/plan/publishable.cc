#include "fugu/plan/publishable.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "fugu/law/promise_words.h"
#include "fugu/plan/step_support.h"
#include "fugu/scenario/bags.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_plan {
namespace {

constexpr const char* kSwapMethod = "swap";

// Whether what the table itself says are counts of its rows.
bool counts_people(const Scenario& scenario) {
  if (!scenario.source || scenario.source->secret.empty() || scenario.source->published.empty()) return false;
  const std::vector<const Prior*> own = scenario.own_priors();
  return std::all_of(own.begin(), own.end(), [](const Prior* prior) {
    return prior->laws.empty() && std::all_of(prior->by_secret.begin(), prior->by_secret.end(),
                                              [](const Distribution& given) { return given.blur() == 0; });
  });
}

// One released column, and of how few people nothing is told.
struct Published {
  const Scenario& column;
  uint64_t least;

  const Source& source() const { return *column.source; }

  std::string place() const {
    return source().header ? fmt::format("column '{}'", source().published.front())
                           : fmt::format("column {}", source().published.front());
  }

  // How many of these values somebody has, but fewer people than may be told. Precondition: they increase.
  size_t shared_by_few(const std::vector<int64_t>& values) const {
    const std::vector<Integer> people = column.people(values);
    return static_cast<size_t>(std::count_if(
        people.begin(), people.end(), [&](const Integer& count) { return count > 0 && count < least; }));
  }

  // The owner's own ends; a clip too wide to hold values within has none, and the data's ends take their
  // place.
  std::optional<std::pair<int64_t, int64_t>> clip() const {
    return clip_range(source().shape(), column.lattice);
  }

  // Whether few people have the least or the greatest value.
  bool ends_are_of_few() const {
    const auto [low, high] = column.bounds();
    return shared_by_few(low == high ? std::vector{low} : std::vector{low, high}) > 0;
  }

  // What makes the outer and the rare values those of more people.
  std::string coarser() const {
    const std::string name = source().published.front();
    return fmt::format(
        "make bins, or wider ones, with --bin {0}=W, hold the outer values with --clip {0}=LO:HI",
        name.find_first_of(" '\"$\\`") == std::string::npos ? name : "COL");
  }

  Error refuse(const std::string& what, const std::string& hint) const {
    return usage(fmt::format("{}: {}", place(), what),
                 fmt::format("{}; --publish-min N publishes what at least N people share", hint));
  }
};

std::string category_hint(const Published& published, bool all) {
  if (all) {
    return "texts that hardly anybody shares are not categories: leave the column out, or group them with "
           "--map COL=FILE";
  }
  if (published.column.confidence)
    return "--merge-rare cannot be used with a confidence: merge such categories in the table and in "
           "--order, or leave the column out";
  const auto& labels = published.source().shape().labels;
  const auto numbers = std::count_if(labels.begin(), labels.end(), looks_like_decimal);
  if (numbers > 0 && static_cast<size_t>(numbers) < labels.size())
    return "merge such categories in the table and in --order, or leave the column out";
  return fmt::format(
      "--merge-rare {}, without --order, merges them into one category; or leave the column out",
      published.least);
}

void check_categories(const Published& published) {
  const Source& source = published.source();
  if (!source.shape().edges.empty()) return;  // the labels are the owner's
  std::vector<int64_t> categories(source.shape().labels.size() - (source.shape().rare.empty() ? 0 : 1));
  std::iota(categories.begin(), categories.end(), int64_t{1});
  const size_t few = published.shared_by_few(categories);
  if (few == 0) return;
  throw published.refuse(
      fmt::format("fewer than {} people share some of its categories, and a release publishes the list of "
                  "categories",
                  published.least),
      category_hint(published, few == categories.size()));
}

void check_range(const Published& published) {
  if (!published.column.clamps() || published.clip()) return;
  if (published.column.has_range_of_people() && published.source().range_people >= published.least) return;
  if (!published.ends_are_of_few()) return;
  throw published.refuse(
      fmt::format("fewer than {} people have its least or its greatest value, and a release clamped to them "
                  "(--range clamp) publishes both",
                  published.least),
      published.source().shape().clip ? "give --clip LO:HI with a narrower range, or --range free"
                                      : published.coarser() + ", or give --range free");
}

// Numbers that a release lists or writes as they are, and why. Precondition: they increase.
void check_values(const Published& published, std::vector<int64_t> values, const char* because) {
  if (!published.source().shape().labels.empty()) return;  // categories, which were checked
  if (const auto clip = published.clip())
    std::erase_if(values, [&](int64_t value) { return value == clip->first || value == clip->second; });
  if (published.shared_by_few(values) == 0) return;
  throw published.refuse(
      fmt::format("fewer than {} people share some of its values, and {}", published.least, because),
      published.coarser() + ", or add noise, for example with --method exact");
}

// The words of a promise in belief, or with budgets of their own, name secrets.
void check_secrets(const Scenario& scenario, uint64_t least) {
  const std::set<uint32_t> named = named_secrets(scenario);
  const bool few = std::any_of(named.begin(), named.end(), [&](uint32_t secret) {
    Integer people(0);
    for (const Prior* prior : scenario.own_priors()) {
      const Distribution& given = prior->by_secret[secret];
      // Weights are no numbers of people; every value that somebody has is at least one of them.
      people += scenario.source->weight ? Integer(given.size()) : given.total();
    }
    return people < least;
  });
  if (!few) return;
  throw usage(
      fmt::format("{}: fewer than {} people share some of the secrets that the promise names, and a release "
                  "publishes its words",
                  listed(*scenario.source, scenario.source->secret), least),
      fmt::format(
          "{}; --publish-min N publishes what at least N people share",
          scenario.is_of_belief()
              ? "give --promise odds, or a lower --epsilon of which no such secret has too large a share"
              : "give such secrets no --epsilon of their own"));
}

void check_column(const Published& published) {
  if (published.source().shape().labels.empty()) {
    check_range(published);
  } else {
    check_categories(published);
  }
}

// What the scale of a method tells exactly; null where it tells less.
const char* told_by_scale(const std::string& method) {
  if (method == "dp-laplace") return "its largest value less its smallest";
  if (method == "sensitivity") return "how far apart values of two secrets lie at most";
  return nullptr;
}

}  // namespace

namespace {

// Of several columns: the scale tells the range in units of their weights.
std::string joint_range_warning(const Plan& plan, uint64_t least) {
  if (plan.method != "sensitivity" || changes_nothing(plan.mechanism)) return "";
  for (size_t c = 0; c < plan.scenario.released_columns(); ++c) {
    const Scenario column = released_column(plan.scenario, c);
    const Published published{column, least};
    if (!published.source().shape().labels.empty() || !published.ends_are_of_few()) continue;
    return fmt::format(
        "{}: the scale of sensitivity tells how far apart values of two secrets lie at most, in units of the "
        "weights, exactly, and fewer than {} people have its least or its greatest value; use --method exact",
        published.place(), least);
  }
  return "";
}

// Whether few people decide the step of a lattice that nobody chose. Of how many is asked up to a limit, for
// the time that it takes.
bool step_is_of_few(const Published& published) {
  constexpr uint64_t kMost = 30;
  const ColumnShape& shape = published.source().shape();
  if (!shape.labels.empty() || shape.step || shape.bin) return false;
  const std::vector<int64_t> values = published.column.own_support();
  const uint64_t least = std::min(published.least, kMost);
  const uint64_t support = step_support(values, published.column.people(values), least);
  return support > 0 && support < least;
}

// Noise lies on the lattice, whose step every statement has. A channel, or values that trade places, list the
// values anyway.
std::string step_warning(const Plan& plan, uint64_t least) {
  const bool noisy =
      std::holds_alternative<Noise>(plan.mechanism) || std::holds_alternative<JointNoise>(plan.mechanism);
  if (!noisy || changes_nothing(plan.mechanism)) return "";
  for (size_t c = 0; c < plan.scenario.released_columns(); ++c) {
    const Scenario column = plan.scenario.is_joint() ? released_column(plan.scenario, c) : plan.scenario;
    const Published published{column, least};
    if (!step_is_of_few(published)) continue;
    return fmt::format(
        "{}: fewer than {} people decide the step of its lattice, which a release publishes and which may "
        "tell "
        "their values; give a step of your own, with --step G",
        published.place(), least);
  }
  return "";
}

std::string scale_warning(const Plan& plan, uint64_t least) {
  const Scenario& scenario = plan.scenario;
  const char* told = told_by_scale(plan.method);
  if (!told) return "";
  if (scenario.is_joint()) return joint_range_warning(plan, least);
  const Published published{scenario, least};
  // With a confidence the noise is for every value that can occur, which is the owner's to say.
  if (!published.source().shape().labels.empty() || scenario.confidence || changes_nothing(plan.mechanism))
    return "";
  if (published.clip() == scenario.bounds() || !published.ends_are_of_few()) return "";
  return fmt::format(
      "{}: the scale of {} tells {}, exactly, and fewer than {} people have its least or its greatest value; "
      "set bounds that values reach, with --clip LO:HI",
      published.place(), plan.method, told, least);
}

}  // namespace

void check_publishable(const RateModel& model, uint64_t least) {
  if (!model.is_histogram() || !model.estimated) return;
  bool few = false;
  for (size_t x = 0; x < model.values.size(); ++x) {
    Rational people(0);
    for (const auto& law : model.laws) people += law[x];
    few |= people < Rational(least);
  }
  if (!few) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("fewer than {} people share some of the categories, and a histogram publishes each", least),
      "merge such categories beforehand, or count one of them (--count); --publish-min N publishes what at "
      "least N people share");
}

std::string range_warning(const Plan& plan, uint64_t least) {
  if (least <= 1 || !counts_people(plan.scenario)) return "";
  const std::string scale = scale_warning(plan, least);
  return scale.empty() ? step_warning(plan, least) : scale;
}

void check_publishable(const Scenario& scenario, uint64_t least) {
  if (least <= 1 || !counts_people(scenario)) return;
  check_secrets(scenario, least);
  if (!scenario.is_joint()) return check_column({scenario, least});
  for (size_t c = 0; c < scenario.released_columns(); ++c) {
    const Scenario column = released_column(scenario, c);
    check_column({column, least});
  }
}

void check_publishable(const Scenario& scenario, const std::string& method, uint64_t least) {
  check_publishable(scenario, least);
  if (method != kSwapMethod || least <= 1 || !counts_people(scenario)) return;
  for (size_t c = 0; c < std::max<size_t>(scenario.axes.size(), 1); ++c) {
    const Scenario column = scenario.is_joint() ? scenario.column(c) : scenario;
    check_values({column, least}, column.own_support(), "values that trade places are released unchanged");
  }
}

void check_publishable(const Plan& plan, uint64_t least) {
  check_publishable(plan.scenario, plan.mechanism, least);
}

void check_publishable(const Scenario& scenario, const Mechanism& mechanism, uint64_t least) {
  check_publishable(scenario, std::holds_alternative<Swap>(mechanism) ? kSwapMethod : "", least);
  const Channel* channel = std::get_if<Channel>(&mechanism);
  if (!channel || least <= 1 || !counts_people(scenario)) return;
  std::vector<int64_t> values;
  std::set_union(channel->inputs.begin(), channel->inputs.end(), channel->outputs.begin(),
                 channel->outputs.end(), std::back_inserter(values));
  check_values({scenario, least}, std::move(values), "a channel publishes each of them");
}

}  // namespace fugu::inline in_plan
