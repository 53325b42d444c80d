#include "fugu/plan/publishable.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fugu/core/error.h"

namespace fugu {
namespace {

// Whether the first prior's masses are counts of a table's rows.
bool counts_people(const Scenario& scenario) {
  if (!scenario.source || scenario.source->secret.empty() || scenario.source->published.empty()) return false;
  const Prior& table = scenario.priors.front();
  return table.laws.empty() && std::all_of(table.given.begin(), table.given.end(),
                                           [](const Distribution& given) { return given.blur() == 0; });
}

// One released column, and of how few people nothing is told.
struct Published {
  const Scenario& column;
  uint64_t least;
  bool alone = true;  // no other column is released with it: only then it can be shaped

  const Source& source() const { return *column.source; }

  std::string place() const {
    return source().header ? fmt::format("column '{}'", source().published.front())
                           : fmt::format("column {}", source().published.front());
  }

  // How many of these values somebody has, but fewer people than may be told. Precondition: they increase.
  size_t shared_by_few(const std::vector<int64_t>& values) const {
    const std::vector<Integer> people = column.population(values);
    return static_cast<size_t>(std::count_if(
        people.begin(), people.end(), [&](const Integer& count) { return count > 0 && count < least; }));
  }

  Error refuse(const std::string& what, const std::string& hint) const {
    return usage(fmt::format("{}: {}", place(), what),
                 fmt::format("{}; --publish-min N publishes what at least N people share", hint));
  }
};

std::string category_hint(const Published& published, bool all) {
  if (all) {
    return "texts that hardly anybody shares are no categories, and no flag merges them: leave the column "
           "out, or make a few categories of it in the table first";
  }
  if (!published.alone)
    return "leave the column out, or put rare categories together in the table first (--merge-rare does it "
           "for a column that is released alone)";
  return fmt::format("--merge-rare {}, without --order, makes one category of them; or leave the column out",
                     published.least);
}

void check_categories(const Published& published) {
  const Source& source = published.source();
  if (!source.edges.empty()) return;  // the labels are the owner's
  std::vector<int64_t> categories(source.labels.size() - (source.rare.empty() ? 0 : 1));
  std::iota(categories.begin(), categories.end(), int64_t{1});
  const size_t few = published.shared_by_few(categories);
  if (few == 0) return;
  throw published.refuse(
      fmt::format("fewer than {} people share {} of its {} categories, and a release publishes the list of "
                  "categories",
                  published.least, few, categories.size()),
      category_hint(published, few == categories.size()));
}

void check_range(const Published& published) {
  if (!published.column.clamps() || published.source().clip) return;
  const auto [low, high] = published.column.range();
  if (published.shared_by_few(low == high ? std::vector{low} : std::vector{low, high}) == 0) return;
  throw published.refuse(
      fmt::format("fewer than {} people have its least or its greatest value, and a release that is held "
                  "between them (--range clamp) publishes both",
                  published.least),
      published.alone ? "give bounds of your own with --clip LO:HI, wider bins with --bin W, or --range free"
                      : "give --range free, or a coarser --step");
}

void check_channel(const Published& published, const Channel& channel) {
  if (!published.source().labels.empty()) return;  // categories, which were checked
  std::vector<int64_t> values;
  std::set_union(channel.inputs.begin(), channel.inputs.end(), channel.outputs.begin(), channel.outputs.end(),
                 std::back_inserter(values));
  if (published.source().clip) {
    const auto [low, high] = published.column.range();
    std::erase_if(values, [low = low, high = high](int64_t value) { return value == low || value == high; });
  }
  const size_t few = published.shared_by_few(values);
  if (few == 0) return;
  throw published.refuse(
      fmt::format("fewer than {} people share {} of its {} values, and a channel publishes each of them",
                  published.least, few, channel.inputs.size()),
      "give wider bins with --bin W, hold the outer values with --clip LO:HI, or add noise, for example "
      "with --method exact");
}

void check_column(const Published& published) {
  if (published.source().labels.empty()) {
    check_range(published);
  } else {
    check_categories(published);
  }
}

}  // namespace

void check_publishable(const Scenario& scenario, uint64_t least) {
  if (least <= 1 || !counts_people(scenario)) return;
  if (!scenario.is_joint()) return check_column({scenario, least});
  for (size_t c = 0; c < scenario.axes.size(); ++c) {
    const Scenario column = scenario.column(c);
    check_column({column, least, false});
  }
}

void check_publishable(const Plan& plan, uint64_t least) {
  check_publishable(plan.scenario, least);
  const Channel* channel = std::get_if<Channel>(&plan.mechanism);
  if (channel && least > 1 && counts_people(plan.scenario)) check_channel({plan.scenario, least}, *channel);
}

}  // namespace fugu
