#include "fugu/count/table_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/core/utf8.h"
#include "fugu/count/bag_priors.h"
#include "fugu/count/group_priors.h"
#include "fugu/count/published_values.h"
#include "fugu/law/budget_list.h"
#include "fugu/scenario/bags.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/further_priors.h"
#include "fugu/scenario/limits_json.h"

namespace fugu::inline in_count {
namespace {

// These texts end up in the plan, which is JSON.
void check_option_texts(const std::vector<std::string>& texts, const std::string& option) {
  if (std::all_of(texts.begin(), texts.end(), is_utf8)) return;
  throw Error(ErrorKind::kUsage, option + ": the text is not UTF-8", "use a terminal with a UTF-8 locale");
}

// The secrets in their order, and the position of each of the table's.
struct OrderedSecrets {
  std::vector<std::string> labels;
  std::vector<size_t> position;
};

OrderedSecrets order_secrets(const CountedTable& table, const std::vector<std::string>& order) {
  if (table.secrets.size() < 2) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: {} has only one secret value", table.name.file, table.secret_place),
                "there must be at least two secrets; choose another column for --secret");
  }
  OrderedSecrets result{order, {}};
  if (order.empty()) {
    for (const Tally::Entry& secret : table.secrets.entries()) result.labels.emplace_back(secret.key);
    std::sort(result.labels.begin(), result.labels.end());
  }
  result.position = positions_in_order(table.secrets, result.labels, "--secret-order", "secret", table.name);
  std::vector<bool> seen(result.labels.size());
  for (size_t position : result.position) seen[position] = true;
  for (size_t k = 0; k < seen.size(); ++k) {
    if (!seen[k]) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--secret-order: no row has the secret '{}'", result.labels[k]),
                  "name only secrets that the table has");
    }
  }
  return result;
}

Shaping shaping_of(const TableQuestion& question, size_t column) {
  return column < question.shaping.size() ? question.shaping[column] : Shaping{};
}

void check_question(const TableQuestion& question) {
  const size_t columns = question.table.published.size();
  auto usage = [](std::string message, std::string hint) {
    return Error(ErrorKind::kUsage, std::move(message), std::move(hint));
  };
  if (columns == 0) throw usage("--public: no column is named", "name the column to release");
  if (columns > kMaxColumns) {
    throw usage(fmt::format("--public: {} columns are more than {}", columns, kMaxColumns),
                "release fewer columns together");
  }
  for (const Shaping& shaping : question.shaping) check_shaping(shaping);
  for (const Shaping& part : {question.common.for_categories(), question.common.for_numbers(false),
                              question.common.for_numbers(true)})
    check_shaping(part);
  if (!question.weights.empty() && (columns == 1 || question.weights.size() != columns)) {
    throw usage(
        fmt::format("--noise-shares: there are {} shares for {} columns", question.weights.size(), columns),
        "give one share for each of several released columns");
  }
}

void check_known(const TableQuestion& question) {
  if (question.table.known.empty()) return;
  if (!question.table.given.empty()) {
    throw usage("--given: this cannot be used with --known",
                "name all of these columns with --known, which writes them unchanged, or all with --given");
  }
  if (question.table.missing == Missing::kDrop) {
    throw usage(
        "--missing: known columns are written, and would show which rows are dropped",
        "use --missing keep, which makes missing fields a category, or a table without missing fields");
  }
}

// How many rows a person has is known to everybody, and nothing else is.
void check_rows_per_person(const TableQuestion& question) {
  const TableColumns& table = question.table;
  if (table.rows_per_person <= 1) return;
  if (table.rows_per_person > kMostRowsOfPerson ||
      table.rows_per_person * table.published.size() > kMaxColumns) {
    throw usage(
        fmt::format("--rows-per-person: {} rows per person are too many", table.rows_per_person),
        fmt::format("take at most {}, and at most {} values in all of them", kMostRowsOfPerson, kMaxColumns));
  }
  const std::pair<bool, const char*> others[] = {{!table.given.empty(), "--given"},
                                                 {!table.known.empty(), "--known"},
                                                 {!question.also.empty(), "--also"}};
  for (const auto& [is_there, name] : others) {
    if (is_there)
      throw usage(fmt::format("{}: this cannot be used with several rows per person", name),
                  fmt::format("leave out {} or --rows-per-person", name));
  }
  if (question.confidence || !question.delta.is_zero())
    throw usage(fmt::format("{}: this cannot be used with several rows per person",
                            question.confidence ? "--confidence" : "--delta"),
                "leave out --rows-per-person, and fugu takes one row per person");
}

void check_also(const TableQuestion& question) {
  std::vector<Belief> seen;
  for (const std::string& text : question.also) {
    const auto belief = belief_named(text);
    if (!belief) {
      throw usage("--also: fugu does not know this belief",
                  "use independent, or smoothed:A with a decimal A greater than 0, for example smoothed:0.5");
    }
    if (std::count(seen.begin(), seen.end(), *belief) > 0)
      throw usage(fmt::format("--also: {} comes twice", belief->text()), "name each belief once");
    seen.push_back(*belief);
    if (belief->kind == Belief::kIndependent && question.table.published.size() == 1) {
      throw usage("--also: with one released column, independent is what the table says already",
                  "leave out --also independent, or release several columns");
    }
  }
  if (!question.also.empty() && question.confidence) {
    throw usage("--also: a confidence is about counts, and such a belief has none",
                "leave out --also, or leave out --confidence");
  }
}

// What is asked of every column that it suits must suit one.
void check_common(const Shaping& common, const std::vector<ColumnShape>& shapes) {
  auto none = [&](auto holds) { return std::none_of(shapes.begin(), shapes.end(), holds); };
  auto refuse = [](const char* flag, const char* what) {
    return usage(fmt::format("{}: no released column holds {}", flag, what),
                 fmt::format("leave out {}", flag));
  };
  const char* numeric = common.numeric_flag();
  if (numeric &&
      none([](const ColumnShape& column) { return !column.is_categorical() || !column.edges.empty(); }))
    throw refuse(numeric, "numbers or dates");
  if (common.merge_rare > 0 &&
      none([](const ColumnShape& column) { return column.is_categorical() && column.edges.empty(); }))
    throw refuse("--merge-rare", "categories");
  if (common.unit && none([](const ColumnShape& column) { return column.reads.date.has_value(); }))
    throw refuse("--date-unit", "dates");
}

// Of several columns: the axes, the joint values, and which of these each of the table's is.
std::vector<int64_t> place_joint(Scenario& scenario, const CountedTable& table,
                                 const TableQuestion& question) {
  std::vector<std::vector<int64_t>> index;
  std::vector<ColumnShape>& shapes = scenario.source->columns;
  shapes.clear();
  for (size_t c = 0; c < table.published.size(); ++c) {
    PublishedValues placed =
        place_published(table.name, table.published[c], shaping_of(question, c), question.common);
    scenario.axes.push_back({placed.lattice});
    shapes.push_back(std::move(placed.map));
    index.push_back(std::move(placed.index));
  }
  check_common(question.common, shapes);
  std::vector<Point> found;
  for (const auto& values : table.joint) {
    Point& point = found.emplace_back();
    for (size_t c = 0; c < values.size(); ++c) point.push_back(index[c][values[c]]);
  }
  scenario.points = found;
  sort_points(scenario.points);
  std::vector<int64_t> atoms;
  for (const Point& point : found) atoms.push_back(index_of(scenario.points, point));
  return atoms;
}

// By published column: how many rows have each of its values.
std::vector<std::vector<std::pair<int64_t, uint64_t>>> rows_by_value(const Scenario& scenario,
                                                                     const CountedTable& table,
                                                                     const std::vector<int64_t>& index) {
  std::vector<std::map<int64_t, uint64_t>> rows(table.published.size());
  for (const CountedTable::Cell& cell : table.cells) {
    const int64_t atom = index[cell.value];
    for (size_t c = 0; c < rows.size(); ++c)
      rows[c][rows.size() == 1 ? atom : scenario.points[static_cast<size_t>(atom)][c]] += cell.count;
  }
  std::vector<std::vector<std::pair<int64_t, uint64_t>>> result;
  for (const auto& column : rows) result.emplace_back(column.begin(), column.end());
  return result;
}

// Rows that were dropped, by the priors of those that were not.
void note_dropped(const CountedTable& table, Scenario& scenario) {
  Source& source = *scenario.source;
  if (table.dropped_secrets.empty() || source.weight) return;  // rows say nothing beside masses
  source.dropped[kWholeTable] = table.dropped_secrets;
  for (const auto& [group, secrets] : table.dropped_groups) {
    const bool merged = std::count(source.merged.begin(), source.merged.end(), group) > 0;
    const bool is_prior = std::any_of(scenario.priors.begin(), scenario.priors.end(),
                                      [&](const Prior& prior) { return prior.name == group; });
    if (!merged && !is_prior) continue;
    for (const auto& [secret, rows] : secrets) source.dropped[merged ? kOtherGroups : group][secret] += rows;
  }
}

// The whole table and the groups of the given columns; or the strata of the known ones, and nothing else.
void add_counted_priors(Scenario& scenario, const CountedTable& table, const GroupSizes* sizes,
                        const PlacedCells& cells) {
  Source& source = *scenario.source;
  if (!source.has_strata()) scenario.priors.push_back(prior_of(kWholeTable, cells));
  if (!sizes) return;
  for (Prior& prior : group_priors(table, *sizes, cells)) scenario.priors.push_back(std::move(prior));
  (sizes->merges ? source.merged : source.left_out) = sizes->small_names(table);
}

Scenario scenario_of_counts(const TableQuestion& question, const CountedTable& table,
                            const OrderedSecrets& secrets, const GroupSizes* sizes, ShapingEffect* effect) {
  Scenario scenario{question.epsilon};
  scenario.source = Source{.secret = table.secret_columns,
                           .published = {},
                           .na = question.table.na,
                           .missing = question.table.missing,
                           .header = question.table.header,
                           .given = table.given_columns,
                           .min_group = sizes ? question.min_group : 0,
                           .known = table.known_columns};
  Source& source = *scenario.source;
  for (const CountedColumn& column : table.published) source.published.push_back(column.name);
  if (!question.table.person.empty()) source.person = {table.extra_column, question.table.person_seed};
  if (!question.table.people.empty()) source.people = table.extra_column;
  source.rows_independent = question.table.rows_independent;
  std::vector<int64_t> index;
  if (table.published.size() > 1) {
    index = place_joint(scenario, table, question);
  } else {
    PublishedValues published =
        place_published(table.name, table.published.front(), shaping_of(question, 0), question.common);
    scenario.lattice = published.lattice;
    source.columns = {std::move(published.map)};
    index = std::move(published.index);
    if (effect) *effect = std::move(published.effect);
  }

  if (!question.table.weight.empty())
    source.weight = {table.extra_column, table.unit, rows_by_value(scenario, table, index)};
  scenario.pairs = PairSet::parse(question.pairs, secrets.labels);
  scenario.promised = question.promised;
  scenario.own_budgets = parse_own_budgets(question.budgets, secrets.labels);
  if (table.bags.empty()) {
    add_counted_priors(scenario, table, sizes, place_cells(table, secrets.position, index));
    note_dropped(table, scenario);
  } else {
    put_into_bags(scenario, table, secrets.position, index);
    source.min_group = question.table.least_people;
  }
  scenario.secrets = secrets.labels;
  state_shares(scenario, question.shares);
  for (const std::string& text : question.also) source.also.push_back(belief_named(text)->text());
  for (Prior& prior : further_priors(scenario)) scenario.priors.push_back(std::move(prior));
  if (scenario.is_joint()) set_weights(scenario, question.weights);
  scenario.promise({question.epsilon, question.delta}, question.closeness);
  scenario.confidence = question.confidence;
  check_promise(scenario, ErrorKind::kUsage);
  return scenario;
}

// The same question about the values as they stand in the table; nullopt where they have no place.
std::optional<Scenario> unshaped(TableQuestion question, const CountedTable& table,
                                 const OrderedSecrets& secrets, const GroupSizes* sizes) {
  for (Shaping& shaping : question.shaping) shaping = shaping.reading_alone();
  question.common = question.common.reading_alone();
  try {
    Scenario scenario = scenario_of_counts(question, table, secrets, sizes, nullptr);
    scenario.confidence.reset();  // nothing declares these values
    return scenario;
  } catch (const Error&) {
    return std::nullopt;
  }
}

uint64_t people_in(const CountedTable& table) {
  uint64_t people = 0;
  for (const CountedTable::Cell& cell : table.cells) people += cell.count;
  return people;
}

}  // namespace

Scenario scenario_from_table(const TableQuestion& question, const Progress& progress, TableCounts* counts,
                             BeforeShaping* before) {
  check_question(question);
  check_known(question);
  check_rows_per_person(question);
  check_also(question);
  check_option_texts(question.table.na, "--na");
  check_option_texts(question.table.not_missing, "--not-missing");
  TableColumns columns = question.table;  // what is declared as a category is a value
  for (const Shaping& shaping : question.shaping) {
    check_option_texts(shaping.order, "--order");
    columns.not_missing.insert(columns.not_missing.end(), shaping.order.begin(), shaping.order.end());
  }
  columns.not_missing.insert(columns.not_missing.end(), question.secret_order.begin(),
                             question.secret_order.end());
  CountedTable table = count_table(columns, progress, {}, question.rows.get());
  if (counts) *counts = {table.rows, table.dropped, table.people, !question.table.people.empty()};
  const OrderedSecrets secrets = order_secrets(table, question.secret_order);
  std::optional<GroupSizes> sizes;
  if (table.groups.size() > 0)
    sizes = group_sizes(table, question.min_group, question.confidence ? Small::kLeftOut : Small::kMerged);
  if (!table.known_columns.empty() && !sizes->small.empty() && !sizes->merges) {
    CountedTable covered = without_small(table, *sizes);
    if (counts) counts->outside = people_in(table) - people_in(covered);
    table = std::move(covered);
  }
  const GroupSizes* groups = sizes ? &*sizes : nullptr;
  ShapingEffect effect;
  Scenario scenario = scenario_of_counts(question, table, secrets, groups, &effect);
  if (before && !effect.steps.empty())
    *before = {std::move(effect), unshaped(question, table, secrets, groups)};
  return scenario;
}

}  // namespace fugu::inline in_count
